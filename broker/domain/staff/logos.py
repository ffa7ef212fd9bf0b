"""Lenders' logos: a picture made safe, the versions that a lender has had, and which of them stands (decision 37).

Staff's own choice counts first, then the feed's logo, else the drawn monogram. A removal by staff hides the feed's too.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

MAX_VERSIONS = 10
"""Versions of a lender's logo that are kept for each source, the one that stands included."""

FEED = "feed"
"""Who added a version that staff did not."""

LOGO_FOLDER = "/logos/"
"""Folder of lenders' logos on the site (broker.web.serving.logo_files answers for it)."""


class LogoSource(StrEnum):
    """Where the picture comes from that stands for a lender."""

    STAFF = "staff"
    FEED = "feed"
    MONOGRAM = "monogram"


class LogoKind(StrEnum):
    """What a version says: this picture, no picture whatever the feed has, or nothing of its own."""

    PICTURE = "picture"
    HIDDEN = "hidden"
    UNTOUCHED = "untouched"


@dataclass(frozen=True, slots=True, kw_only=True)
class CleanPicture:
    """A picture of our own making: a PNG without metadata, its sides in pixels, and the SHA-256 of its bytes."""

    png: bytes = field(repr=False)
    width: int
    height: int
    digest: str

    @classmethod
    def of(cls, png: bytes, *, width: int, height: int) -> CleanPicture:
        """Return a picture with its digest."""
        return cls(png=png, width=width, height=height, digest=hashlib.sha256(png).hexdigest())


@dataclass(frozen=True, slots=True, kw_only=True)
class LogoVersion:
    """One version of a lender's logo, without its bytes.

    `number` counts a source's versions of this lender from 1, and is never used again. `picture` is the name of its
    file, empty for a version without one; `file_name` is what the file was called that was sent, made safe.
    """

    lender_id: int
    source: LogoSource
    number: int
    kind: LogoKind
    picture: str = ""
    who: str
    at: datetime
    file_name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LenderLogo:
    """What is known of one lender's logo: the newest version of each source, None where there never was one."""

    staff: LogoVersion | None = None
    feed: LogoVersion | None = None

    @property
    def number(self) -> int:
        """Return the number of staff's newest version, 0 for none: what a change must say it was made to."""
        return self.staff.number if self.staff else 0

    @property
    def standing(self) -> LogoVersion | None:
        """Return the version whose picture stands for the lender, None for the monogram."""
        staff, feed = self.staff, self.feed
        if staff and staff.kind is not LogoKind.UNTOUCHED:
            return staff if staff.picture else None
        return feed if feed and feed.picture else None

    @property
    def source(self) -> LogoSource:
        """Return where the picture that stands comes from."""
        return self.standing.source if self.standing else LogoSource.MONOGRAM


def picture_name(lender_id: int, digest: str) -> str:
    """Return the name of a picture's file, which changes with the picture: `42-0a1b2c3d4e5f.png`."""
    return f"{lender_id}-{digest[:12]}.png"


def by_lender(versions: Mapping[tuple[int, LogoSource], LogoVersion]) -> dict[int, LenderLogo]:
    """Return each lender's logo from the newest versions by lender and source."""
    ids = {lender_id for lender_id, _ in versions}
    return {
        lender_id: LenderLogo(
            staff=versions.get((lender_id, LogoSource.STAFF)), feed=versions.get((lender_id, LogoSource.FEED))
        )
        for lender_id in ids
    }


def logo_address(file_name: str) -> str:
    """Return the path of a logo's file on the site."""
    return LOGO_FOLDER + file_name
