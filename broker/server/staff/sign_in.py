"""The forms of signing in and out, and their pages."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from functools import partial
from urllib.parse import parse_qs

from starlette.datastructures import FormData, Headers
from starlette.types import Scope

from broker import routes
from broker.server.forms.posts import Post, Sender
from broker.server.response import Answer, Handler
from broker.server.staff.access import cookie_header, local_staff_path, own_session, sign_in_path
from broker.server.staff.pages import DATABASE_AWAY, Message, StaffPages, redirect
from broker.services import Services
from broker.settings import Settings
from broker.staff.accounts import MAX_NAME_LENGTH
from broker.staff.agents import agent_words
from broker.staff.people import Look
from broker.staff.sessions import KEYS_COOKIE, THEME_COOKIE, StaffCookies
from broker.staff.sign_in import CODE_TIMEOUT, DEVICE_LIFETIME, CodeRequired, SignedIn, SignInDenied
from broker.storage.errors import StorageError

MAX_FORM_BYTES = 8 * 1024
"""Bytes of a form of the staff area."""

RETRY_AFTER_SECONDS = 900
"""Seconds until the next attempt after too many."""

SIGNED_OUT = {"out": "You are signed out", "out-everywhere": "You are signed out on every computer and telephone"}
"""Message of the sign-in page after signing out, by the value of `done` in its URL."""

SESSION_OVER = Message(
    title="You are signed out",
    text=(
        "Your session has ended, or an owner ended it, changed your role or disabled your account. Sign in to go on "
        "where you were; ask an owner if that is refused."
    ),
)
INSECURE_ADDRESS = Message(
    title="The staff area is not open at this address",
    text=(
        "It needs https, so that nobody on the way can read a password. Set BROKER_SITE_URL to the https address of "
        "the site; on your own machine use http://localhost."
    ),
)
_STILL_SIGNED_IN = Message(title=DATABASE_AWAY.title, text="You are not signed out yet. Please try again in a minute.")


class SignInPages:
    def __init__(self, services: Services, *, settings: Settings, firm: str) -> None:
        self._services, self._pages = services, StaffPages(firm=firm)
        self._cookies = StaffCookies(site_url=settings.site_url)

    def posts(self) -> dict[str, Post]:
        answers = {
            "sign-in": self._sign_in,
            "code": self._code,
            "sign-out": partial(self._sign_out, everywhere=False),
            "sign-out-everywhere": partial(self._sign_out, everywhere=True),
        }
        return {routes.STAFF_FORMS[name]: Post(answer=each, max_bytes=MAX_FORM_BYTES) for name, each in answers.items()}

    def handlers(self) -> dict[str, Handler]:
        return dict.fromkeys((routes.STAFF_SIGN_IN, routes.STAFF_SIGN_IN_CODE), self._page)

    async def _page(self, scope: Scope) -> Answer:
        headers = Headers(scope=scope)
        query = parse_qs(scope.get("query_string", b"").decode("latin-1"), max_num_fields=9)
        next_path = local_staff_path(query.get("to", [""])[0])
        if scope["path"] == routes.STAFF_SIGN_IN_CODE:
            step_token = self._cookies.value_in(cookie_header(headers), self._cookies.step)
            if await self._services.staff.sign_in.awaits_code(step_token):
                return self._code_page(next_path)
            return redirect(sign_in_path(next_path))
        try:
            if await own_session(self._services, headers):
                return redirect(next_path)
        except StorageError:
            return self._sign_in_page(next_path, headers, message=DATABASE_AWAY, status=503)
        done = SIGNED_OUT.get(query.get("done", [""])[0])
        if not done and self._cookies.token_in(cookie_header(headers)):
            return self._sign_in_page(next_path, headers, message=SESSION_OVER)
        return self._sign_in_page(next_path, headers, message=Message(title=done, tone="good") if done else None)

    async def _sign_in(self, form: FormData, sender: Sender) -> Answer:
        next_path, name, headers = local_staff_path(form.get("to")), form.get("name"), sender.headers
        if not self._cookies.may_be_set(headers.get("host", "")):
            return self._sign_in_page(next_path, headers)
        service = self._services.staff.sign_in
        device, agent = self._device(headers), agent_words(headers.get("user-agent", ""))
        outcome = await service.with_password(
            name, form.get("password"), address=sender.address, device=device, agent=agent
        )
        if isinstance(outcome, SignInDenied):
            shown_name = str(name or "")[:MAX_NAME_LENGTH]
            return _refused(outcome, partial(self._sign_in_page, next_path, headers, name=shown_name))
        if isinstance(outcome, CodeRequired):
            cookie = self._cookies.put(
                self._cookies.step, outcome.step_token, seconds=int(CODE_TIMEOUT.total_seconds())
            )
            return redirect(sign_in_path(next_path, page=routes.STAFF_SIGN_IN_CODE), cookie)
        return await self._start_session(outcome, next_path, headers)

    async def _code(self, form: FormData, sender: Sender) -> Answer:
        next_path = local_staff_path(form.get("to"))
        step_token = self._cookies.value_in(cookie_header(sender.headers), self._cookies.step)
        service = self._services.staff.sign_in
        device, agent = self._device(sender.headers), agent_words(sender.headers.get("user-agent", ""))
        outcome = await service.with_code(
            step_token, form.get("code"), address=sender.address, device=device, agent=agent
        )
        if isinstance(outcome, SignedIn):
            return await self._start_session(outcome, next_path, sender.headers)
        if await service.awaits_code(step_token):
            return _refused(outcome, partial(self._code_page, next_path))
        return _refused(outcome, partial(self._sign_in_page, next_path, sender.headers))

    async def _start_session(self, signed_in: SignedIn, next_path: str, headers: Headers) -> Answer:
        """Redirect with the new session's cookie, and end the browser's previous session."""
        try:
            if previous := await own_session(self._services, headers):
                await self._services.staff.sessions.end(previous)
        except StorageError:
            pass  # it expires
        return redirect(next_path, *session_cookies(self._cookies, signed_in))

    def _device(self, headers: Headers) -> str:
        return self._cookies.value_in(cookie_header(headers), self._cookies.device)

    async def _sign_out(self, _form: FormData, sender: Sender, *, everywhere: bool) -> Answer:
        expired = (self._cookies.put(name, "", seconds=0) for name in (self._cookies.session, self._cookies.step))
        try:
            if session := await own_session(self._services, sender.headers):
                await self._services.staff.sessions.end(session, everywhere=everywhere)
        except StorageError:
            return self._pages.problem("Sign out", _STILL_SIGNED_IN)
        signed_out = redirect(f"{routes.STAFF_SIGN_IN}?done={'out-everywhere' if everywhere else 'out'}", *expired)
        return replace(signed_out, headers={**signed_out.headers, "clear-site-data": '"cache", "storage"'})

    def _sign_in_page(
        self, next_path: str, headers: Headers, *, message: Message | None = None, status: int = 200, name: str = ""
    ) -> Answer:
        if not self._cookies.may_be_set(headers.get("host", "")):
            return self._pages.problem("Sign in", INSECURE_ADDRESS, status=403)
        return self._pages.answer("sign_in", "Sign in", message=message, status=status, to=next_path, name=name)

    def _code_page(self, next_path: str, *, message: Message | None = None, status: int = 200) -> Answer:
        return self._pages.answer("code", "Enter your one-time code", message=message, status=status, to=next_path)


def session_cookies(cookies: StaffCookies, signed_in: SignedIn) -> tuple[str, ...]:
    """Return the cookies of a new session, and of what its account chose for every browser."""
    return (
        cookies.put(cookies.session, signed_in.token),
        cookies.put(cookies.step, "", seconds=0),
        cookies.put(cookies.device, signed_in.device, seconds=int(DEVICE_LIFETIME.total_seconds())),
        *look_cookies(cookies, signed_in.look, ends=False),
    )


def look_cookies(cookies: StaffCookies, look: Look, *, ends: bool) -> tuple[str, ...]:
    """Return the cookies that pages of the area read: the theme, and whether single keys work.

    With `ends`, what an account did not choose is deleted in this browser too.
    """
    year = int(timedelta(days=365).total_seconds())
    values = ((THEME_COOKIE, look.theme), (KEYS_COOKIE, "off" if look.keys_off else ""))
    return tuple(
        cookies.put_for_scripts(name, value, seconds=year if value else 0) for name, value in values if value or ends
    )


def _refused(denied: SignInDenied, page: Callable[..., Answer]) -> Answer:
    """Return a page with the reason of a refusal, and for 429 the time until the next attempt."""
    answer = page(message=Message(title=denied.words, text=f"{denied.more}."), status=denied.status)
    if answer.status == 429:
        return replace(answer, headers={**answer.headers, "retry-after": str(RETRY_AFTER_SECONDS)})
    return answer
