"""The page of a one-time link: an invited colleague, or one whose sign-in is reset, chooses a password."""

from dataclasses import replace

from starlette.datastructures import FormData, Headers
from starlette.types import Scope

from broker import routes
from broker.server.forms.posts import Post, Sender
from broker.server.paths import parameters_of
from broker.server.response import Answer, Handler
from broker.server.staff.own_account import PASSWORD_RULE, codes_setup
from broker.server.staff.pages import DATABASE_AWAY, Message, StaffPages, redirect
from broker.server.staff.sign_in import INSECURE_ADDRESS, MAX_FORM_BYTES, session_cookies
from broker.services import Services
from broker.settings import Settings
from broker.staff.agents import agent_words
from broker.staff.credentials import HashingBusyError
from broker.staff.sessions import StaffCookies
from broker.staff.sign_in import SignedIn
from broker.storage.errors import StorageError

TITLE = "Set up signing in"

NO_LINK = Message(
    title="This link no longer works",
    text="It works once, for 48 hours, and ends when a newer one is sent. Ask for a new one.",
)

_MAX_TOKEN = 100
"""Characters of a token that are read."""


class LinkPages:
    """Opening a link changes nothing: mail programs and scanners open links too."""

    def __init__(self, services: Services, *, settings: Settings, firm: str) -> None:
        self._services, self._pages = services, StaffPages(firm=firm)
        self._cookies = StaffCookies(site_url=settings.site_url)

    def posts(self) -> dict[str, Post]:
        return {routes.STAFF_FORMS["link"]: Post(answer=self._choose, max_bytes=MAX_FORM_BYTES)}

    def handlers(self) -> dict[str, Handler]:
        return {routes.STAFF_LINK: self._page}

    async def _page(self, scope: Scope) -> Answer:
        if not self._cookies.may_be_set(Headers(scope=scope).get("host", "")):
            return self._pages.problem(TITLE, INSECURE_ADDRESS, status=403)
        return await self._form(parameters_of(scope).get("link", ""), {})

    async def _form(self, token: str, errors: dict[str, str]) -> Answer:
        try:
            found = await self._services.staff.admin.linked(token[:_MAX_TOKEN]) if token else None
        except StorageError:
            return self._pages.problem(TITLE, DATABASE_AWAY)
        if found is None:
            return self._pages.problem(TITLE, NO_LINK, status=410, link=(routes.STAFF_SIGN_IN, "Sign in"))
        return self._pages.answer(
            "link",
            TITLE,
            message=Message(title=next(iter(errors.values()))) if errors else None,
            status=422 if errors else 200,
            account=found,
            link=token,
            password_rule=PASSWORD_RULE,
            errors={name: errors.get(name, "") for name in ("new", "again")},
        )

    async def _choose(self, form: FormData, sender: Sender) -> Answer:
        """Set the password, sign in, and go on to the set-up of one-time codes."""
        headers, given = sender.headers, form.get("link")
        token = given[:_MAX_TOKEN] if isinstance(given, str) else ""
        if not self._cookies.may_be_set(headers.get("host", "")):
            return self._pages.problem(TITLE, INSECURE_ADDRESS, status=403)
        staff, password = self._services.staff, form.get("new")
        try:
            account = await staff.admin.use_link(token, password, form.get("again"))
            if account is None or isinstance(account, dict):
                return await self._form(token, account or {})
            agent = agent_words(headers.get("user-agent", ""))
            signed_in = await staff.sign_in.with_password(account.name, password, address=sender.address, agent=agent)
            if not isinstance(signed_in, SignedIn):
                return redirect(routes.STAFF_SIGN_IN)
            session = await staff.sessions.for_own_account(f"{self._cookies.session}={signed_in.token}")
            secret = await staff.account.begin_codes(session, password=password) if session else b""
        except (StorageError, HashingBusyError):
            return self._pages.problem(TITLE, DATABASE_AWAY)
        cookies = session_cookies(self._cookies, signed_in)
        if session is None or not isinstance(secret, bytes):
            return redirect(routes.STAFF_ACCOUNT, *cookies)
        return replace(codes_setup(self._pages, session, secret), cookies=cookies)
