"""Pictures of the content, their files and places on pages, and safe HTML."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NewType

from broker import routes

SafeHtml = NewType("SafeHtml", str)
"""HTML without scripts, styles, handlers, forms or frames.

Only the sanitiser and the Markdown renderer make it from other text; the rest of the code joins or edits theirs.
"""

NO_HTML = SafeHtml("")


def join_html(parts: Iterable[SafeHtml]) -> SafeHtml:
    return SafeHtml("".join(parts))


PREFIX = routes.CONTENT_PICTURES
"""URL prefix of pictures copied from the content service."""

MAX_DENSITY = 2
"""Pixels of a file, at most, for each CSS pixel of the picture's width on the page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureFile:
    """A copy of a picture: its URL path, and its width in pixels."""

    src: str
    width: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """A picture of the site: `src` is its URL path; sizes in pixels; `alt` is empty for decoration.

    `files` are its copies by rising width, with `src` as the last; an animation has no copies.
    """

    src: str
    width: int
    height: int
    alt: str = ""
    files: tuple[PictureFile, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PicturePlace:
    """A place for pictures: the greatest width there in CSS pixels, and the `sizes` attribute that states it."""

    width: int
    sizes: str


_PHONE = "(min-resolution: 2.5dppx) calc(57vw - 18px), calc(100vw - 40px)"
"""The width of the text on a phone; less where a CSS pixel is three pixels wide, as a browser takes the next larger
file and MAX_DENSITY is enough."""

BANNER = PicturePlace(width=420, sizes=f"(min-width: 48em) min(38vw, 420px), {_PHONE}")
TEXT = PicturePlace(width=640, sizes=f"(min-width: 48em) 640px, {_PHONE}")
CARD = PicturePlace(width=420, sizes=f"(min-width: 48em) 340px, {_PHONE}")


def fixed_place(width: int) -> PicturePlace:
    """Return a place of the same width on every screen."""
    return PicturePlace(width=width, sizes=f"{width}px")


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureSource:
    """The attributes `src`, `srcset` and `sizes` of an image; the last two are empty where there is one file."""

    src: str
    srcset: str = ""
    sizes: str = ""


def picture_source(picture: Picture, place: PicturePlace) -> PictureSource:
    """Return the files that a browser chooses from: from half the width of a place to MAX_DENSITY times it."""
    if not picture.files:
        return PictureSource(src=picture.src)
    fitting = [file for file in picture.files if file.width <= MAX_DENSITY * place.width] or picture.files[:1]
    chosen = [file for file in fitting if file.width >= place.width / 2] or fitting[-1:]
    if len(chosen) == 1:
        return PictureSource(src=chosen[0].src)
    srcset = ", ".join(f"{file.src} {file.width}w" for file in chosen)
    return PictureSource(src=chosen[-1].src, srcset=srcset, sizes=place.sizes)
