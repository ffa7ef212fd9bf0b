"""The cookie with which the browser that sent an enquiry sees it on the thank-you page, and on no other.

No script reads it. `data/content/pages/cookie-policy.md` lists every cookie.
"""

from starlette.datastructures import Headers

from broker import routes

NAME, MAX_AGE_SECONDS = "thanks", 60 * 60

MAX_LENGTH = 1_000
"""Characters of the cookie; a longer one is ignored."""


def enquiry_cookie(link: str, *, secure: bool) -> str:
    """Return the Set-Cookie value that stores the link to an enquiry; an empty link deletes the cookie."""
    seconds = MAX_AGE_SECONDS if link else 0
    value = f"{NAME}={link}; Max-Age={seconds}; Path={routes.THANK_YOU}; HttpOnly; SameSite=Lax"
    return f"{value}; Secure" if secure else value


def enquiry_link(request: Headers) -> str:
    """Return the link in the cookie of a request; empty for none, or for one that is too long."""
    pairs = (pair.strip().partition("=") for line in request.getlist("cookie") for pair in line.split(";"))
    value = next((value for name, _, value in pairs if name == NAME), "")
    return value if len(value) <= MAX_LENGTH else ""
