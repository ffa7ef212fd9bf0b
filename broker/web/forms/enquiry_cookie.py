"""The cookie that leads the browser which sent an enquiry to what was sent, on the page that thanks for it.

No script reads it, and it goes to that page alone. `data/content/pages/cookie-policy.md` lists every cookie.
"""

from __future__ import annotations

from starlette.datastructures import Headers

from broker import routes

THANKS, THANKS_SECONDS = "thanks", 60 * 60
"""Its name, and how long it stays: an hour."""

LONGEST = 1_000
"""Characters of a cookie that is looked at."""


def thanks_cookie(link: str, *, secure: bool) -> str:
    """Return what sets the cookie that leads back to an enquiry; an empty link ends it."""
    seconds = THANKS_SECONDS if link else 0
    value = f"{THANKS}={link}; Max-Age={seconds}; Path={routes.THANK_YOU}; HttpOnly; SameSite=Lax"
    return f"{value}; Secure" if secure else value


def thanks_link(request: Headers) -> str:
    """Return what the cookie of a request holds; an empty text for none, or for one that is too long."""
    pairs = (pair.strip().partition("=") for line in request.getlist("cookie") for pair in line.split(";"))
    value = next((value for name, _, value in pairs if name == THANKS), "")
    return value if len(value) <= LONGEST else ""
