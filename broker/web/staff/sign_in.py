"""The forms of signing in and out, and the pages that they stand on."""

from __future__ import annotations

from urllib.parse import parse_qs

from starlette.datastructures import FormData, Headers
from starlette.types import Scope

from broker import routes
from broker.domain.enquiries.stored_records import StorageError
from broker.domain.staff.accounts import MAX_NAME_LENGTH
from broker.services.staff.session_cookie import StaffCookies
from broker.services.staff.sign_in import STEP, CodeAsked, Denied, SignedIn
from broker.settings import Settings
from broker.web.forms.posts import Post, Sender
from broker.web.serving.response import Answer, Handler
from broker.web.staff.access import AWAY, AWAY_MORE, Staffed, local_staff_path, sign_in_address, who
from broker.web.staff.pages import Field, Form, answer, form, note, page

MAX_BYTES = 8 * 1024
"""Bytes of a form of the staff area."""

WAIT = "900"
"""Seconds after which an address that tried too often may try again."""

DONE = {
    "out": "You are signed out",
    "out-everywhere": "You are signed out on every computer and telephone",
}
"""What the sign-in says to whoever comes from signing out, by the word in its address."""

NOT_HERE = "The staff area is not open at this address"
NOT_HERE_MORE = (
    "It needs https, so that nobody on the way can read a password. Set BROKER_SITE_URL to the https address of the "
    "site; on your own machine use http://localhost."
)


class SignInPages:
    """Answers the forms of signing in and out, and draws their pages."""

    def __init__(self, staffed: Staffed, *, settings: Settings, firm: str) -> None:
        """Keep what signs in, and the name of the firm."""
        self._staffed, self._firm = staffed, firm
        self._cookies = StaffCookies(site_url=settings.site_url)

    def posts(self) -> dict[str, Post]:
        """Return what answers the forms, by the paths they are sent to."""
        answers = {
            "sign-in": self._sign_in,
            "code": self._code,
            "sign-out": self._sign_out,
            "sign-out-everywhere": self._sign_out_everywhere,
        }
        return {routes.STAFF_FORMS[name]: Post(answer=each, most=MAX_BYTES) for name, each in answers.items()}

    def handlers(self) -> dict[str, Handler]:
        """Return what answers for the pages."""
        return {routes.STAFF_SIGN_IN: self._page}

    async def _page(self, scope: Scope) -> Answer | None:
        headers = Headers(scope=scope)
        asked = parse_qs(scope.get("query_string", b"").decode("latin-1"), max_num_fields=9)
        to = local_staff_path(asked.get("to", [""])[0])
        if scope["path"] == routes.STAFF_SIGN_IN_CODE:
            ticket = self._cookies.value_in(_cookies(headers), self._cookies.step)
            return self._code_page(to) if self._staffed.staff.sign_in.awaits_code(ticket) else _go(sign_in_address(to))
        if scope["path"] != routes.STAFF_SIGN_IN:
            return None
        try:
            if await who(self._staffed, headers):
                return _go(to)
        except StorageError:
            return self._sign_in_page(to, headers, denied=Denied(words=AWAY, more=AWAY_MORE, status=503))
        return self._sign_in_page(to, headers, done=DONE.get(asked.get("done", [""])[0], ""))

    async def _sign_in(self, sent: FormData, sender: Sender) -> Answer:
        to, name, headers = local_staff_path(sent.get("to")), sent.get("name"), sender.headers
        if not self._cookies.may_be_set(headers.get("host", "")):
            return self._sign_in_page(to, headers)
        entry = self._staffed.staff.sign_in
        found = await entry.with_password(name, sent.get("password"), address=sender.address)
        if isinstance(found, Denied):
            return self._sign_in_page(to, headers, denied=found, name=str(name or "")[:MAX_NAME_LENGTH])
        if isinstance(found, CodeAsked):
            cookie = self._cookies.put(self._cookies.step, found.ticket, seconds=int(STEP.total_seconds()))
            return _go(sign_in_address(to, page=routes.STAFF_SIGN_IN_CODE), cookie)
        return await self._let_in(found, to, headers)

    async def _code(self, sent: FormData, sender: Sender) -> Answer:
        to = local_staff_path(sent.get("to"))
        ticket = self._cookies.value_in(_cookies(sender.headers), self._cookies.step)
        found = await self._staffed.staff.sign_in.with_code(ticket, sent.get("code"), address=sender.address)
        if isinstance(found, SignedIn):
            return await self._let_in(found, to, sender.headers)
        if self._staffed.staff.sign_in.awaits_code(ticket):
            return self._code_page(to, denied=found)
        return self._sign_in_page(to, sender.headers, denied=found)

    async def _let_in(self, found: SignedIn, to: str, headers: Headers) -> Answer:
        """Return the way on, with the new cookie; the session that the browser had before is over."""
        try:
            if before := await who(self._staffed, headers):
                await self._staffed.staff.sessions.end(before)
        except StorageError:
            pass  # it ends by itself
        cookies = self._cookies
        return _go(to, cookies.put(cookies.session, found.token), cookies.put(cookies.step, "", seconds=0))

    async def _sign_out(self, sent: FormData, sender: Sender) -> Answer:
        del sent
        return await self._out(sender, everywhere=False)

    async def _sign_out_everywhere(self, sent: FormData, sender: Sender) -> Answer:
        del sent
        return await self._out(sender, everywhere=True)

    async def _out(self, sender: Sender, *, everywhere: bool) -> Answer:
        gone = (self._cookies.put(name, "", seconds=0) for name in (self._cookies.session, self._cookies.step))
        try:
            if session := await who(self._staffed, sender.headers):
                await self._staffed.staff.sessions.end(session, everywhere=everywhere)
        except StorageError:
            text = note(AWAY, "You are not signed out yet. Please try again in a minute.")
            return answer(page("Sign out", text, firm=self._firm, is_wrong=True), status=503)
        return _go(f"{routes.STAFF_SIGN_IN}?done={'out-everywhere' if everywhere else 'out'}", *gone)

    def _sign_in_page(
        self, to: str, headers: Headers, *, denied: Denied | None = None, name: str = "", done: str = ""
    ) -> Answer:
        if not self._cookies.may_be_set(headers.get("host", "")):
            return answer(page("Sign in", note(NOT_HERE, NOT_HERE_MORE), firm=self._firm, is_wrong=True), status=403)
        plain = ' autocapitalize="none" spellcheck="false"'
        fields = (
            Field(name="name", label="Name", autocomplete="username", value=name, more=plain),
            Field(name="password", label="Password", autocomplete="current-password", kind="password"),
        )
        drawn = Form(action=routes.STAFF_FORMS["sign-in"], button="Sign in", fields=fields, hidden=(("to", to),))
        return self._shown("Sign in", form(drawn), denied=denied, done=done)

    def _code_page(self, to: str, *, denied: Denied | None = None) -> Answer:
        field = Field(
            name="code",
            label="Code",
            autocomplete="one-time-code",
            hint="Six digits from your authenticator, or one of your recovery codes",
            more=' spellcheck="false"',
        )
        drawn = Form(action=routes.STAFF_FORMS["code"], button="Go on", fields=(field,), hidden=(("to", to),))
        return self._shown("Enter your one-time code", form(drawn), denied=denied)

    def _shown(self, title: str, content: str, *, denied: Denied | None, done: str = "") -> Answer:
        said = note(denied.words, f"{denied.more}.") if denied else note(done, tone="good") if done else ""
        html = page(title, f'{said}<div class="panel">{content}</div>', firm=self._firm, is_wrong=denied is not None)
        shown = answer(html, status=denied.status if denied else 200)
        if shown.status == 429:
            return Answer(status=429, headers={**shown.headers, "retry-after": WAIT}, body=shown.body)
        return shown


def _go(address: str, *cookies: str) -> Answer:
    return Answer(status=303, headers={"location": address, "cache-control": "no-store"}, cookies=cookies)


def _cookies(headers: Headers) -> str:
    return ";".join(headers.getlist("cookie"))
