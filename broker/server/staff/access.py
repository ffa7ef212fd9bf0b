"""Access control of the staff area: its pages, their scripts and its forms need a session."""

import logging
import re
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass
from typing import TypeAlias
from urllib.parse import quote

from starlette.datastructures import FormData, Headers, MutableHeaders
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.types import Message as AsgiMessage

from broker import routes
from broker.server.forms.posts import Post, PostAnswer, Sender
from broker.server.response import SAFE_METHODS, Answer, Handler, plain_text, security_headers, send_answer
from broker.server.staff.pages import DATABASE_AWAY, Message, StaffPages, Viewer, redirect, viewer
from broker.services import Services
from broker.settings import Settings
from broker.staff.accounts import StaffSession
from broker.staff.credentials import HashingBusyError
from broker.staff.menu import DEMO_WORDS, here
from broker.staff.path_rights import HOMES, right_for
from broker.staff.roles import NOT_ALLOWED
from broker.storage.errors import StorageError

PROTECTED = (routes.UPDATE_LENDERS, routes.STAFF)
"""Paths that need a session, with everything below them."""

SCRIPTS = ("/assets/_updateLenders_", "/assets/_staff_", "/assets/staff-")
"""Prefixes of those pages' scripts, own and shared."""

_PUBLIC_FORMS = ("sign-in", "code", "passkey-ask", "passkey-sign-in", "link", "sign-out")
PUBLIC = frozenset(
    (
        routes.STAFF_SIGN_IN,
        routes.STAFF_SIGN_IN_CODE,
        routes.STAFF_LINK,
        *(routes.STAFF_FORMS[name] for name in _PUBLIC_FORMS),
    )
)
"""Paths of signing in, of one-time links, and of signing out, which an expired session needs."""

_OWN_PASSKEYS = ("passkey-begin", "passkey-add", "passkey-remove")
_OWN_FORMS = ("password", "codes", "sessions", "look", *_OWN_PASSKEYS, "sign-out-everywhere")
OWN_ACCOUNT = frozenset((routes.STAFF_ACCOUNT, *(routes.STAFF_FORMS[name] for name in _OWN_FORMS)))
"""Paths that are accessible before required one-time codes are set up."""

PRIVATE_HEADERS = {
    b"cache-control": b"no-store",
    b"x-robots-tag": b"noindex",
    b"referrer-policy": b"same-origin",
    b"cross-origin-resource-policy": b"same-origin",
}
"""Headers of every answer of the area. A stricter referrer policy would hide the origin of its forms."""

SCRIPT_CACHE_CONTROL = b"private, max-age=31536000, immutable"
"""Caching of scripts by browsers only; their names change with their content."""

_PATH = re.compile(r"/(?:updateLenders|staff)(?:/[A-Za-z0-9-]{1,60}){0,4}/(?:\?[\w=&.,:%+~-]{1,500})?", re.ASCII)

_THEME = re.compile(r"\bdesk_theme=(light|dark)\b")
"""The cookie in which `desk.js` keeps the theme that somebody chose."""

log = logging.getLogger(__name__)


def is_staff(path: str) -> bool:
    return f"{path.rstrip('/')}/".startswith(PROTECTED) or path.startswith(SCRIPTS)


def is_calendar_feed(path: str) -> bool:
    """Return whether a path is that of an adviser's calendar feed, whose address is its only secret."""
    return path.startswith(routes.STAFF_FEED) and path.endswith(".ics")


def is_same_origin(headers: Headers, origins: Collection[str]) -> bool:
    """Return whether a form comes from this site, by Origin or Sec-Fetch-Site; False without either."""
    origin = headers.get("origin", "")
    return origin in origins if origin else headers.get("sec-fetch-site") == "same-origin"


def local_staff_path(text: object) -> str:
    """Return a form's or URL's path to return to, without an invalid query; STAFF for any other text."""
    for path in (text, text.partition("?")[0]) if isinstance(text, str) else ():
        if _PATH.fullmatch(path) and path.partition("?")[0] not in PUBLIC:
            return path
    return routes.STAFF


def sign_in_path(next_path: str, *, page: str = routes.STAFF_SIGN_IN) -> str:
    """Return the URL of the sign-in with the path to return to."""
    return page if next_path == routes.STAFF else f"{page}?to={quote(next_path, safe='/')}"


def cookie_header(headers: Headers) -> str:
    """Return the cookies of a request, which HTTP/2 may send in several headers."""
    return ";".join(headers.getlist("cookie"))


async def signed_in_session(services: Services, headers: Headers) -> StaffSession | None:
    """Return the session of a request, whatever its role, None without one; raises StorageError."""
    return await services.staff.sessions.signed_in(cookie_header(headers))


async def current_session(services: Services, headers: Headers, path: str) -> StaffSession | None:
    """Return the session of a request that may use a path of the area, None without one; raises StorageError.

    The account's own paths may be used before required one-time codes are set up.
    """
    if path in OWN_ACCOUNT:
        return await own_session(services, headers)
    session = await signed_in_session(services, headers)
    return session if session and session.may(right_for(path)) else None


async def own_session(services: Services, headers: Headers) -> StaffSession | None:
    """Return the session of a request, also where required one-time codes are not set up yet."""
    return await services.staff.sessions.for_own_account(cookie_header(headers))


StaffAction: TypeAlias = Callable[[StaffSession, FormData], Awaitable[Answer]]
"""Answers a member of staff with the fields of a form."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StaffHandlers:
    """Makes handlers for staff whose role may use their paths, which is checked again behind `StaffAccess`.

    `refused` answers everybody else; `away` answers while the database is unavailable or too many passwords are hashed.
    """

    services: Services
    refused: Answer
    away: Callable[[Exception], Answer]

    def page(self, path: str, draw: Callable[[StaffSession, Scope], Awaitable[Answer]]) -> Handler:
        async def answer(scope: Scope) -> Answer:
            return await self.answer(Headers(scope=scope), path, lambda session: draw(session, scope))

        return answer

    def posts(self, actions: Mapping[str, StaffAction], *, max_bytes: int, max_files: int = 0) -> dict[str, Post]:
        """Return the handlers of forms by their paths; `actions` are by their names in `routes.STAFF_FORMS`."""
        paths = {routes.STAFF_FORMS[name]: act for name, act in actions.items()}
        return {
            path: Post(answer=self._post(path, act), max_bytes=max_bytes, max_files=max_files)
            for path, act in paths.items()
        }

    def _post(self, path: str, act: StaffAction) -> PostAnswer:
        async def answer(form: FormData, sender: Sender) -> Answer:
            return await self.answer(sender.headers, path, lambda session: act(session, form))

        return answer

    async def answer(self, headers: Headers, path: str, make: Callable[[StaffSession], Awaitable[Answer]]) -> Answer:
        try:
            session = await current_session(self.services, headers, path)
            return await make(session) if session else self.refused
        except (StorageError, HashingBusyError) as error:
            return self.away(error)


def staff_handlers(
    services: Services, pages: StaffPages, title: str, *, back: str, link: tuple[str, str] = ("", "")
) -> StaffHandlers:
    """Return handlers that redirect to the sign-in, which returns to a path, and whose problems are on pages."""
    refused = redirect(sign_in_path(back))
    return StaffHandlers(
        services=services, refused=refused, away=lambda _: pages.problem(title, DATABASE_AWAY, link=link)
    )


class StaffAccess:
    """Middleware around the edge that requires a session for the staff area.

    A page redirects to the sign-in (303) instead of showing it, so that no URL has two responses to cache.
    """

    def __init__(self, app: ASGIApp, services: Services, *, settings: Settings, firm: str) -> None:
        self._app, self._services = app, services
        self._origins, self._pages = settings.origins, StaffPages(firm=firm)
        self._demo = DEMO_WORDS if settings.is_demo else ""
        self._security = security_headers(settings.site_url)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not is_staff(scope["path"]):
            await self._app(scope, receive, send)
        elif refusal := await self._refusal(scope):
            await send_answer(refusal, self._security, scope=scope, send=send_privately(scope["path"], send))
        else:
            await self._app(scope, receive, send_privately(scope["path"], send))

    async def _refusal(self, scope: Scope) -> Answer | None:
        headers, path, is_safe = Headers(scope=scope), scope["path"], scope["method"] in SAFE_METHODS
        chosen = _THEME.search(headers.get("cookie", ""))
        theme = chosen[1] if chosen else ""
        viewer.set(Viewer(theme=theme, demo=self._demo))
        if not is_safe and not is_same_origin(headers, self._origins):
            return plain_text(403, "This was not sent from a page of ours. Please open the staff area and try again.")
        if path in PUBLIC or is_calendar_feed(path):
            return None
        try:
            session = await (own_session if path in OWN_ACCOUNT else signed_in_session)(self._services, headers)
            if session:
                who = Viewer(name=session.name, role=session.role, here=here(path), theme=theme, demo=self._demo)
                viewer.set(who)
                return None if path.startswith(SCRIPTS) else self._not_allowed(session, path, is_safe=is_safe)
            if is_safe and await own_session(self._services, headers):
                return Answer(status=303, headers={"location": routes.STAFF_ACCOUNT})
        except StorageError as error:
            log.error("staff session could not be checked: %s", error)
            return self._pages.problem("Staff", DATABASE_AWAY)
        if is_safe and not path.startswith(SCRIPTS):
            return self._redirect_to_sign_in(scope, headers)
        return plain_text(403, "You are not signed in. Please open the staff area and sign in.")

    def _not_allowed(self, session: StaffSession, path: str, *, is_safe: bool) -> Answer | None:
        """Return the refusal of a path that a session's role may not use, None for one that it may."""
        if session.may(right_for(path)):
            return None
        home = HOMES[session.role]
        if not is_safe:
            return plain_text(403, f"{NOT_ALLOWED}.")
        if path == routes.STAFF:
            return Answer(status=303, headers={"location": home})
        message = Message(title=f"{NOT_ALLOWED}.")
        return self._pages.problem("Staff", message, status=403, link=(home, "Back to your work"))

    def _redirect_to_sign_in(self, scope: Scope, headers: Headers) -> Answer:
        """Return the redirect to the sign-in, which returns to this path.

        A request from another site, such as a link in an email, has no cookie of ours: the page reloads itself once.
        """
        query = scope.get("query_string", b"").decode("latin-1")
        path = local_staff_path(f"{scope['path'].rstrip('/')}/{'?' if query else ''}{query}")
        if headers.get("sec-fetch-site") == "cross-site":
            return self._pages.answer("continue", "Staff", path=path)
        return Answer(status=303, headers={"location": sign_in_path(path)})


def send_privately(path: str, send: Send) -> Send:
    """Return `send` with PRIVATE_HEADERS, and with a content security policy that allows no other host."""
    private = PRIVATE_HEADERS | ({b"cache-control": SCRIPT_CACHE_CONTROL} if path.startswith(SCRIPTS) else {})

    async def sending(message: AsgiMessage) -> None:
        if message["type"] == "http.response.start":
            # refused scripts are not cached
            added = private if message["status"] == 200 else PRIVATE_HEADERS
            headers = MutableHeaders(raw=list(message["headers"]))
            for name, value in added.items():
                headers[name.decode()] = value.decode()
            policy = headers.get("content-security-policy", "")
            headers["content-security-policy"] = policy.replace("default-src 'self'", "default-src 'none'")
            message = {**message, "headers": headers.raw}
        await send(message)

    return sending
