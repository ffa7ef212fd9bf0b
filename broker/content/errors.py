"""Errors of the content.

ContentError
├── UnknownContentError   no such service, page or text
└── ContentApiError       the content service failed (specification 8)
"""

from pathlib import Path


class ContentError(ValueError):
    """Content that cannot be published: `source` is the file or item, `fault` what is wrong with it."""

    def __init__(self, source: Path | str, fault: str) -> None:
        super().__init__(f"{source}: {fault}")
        self.source = str(source)
        self.fault = fault


class UnknownContentError(ContentError):
    """A service, page or text that does not exist."""


class ContentApiError(ContentError):
    """A failed call of the content service; `str()` is for visitors, `fault` the reason for the log."""

    def __init__(self, source: str, fault: str) -> None:
        super().__init__(source, fault)
        self.args = ("Failed to fetch API",)
