"""What can be wrong with the content.

ContentError
├── UnknownContentError   something was asked for that the content does not hold
└── ContentApiError       the content service gave no answer that can be used (specification 8)
"""

from __future__ import annotations

from pathlib import Path


class ContentError(ValueError):
    """Content that cannot be published: `source` is the file or item, `fault` what is wrong with it."""

    def __init__(self, source: Path | str, fault: str) -> None:
        """Keep where the fault is and what it is; the message joins both."""
        super().__init__(f"{source}: {fault}")
        self.source = str(source)
        self.fault = fault


class UnknownContentError(ContentError):
    """A service or page that the content does not hold."""


class ContentApiError(ContentError):
    """The content service could not be read; `str()` is what a visitor is told, `fault` the reason for the log."""

    def __init__(self, source: str, fault: str) -> None:
        """Keep the name of the call and the reason; the words are those of specification 8."""
        super().__init__(source, fault)
        self.args = ("Failed to fetch API",)
