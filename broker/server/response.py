"""Responses of the edge with their security headers, and the type of its handlers."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias
from urllib.parse import urlsplit

from starlette.types import Scope, Send

RawHeaders = tuple[tuple[bytes, bytes], ...]

SECURITY = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "strict-origin-when-cross-origin",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
STRICT_TRANSPORT = "max-age=63072000; includeSubDomains"
"""Two years (ASVS 3.4.1 asks for one at least); sent over https only."""

NO_PAGE_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
)
"""Content security policy of other files than pages; an SVG opened by itself keeps its styles."""


def _encoded(headers: dict[str, str]) -> RawHeaders:
    return tuple((name.encode("latin-1"), value.encode("latin-1")) for name, value in headers.items())


def is_https(site_url: str) -> bool:
    return site_url.startswith("https://")


def security_headers(site_url: str) -> dict[str, str]:
    """Return the headers of every answer; strict transport security for https only."""
    return SECURITY | ({"strict-transport-security": STRICT_TRANSPORT} if is_https(site_url) else {})


def page_policy(script_hashes: tuple[str, ...], site_url: str) -> str:
    """Return the content security policy of a page: scripts, styles and the socket of this site alone.

    The socket is named because not every browser includes it in `'self'`. Inline styles are allowed: the component
    library writes some. `'unsafe-eval'` is not, so a handler must not use `rx.call_script`.
    """
    socket = f"{'wss' if is_https(site_url) else 'ws'}://{urlsplit(site_url).netloc}"
    directives = {
        "default-src": "'self'",
        "script-src": " ".join(("'self'", *script_hashes)),
        "style-src": "'self' 'unsafe-inline'",
        "img-src": "'self' data:",
        "font-src": "'self'",
        "connect-src": f"'self' {socket}",
        "object-src": "'none'",
        "base-uri": "'none'",
        "form-action": "'self'",
        "frame-ancestors": "'none'",
    }
    policy = "; ".join(f"{name} {sources}" for name, sources in directives.items())
    return f"{policy}; upgrade-insecure-requests" if is_https(site_url) else policy


SAFE_METHODS = frozenset({"GET", "HEAD"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """An HTTP response: status, headers without the security headers, body, and the values of Set-Cookie."""

    status: int
    headers: Mapping[str, str]
    body: bytes = b""
    cookies: tuple[str, ...] = ()


Handler: TypeAlias = Callable[[Scope], Awaitable[Answer | None]]
"""Answers a GET or HEAD; None for the error page."""


def plain_text(status: int, text: str) -> Answer:
    headers = {"content-type": "text/plain; charset=utf-8", "cache-control": "no-store"}
    return Answer(status=status, headers=headers, body=text.encode())


def attachment(body: bytes, media_type: str, name: str) -> Answer:
    """Return a file to download."""
    headers = {"content-type": media_type, "content-disposition": f'attachment; filename="{name}"'}
    return Answer(status=200, headers=headers, body=body)


async def send_answer(answer: Answer, security: Mapping[str, str], *, scope: Scope, send: Send) -> None:
    """Send an answer with the security headers; for HEAD without its body."""
    headers = {"content-security-policy": NO_PAGE_POLICY} | dict(security) | dict(answer.headers)
    if answer.status != 304:
        headers["content-length"] = str(len(answer.body))
    body = b"" if scope["method"] == "HEAD" else answer.body
    pairs = [*_encoded(headers), *((b"set-cookie", each.encode("latin-1")) for each in answer.cookies)]
    await send({"type": "http.response.start", "status": answer.status, "headers": pairs})
    await send({"type": "http.response.body", "body": body})
