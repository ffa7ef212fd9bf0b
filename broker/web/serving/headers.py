"""The headers that every answer carries, and the content security policy of a page (OWASP ASVS 3.4).

Pairs are lower-case bytes, as ASGI wants them, and are made once when the site starts.
"""

from __future__ import annotations

from urllib.parse import urlsplit

Headers = tuple[tuple[bytes, bytes], ...]

SECURITY = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "strict-origin-when-cross-origin",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
STRICT_TRANSPORT = "max-age=63072000; includeSubDomains"
"""Two years (ASVS 3.4.1 asks for one at least); sent over https only."""

NOTHING = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
"""Policy of an answer that is not a page; a drawing opened by itself keeps its own styles."""


def encoded(headers: dict[str, str]) -> Headers:
    """Return headers as ASGI pairs."""
    return tuple((name.encode("latin-1"), value.encode("latin-1")) for name, value in headers.items())


def is_https(site_url: str) -> bool:
    """Say whether the site is served over https."""
    return site_url.startswith("https://")


def security_headers(site_url: str) -> dict[str, str]:
    """Return the headers of every answer; strict transport only where the site is served over https."""
    return SECURITY | ({"strict-transport-security": STRICT_TRANSPORT} if is_https(site_url) else {})


def page_policy(script_hashes: tuple[str, ...], site_url: str) -> str:
    """Return the content security policy of a page: its own scripts, styles and socket, and nothing from elsewhere.

    The socket is named beside `'self'` because not every browser lets `'self'` stand for it. Styles may be inline:
    the component library writes its own. `'unsafe-eval'` is not given, so a handler must not use `rx.call_script`.
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
