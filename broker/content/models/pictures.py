"""Pictures of the content."""

from dataclasses import dataclass

PREFIX = "/content-pictures/"
"""URL prefix of pictures copied from the content service."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """A picture of the site: `src` is its URL path; sizes in pixels; `alt` is empty for decoration."""

    src: str
    width: int
    height: int
    alt: str = ""
