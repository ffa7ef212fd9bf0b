"""What can be wrong with the content.

ContentError
└── UnknownContentError   something was asked for that the content does not hold
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
