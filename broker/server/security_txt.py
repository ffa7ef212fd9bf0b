"""The file that tells finders of a weakness whom to write to (RFC 9116)."""

from collections.abc import Callable
from datetime import datetime, timedelta

from starlette.types import Scope

from broker.server.response import Answer, Handler, plain_text
from broker.services.signed_tokens import utc_now

PATH = "/.well-known/security.txt"

LIFETIME = timedelta(days=180)
"""How long the file is good from the day it is read; RFC 9116 asks for less than a year."""


def security_txt(site_url: str, email: Callable[[], str], *, clock: Callable[[], datetime] = utc_now) -> Handler:
    """Return the handler of the file, with the firm's address of the moment."""

    async def answer(_scope: Scope) -> Answer:
        expires = (clock() + LIFETIME).replace(hour=0, minute=0, second=0, microsecond=0)
        lines = (
            f"Contact: mailto:{email()}",
            f"Expires: {expires:%Y-%m-%dT%H:%M:%SZ}",
            "Preferred-Languages: en",
            f"Canonical: {site_url}{PATH}",
        )
        return plain_text(200, "".join(f"{line}\n" for line in lines))

    return answer
