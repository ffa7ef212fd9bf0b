"""Nobody sees the staff area who is not signed in: neither its pages, nor their scripts, nor what is posted below it.

A page of it answers with a redirect to the sign-in (303), never with the sign-in in its own place: an address of the
area then has one answer, which no cache, script or password manager can take for another, and a sign-in that fails
is shown again at an address of its own. The path to come back to is one of ours or left out.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Collection
from typing import Protocol
from urllib.parse import quote

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from broker import routes
from broker.domain.enquiries.stored_records import StorageError
from broker.domain.staff.accounts import StaffSession
from broker.services.staff.authentication import StaffAuthentication
from broker.settings import Settings
from broker.web.serving.headers import security_headers
from broker.web.serving.response import Answer, send_answer
from broker.web.staff.pages import answer, note, page, words

AREAS = (routes.UPDATE_LENDERS, routes.STAFF, "/_upload/")
"""What nobody sees, and everything below it."""

SCRIPTS = ("/assets/_updateLenders_", "/assets/_staff_", "/assets/staff-")
"""How the names of the scripts of those pages begin: a page's own, as React Router writes it, and what they share."""

OPEN = frozenset(
    (
        routes.STAFF_SIGN_IN,
        routes.STAFF_SIGN_IN_CODE,
        *(routes.STAFF_FORMS[name] for name in ("sign-in", "code", "sign-out")),
    )
)
"""What one needs to sign in, and to sign out when the session is over already."""

READING = frozenset({"GET", "HEAD"})

HIDDEN = {
    b"cache-control": b"no-store",
    b"x-robots-tag": b"noindex",
    b"referrer-policy": b"same-origin",
    b"cross-origin-resource-policy": b"same-origin",
}
"""Headers of every answer of the area. Without any referrer a browser would not say where a form comes from."""

KEPT_BY_ONE = b"private, max-age=31536000, immutable"
"""How long the scripts are kept, by a browser alone: their names change with what is in them."""

AWAY, AWAY_MORE = "We cannot check who you are just now", "Nothing is lost. Please load this page again in a minute."

_PATH = re.compile(r"/(?:updateLenders|staff)(?:/[A-Za-z0-9-]{1,60}){0,4}/(?:\?[A-Za-z0-9=&_-]{1,200})?")

log = logging.getLogger(__name__)


class Staffed(Protocol):
    """Who is signed in (`services.casework.Casework`)."""

    @property
    def staff(self) -> StaffAuthentication:
        """Return the services of the staff area."""
        ...


def is_staff(path: str) -> bool:
    """Tell whether a path is for staff alone."""
    return f"{path.rstrip('/')}/".startswith(AREAS) or path.startswith(SCRIPTS)


def is_ours(headers: Headers, origins: Collection[str]) -> bool:
    """Tell whether a browser says that a form comes from a page of ours; one that says nothing is not believed."""
    origin = headers.get("origin", "")
    return origin in origins if origin else headers.get("sec-fetch-site") == "same-origin"


def local_staff_path(text: object) -> str:
    """Return a path of the staff area to go on to, as a form or an address named it; the area's first for any other."""
    if not isinstance(text, str) or not _PATH.fullmatch(text) or text.partition("?")[0] in OPEN:
        return routes.STAFF
    return text


def sign_in_address(path: str, *, page: str = routes.STAFF_SIGN_IN) -> str:
    """Return the address of the sign-in that leads back to a path."""
    return page if path == routes.STAFF else f"{page}?to={quote(path, safe='/')}"


async def who(staffed: Staffed, headers: Headers) -> StaffSession | None:
    """Return who sends a request, None for nobody; raises StorageError."""
    return await staffed.staff.signed_in(";".join(headers.getlist("cookie")))


class StaffAccess:
    """Stands around the edge, and lets a request for the staff area through to it, or not."""

    def __init__(self, app: ASGIApp, staffed: Staffed, *, settings: Settings, firm: str) -> None:
        """Keep what is behind the door, and what knows who is signed in."""
        self._app, self._staffed = app, staffed
        self._origins, self._firm = settings.origins, firm
        self._security = security_headers(settings.site_url)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer in place of what is behind the door, or let it answer in private."""
        if scope["type"] != "http" or not is_staff(scope["path"]):
            await self._app(scope, receive, send)
        elif refused := await self._refusal(scope):
            await send_answer(refused, self._security, scope=scope, send=hidden(scope["path"], send))
        else:
            await self._app(scope, receive, hidden(scope["path"], send))

    async def _refusal(self, scope: Scope) -> Answer | None:
        headers, path, reads = Headers(scope=scope), scope["path"], scope["method"] in READING
        if not reads and not is_ours(headers, self._origins):
            return _no("This was not sent from a page of ours. Please open the staff area and try again.")
        if path in OPEN:
            return None
        try:
            if await who(self._staffed, headers):
                return None
        except StorageError as error:
            log.error("staff door: %s", error)
            return answer(page("Staff", note(AWAY, AWAY_MORE), firm=self._firm), status=503)
        if reads and not path.startswith(SCRIPTS):
            return self._led_to_the_sign_in(scope, headers)
        return _no("You are not signed in. Please open the staff area and sign in.")

    def _led_to_the_sign_in(self, scope: Scope, headers: Headers) -> Answer:
        """Return the redirect to the sign-in, which knows where to lead back to.

        A link in an email comes from elsewhere, and brings no cookie of ours: the page asks for itself once more.
        """
        query = scope.get("query_string", b"").decode("latin-1")
        path = local_staff_path(f"{scope['path'].rstrip('/')}/{'?' if query else ''}{query}")
        if headers.get("sec-fetch-site") == "cross-site":
            content = words("One moment.") + f'<p><a href="{path.replace("&", "&amp;")}">Go on to this page</a></p>'
            return answer(page("Staff", content, firm=self._firm, refresh=path))
        return Answer(status=303, headers={"location": sign_in_address(path)})


def hidden(path: str, send: Send) -> Send:
    """Return what sends an answer of the area: kept by nobody, found by nobody, and with nothing but its own in it."""
    own = HIDDEN | ({b"cache-control": KEPT_BY_ONE} if path.startswith(SCRIPTS) else {})

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            # a script that is refused is not kept
            named = own if message["status"] == 200 else HIDDEN
            headers = MutableHeaders(raw=list(message["headers"]))
            for name, value in named.items():
                headers[name.decode()] = value.decode()
            policy = headers.get("content-security-policy", "")
            headers["content-security-policy"] = policy.replace("default-src 'self'", "default-src 'none'")
            message = {**message, "headers": headers.raw}
        await send(message)

    return sending


def _no(text: str) -> Answer:
    return Answer(status=403, headers={"content-type": "text/plain; charset=utf-8"}, body=text.encode())
