"""Answers of the edge, and the type of its handlers."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from starlette.types import Scope, Send

from broker.server.headers import NO_PAGE_POLICY, encoded

SAFE_METHODS = frozenset({"GET", "HEAD"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """An HTTP response: status, headers without the security headers, body, and the values of Set-Cookie."""

    status: int
    headers: Mapping[str, str]
    body: bytes = b""
    cookies: tuple[str, ...] = ()


Handler: TypeAlias = Callable[[Scope], Awaitable[Answer | None]]
"""Answers a GET or HEAD for a path below its prefix; None means not found: the error page."""


def plain_text(status: int, text: str) -> Answer:
    headers = {"content-type": "text/plain; charset=utf-8", "cache-control": "no-store"}
    return Answer(status=status, headers=headers, body=text.encode())


async def send_answer(answer: Answer, security: Mapping[str, str], *, scope: Scope, send: Send) -> None:
    """Send an answer with the security headers; for HEAD without its body, with the length that GET would have."""
    headers = {"content-security-policy": NO_PAGE_POLICY} | dict(security) | dict(answer.headers)
    if answer.status != 304:
        headers["content-length"] = str(len(answer.body))
    body = b"" if scope["method"] == "HEAD" else answer.body
    pairs = [*encoded(headers), *((b"set-cookie", each.encode("latin-1")) for each in answer.cookies)]
    await send({"type": "http.response.start", "status": answer.status, "headers": pairs})
    await send({"type": "http.response.body", "body": body})
