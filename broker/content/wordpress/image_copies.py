"""Copies of an image in the widths at which pages show it, as WebP without metadata.

A name holds a hash of the source, so an image that did not change keeps its copies and their addresses.
"""

import hashlib
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO
from math import ceil

from PIL import Image

from broker.content.models.pictures import PREFIX, Picture, PictureFile
from broker.image_decoding import decoded
from broker.image_header import PILLOW_ERRORS, READERS, ImageFormat, ImageSize, image_format, image_size

WIDTHS = (88, 124, 175, 248, 350, 495, 700, 990)
"""Widths of copies in pixels: from one to the next pixels double, and every place finds one near twice its width."""

QUALITY = 80

MAX_SIDE_PIXELS, MAX_PIXELS = 6_000, 24_000_000
"""Maximum pixels of a side, and in all (96 MB decoded)."""

_RECIPE = b"1"
"""Part of the hash: to be raised when WIDTHS, QUALITY or the format changes."""

_SUFFIXES = {ImageFormat.PNG: "png", ImageFormat.GIF: "gif", ImageFormat.JPEG: "jpg", ImageFormat.WEBP: "webp"}


class UnusableImageError(ValueError):
    """An image that is not copied; the message says why, behind its address."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ImageCopies:
    """An image and its files by name."""

    picture: Picture
    files: Mapping[str, bytes]


def name_stem(data: bytes) -> str:
    """Return what the names of an image's files begin with."""
    return hashlib.sha256(_RECIPE + data).hexdigest()[:20]


def image_copies(data: bytes) -> ImageCopies:
    """Return the copies of an image; raises UnusableImageError."""
    size, kind = image_size(data), image_format(data)
    if not size or not kind:
        raise UnusableImageError("is no PNG, JPEG, GIF or WebP")
    if max(size.width, size.height) > MAX_SIDE_PIXELS or size.width * size.height > MAX_PIXELS:
        raise UnusableImageError(
            f"is {size.width} by {size.height} pixels, at most {MAX_SIDE_PIXELS} a side and {MAX_PIXELS} in all fit"
        )
    stem = name_stem(data)
    with warnings.catch_warnings():
        # Pillow warns of what is odd in a file; only what it cannot read counts
        warnings.simplefilter("ignore")
        try:
            with READERS[kind](BytesIO(data)) as image:
                if getattr(image, "is_animated", False):
                    return _as_it_is(data, size, f"{stem}.{_SUFFIXES[kind]}")
                scale = min(1, WIDTHS[-1] / size.width)
                pixels = decoded(image, needed=(ceil(image.width * scale), ceil(image.height * scale)))
            copies = {width: _encoded(pixels, size, width, kind=kind) for width in _widths(size.width)}
        except PILLOW_ERRORS as error:
            raise UnusableImageError(f"cannot be decoded ({type(error).__name__})") from error
    listed = tuple(PictureFile(src=f"{PREFIX}{stem}-{width}.webp", width=width) for width in copies)
    picture = Picture(src=listed[-1].src, width=size.width, height=size.height, files=listed)
    return ImageCopies(picture=picture, files={f"{stem}-{width}.webp": copy for width, copy in copies.items()})


def _as_it_is(data: bytes, size: ImageSize, name: str) -> ImageCopies:
    picture = Picture(src=PREFIX + name, width=size.width, height=size.height)
    return ImageCopies(picture=picture, files={name: data})


def _widths(own: int) -> tuple[int, ...]:
    """Return the widths of the copies of an image: those below its own, and its own within the last."""
    return (*(width for width in WIDTHS if width < own), *((own,) if own <= WIDTHS[-1] else ()))


def _encoded(pixels: Image.Image, size: ImageSize, width: int, *, kind: ImageFormat) -> bytes:
    """Return a copy as WebP; of what may be a drawing without loss, unless that takes more bytes."""
    height = max(1, round(size.height * width / size.width))
    copy = pixels.resize((width, height), Image.Resampling.LANCZOS, reducing_gap=2.0)
    copy.info.clear()
    lossy = _saved(copy, quality=QUALITY)
    return lossy if kind is ImageFormat.JPEG else min(lossy, _saved(copy, lossless=True), key=len)


def _saved(image: Image.Image, **options: int) -> bytes:
    file = BytesIO()
    image.save(file, "WEBP", method=4, **options)
    return file.getvalue()
