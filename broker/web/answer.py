"""What the edge sends back, and how a part of the site answers for addresses of its own."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from starlette.types import Scope


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What is sent back: status, headers without the security headers, body."""

    status: int
    headers: Mapping[str, str]
    body: bytes = b""


Handler: TypeAlias = Callable[[Scope], Awaitable[Answer | None]]
"""Answers a GET or HEAD for a path below its prefix; None means that there is no such thing: the error page."""
