"""The cookie that stores that a visitor closed the cookie notice (specification 1, decision 20)."""

NAME = "cookie_notice"
ACCEPTED = "accepted"
MAX_AGE_SECONDS = 100 * 24 * 60 * 60

MARK = "data-cookie-notice"
"""Attribute of the root element that hides the notice before the first paint."""


def acceptance(secure: bool) -> str:
    """Return the Set-Cookie value that closes the notice."""
    value = f"{NAME}={ACCEPTED}; Max-Age={MAX_AGE_SECONDS}; Path=/; SameSite=Lax"
    return f"{value}; Secure" if secure else value


def is_accepted(cookie_header: str) -> bool:
    return f"{NAME}={ACCEPTED}" in (pair.strip() for pair in cookie_header.split(";"))
