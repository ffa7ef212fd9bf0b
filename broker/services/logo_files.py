"""Lenders' logos as files of their own: a name that changes with the picture, so that it may be kept for ever."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

EXTENSIONS = {"image/png": "png", "image/gif": "gif", "image/jpeg": "jpg"}

FOLDER = "/logos/"
"""Where the edge answers for them (broker.web.logo_files)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LogoFile:
    """A logo: its name below FOLDER, `42-0a1b2c3d4e5f.png` for example, its type and its bytes."""

    name: str
    media_type: str
    data: bytes

    @property
    def address(self) -> str:
        """Return where the logo is found on the site."""
        return FOLDER + self.name


def logo_file(lender_id: int, media_type: str, *, data: bytes) -> LogoFile:
    """Return a lender's logo with its name; raises KeyError for a type that is no PNG, GIF or JPEG."""
    digest = hashlib.sha256(data).hexdigest()[:12]
    return LogoFile(name=f"{lender_id}-{digest}.{EXTENSIONS[media_type]}", media_type=media_type, data=data)
