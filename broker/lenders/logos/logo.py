"""Lenders' logos: clean pictures, the versions of a lender's logo, and the current one (decision 37).

Staff's version comes first, then the feed's logo, then the drawn monogram. A removal by staff hides the feed's too.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

MAX_VERSIONS = 10
"""Versions of a lender's logo that are stored for each source, the current one included."""

MIN_WIDTH = 64
"""Pixels below which a picture is blurred where it is shown: staff are warned, and it is stored."""

FEED = "feed"
"""The actor of a version from the feed."""

LOGO_FOLDER = "/logos/"
"""Folder of lenders' logos on the site, served by broker.server.pictures."""


class LogoSource(StrEnum):
    STAFF = "staff"
    FEED = "feed"
    MONOGRAM = "monogram"


class LogoKind(StrEnum):
    """The kind of a version: a picture, no picture even if the feed has one, or no choice of its own."""

    PICTURE = "picture"
    HIDDEN = "hidden"
    UNTOUCHED = "untouched"


@dataclass(frozen=True, slots=True, kw_only=True)
class CleanPicture:
    """A re-encoded picture: a PNG without metadata, its size in pixels, and the SHA-256 of its bytes."""

    png: bytes = field(repr=False)
    width: int
    height: int
    digest: str

    @classmethod
    def of(cls, png: bytes, *, width: int, height: int) -> CleanPicture:
        return cls(png=png, width=width, height=height, digest=hashlib.sha256(png).hexdigest())


@dataclass(frozen=True, slots=True, kw_only=True)
class LogoVersion:
    """A version of a lender's logo, without its bytes.

    `number` counts a source's versions of this lender from 1 and is never reused. `picture` is the name of its file,
    empty for a version without one, and `width` its pixels, 0 without; `file_name` is the safe name of the uploaded
    file.
    """

    lender_id: int
    source: LogoSource
    number: int
    kind: LogoKind
    picture: str = ""
    who: str
    at: datetime
    file_name: str = ""
    width: int = 0

    @property
    def is_small(self) -> bool:
        return 0 < self.width < MIN_WIDTH


@dataclass(frozen=True, slots=True, kw_only=True)
class LenderLogo:
    """A lender's logo: the newest version of each source, or None."""

    staff: LogoVersion | None = None
    feed: LogoVersion | None = None

    @property
    def number(self) -> int:
        """Return the number of staff's newest version, 0 for none; a change names the number it is based on."""
        return self.staff.number if self.staff else 0

    @property
    def current(self) -> LogoVersion | None:
        """Return the version with the current picture, None for the monogram."""
        staff, feed = self.staff, self.feed
        if staff and staff.kind is not LogoKind.UNTOUCHED:
            return staff if staff.picture else None
        return feed if feed and feed.picture else None

    @property
    def source(self) -> LogoSource:
        return self.current.source if self.current else LogoSource.MONOGRAM


def picture_name(lender_id: int, digest: str) -> str:
    """Return the name of a picture's file, which changes with the picture: `42-0a1b2c3d4e5f.png`."""
    return f"{lender_id}-{digest[:12]}.png"


def by_lender(versions: Mapping[tuple[int, LogoSource], LogoVersion]) -> dict[int, LenderLogo]:
    """Return each lender's logo, from the newest versions by lender and source."""
    ids = {lender_id for lender_id, _ in versions}
    return {
        lender_id: LenderLogo(
            staff=versions.get((lender_id, LogoSource.STAFF)), feed=versions.get((lender_id, LogoSource.FEED))
        )
        for lender_id in ids
    }


def logo_address(file_name: str) -> str:
    return LOGO_FOLDER + file_name
