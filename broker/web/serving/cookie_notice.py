"""What the cookie notice leaves behind when a visitor closes it (specification 1, decision 20)."""

from __future__ import annotations

NAME = "cookie_notice"
ACCEPTED = "accepted"
SECONDS = 100 * 24 * 60 * 60
"""How long the notice stays closed: 100 days."""

MARK = "data-cookie-notice"
"""Attribute of the root element that hides the notice before the first paint: `html[data-cookie-notice] ...`."""


def acceptance(secure: bool) -> str:
    """Return the Set-Cookie value that closes the notice; `secure` on a site served over https."""
    value = f"{NAME}={ACCEPTED}; Max-Age={SECONDS}; Path=/; SameSite=Lax"
    return f"{value}; Secure" if secure else value


def is_accepted(cookie_header: str) -> bool:
    """Say whether a request's Cookie header shows that the notice was closed."""
    return f"{NAME}={ACCEPTED}" in (pair.strip() for pair in cookie_header.split(";"))
