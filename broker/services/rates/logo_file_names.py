"""Lenders' logos as files of their own: a name that changes with the picture, so that it may be kept for ever."""

from __future__ import annotations

from dataclasses import dataclass, field

FOLDER = "/logos/"
"""Where the edge answers for them (broker.web.serving.logo_files)."""

MEDIA_TYPE = "image/png"


@dataclass(frozen=True, slots=True, kw_only=True)
class LogoFile:
    """A logo: its name below FOLDER, `42-0a1b2c3d4e5f.png` for example, and its bytes."""

    name: str
    data: bytes = field(repr=False)

    @property
    def address(self) -> str:
        """Return where the logo is found on the site."""
        return logo_address(self.name)


def logo_address(name: str) -> str:
    """Return where the logo of a file's name is found on the site."""
    return FOLDER + name
