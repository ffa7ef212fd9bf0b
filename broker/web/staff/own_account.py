"""The page of one's own account: the password, one-time codes, signing out everywhere."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from dataclasses import replace
from html import escape
from typing import Any, TypeAlias
from urllib.parse import parse_qs

from starlette.datastructures import FormData, Headers
from starlette.types import Scope

from broker import routes
from broker.domain.enquiries.stored_records import StorageError
from broker.domain.staff.accounts import MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH, StaffSession
from broker.domain.staff.one_time_codes import provisioning_address, secret_shown
from broker.services.staff.own_account import CodesState, NotDone
from broker.services.staff.password_hashing import HashingBusyError
from broker.services.staff.session_cookie import StaffCookies
from broker.settings import Settings
from broker.web.forms.posts import Post, Sender
from broker.web.serving.response import Answer, Handler
from broker.web.staff.access import AWAY, AWAY_MORE, Staffed, sign_in_address, who
from broker.web.staff.pages import Field, Form, answer, form, note, page, panel, picture_of, words
from broker.web.staff.sign_in import MAX_BYTES

DONE = {
    "password": "Your password is changed, and you are signed out everywhere else",
    "codes-off": "One-time codes are off",
}
"""What the page says after a change, by the word in its address."""

NONE_WRONG = NotDone(field="", words="")

Act: TypeAlias = Callable[[StaffSession, FormData], Coroutine[Any, Any, Answer]]


class AccountPages:
    """Answers the forms of one's own account, and draws its page."""

    def __init__(self, staffed: Staffed, *, settings: Settings, firm: str) -> None:
        """Keep what changes accounts, and the name of the firm, which authenticators show."""
        self._staffed, self._firm = staffed, firm
        self._cookies = StaffCookies(site_url=settings.site_url)

    def posts(self) -> dict[str, Post]:
        """Return what answers the forms, by the paths they are sent to."""
        answers = {"password": self._password, "codes": self._codes}
        return {
            routes.STAFF_FORMS[name]: Post(answer=self._for_staff(each), most=MAX_BYTES)
            for name, each in answers.items()
        }

    def handlers(self) -> dict[str, Handler]:
        """Return what answers for the page."""
        return {routes.STAFF_ACCOUNT: self._page}

    def _for_staff(self, act: Act) -> Callable[[FormData, Sender], Coroutine[Any, Any, Answer]]:
        """Return what answers a form of somebody who is signed in; the door has asked before, and this asks again."""

        async def checked(sent: FormData, sender: Sender) -> Answer:
            try:
                session = await who(self._staffed, sender.headers)
                return await act(session, sent) if session else _go(sign_in_address(routes.STAFF_ACCOUNT))
            except (StorageError, HashingBusyError):
                return answer(page("Your account", note(AWAY, AWAY_MORE), firm=self._firm), status=503)

        return checked

    async def _page(self, scope: Scope) -> Answer | None:
        if scope["path"] != routes.STAFF_ACCOUNT:
            return None
        asked = parse_qs(scope.get("query_string", b"").decode("latin-1"), max_num_fields=9)
        done = DONE.get(asked.get("done", [""])[0], "")
        try:
            session = await who(self._staffed, Headers(scope=scope))
            return await self._account(session, done=done) if session else _go(sign_in_address(routes.STAFF_ACCOUNT))
        except StorageError:
            return answer(page("Your account", note(AWAY, AWAY_MORE), firm=self._firm), status=503)

    async def _password(self, session: StaffSession, sent: FormData) -> Answer:
        old, new, again = (sent.get(name) for name in ("old", "new", "again"))
        done = await self._staffed.staff.account.change_password(session, old=old, new=new, again=again)
        if isinstance(done, NotDone):
            return await self._account(session, wrong=done)
        return _go(f"{routes.STAFF_ACCOUNT}?done=password", self._cookies.put(self._cookies.session, done))

    async def _codes(self, session: StaffSession, sent: FormData) -> Answer:
        act = sent.get("act")
        if act == "begin":
            return await self._begin(session, sent)
        if act == "confirm":
            return await self._confirm(session, sent)
        wrong = await self._staffed.staff.account.remove_codes(session, password=sent.get("password"))
        return await self._account(session, wrong=wrong) if wrong else _go(f"{routes.STAFF_ACCOUNT}?done=codes-off")

    async def _begin(self, session: StaffSession, sent: FormData) -> Answer:
        begun = await self._staffed.staff.account.begin_codes(session, password=sent.get("password"))
        if isinstance(begun, NotDone):
            return await self._account(session, wrong=begun)
        return self._secret(session, begun)

    async def _confirm(self, session: StaffSession, sent: FormData) -> Answer:
        own = self._staffed.staff.account
        confirmed = await own.confirm_codes(session, code=sent.get("code"))
        if isinstance(confirmed, tuple):
            return self._recovery_codes(confirmed)
        pending = (await own.codes(session)).pending
        if pending and confirmed.field:
            return self._secret(session, pending, wrong=confirmed)
        return await self._account(session, wrong=confirmed)

    async def _account(self, session: StaffSession, *, wrong: NotDone = NONE_WRONG, done: str = "") -> Answer:
        codes = await self._staffed.staff.account.codes(session)
        said = note(wrong.words) if wrong.words else note(done, tone="good") if done else ""
        content = (
            f"{said}<p>You are signed in as <strong>{escape(session.name)}</strong>. "
            f'<a href="{routes.STAFF}">Back to the staff area</a></p>'
            f"{_password_panel(session.name, wrong)}{_codes_panel(codes, wrong, session.name)}{_sign_out_panel()}"
        )
        html = page("Your account", content, firm=self._firm, is_wrong=bool(wrong.words))
        return answer(html, status=422 if wrong.words else 200)

    def _secret(self, session: StaffSession, secret: bytes, *, wrong: NotDone = NONE_WRONG) -> Answer:
        field = Field(
            name="code",
            label="The code that your authenticator shows",
            autocomplete="one-time-code",
            more=' inputmode="numeric"',
            problem=wrong.words,
        )
        hidden = (("act", "confirm"),)
        confirm = Form(action=routes.STAFF_FORMS["codes"], button="Confirm", fields=(field,), hidden=hidden)
        content = panel(
            "Add this to your authenticator",
            words("Take a picture of the code with the authenticator on your telephone, or enter the letters by hand."),
            picture_of(provisioning_address(secret, account=session.name, issuer=self._firm)),
            f'<p class="text-width"><strong>{secret_shown(secret)}</strong></p>',
            form(confirm),
            f'<p><a href="{routes.STAFF_ACCOUNT}">Back to your account, without them</a></p>',
        )
        html = page("Set up one-time codes", content, firm=self._firm, is_wrong=bool(wrong.words))
        return answer(html, status=422 if wrong.words else 200)

    def _recovery_codes(self, codes: tuple[str, ...]) -> Answer:
        listed = "".join(f"<li><strong>{code}</strong></li>" for code in codes)
        content = panel(
            "Keep these recovery codes",
            words(
                "Each signs you in once, where your authenticator is lost. Print them, or keep them in your password "
                "manager. They are not shown again."
            ),
            f"<ul>{listed}</ul>",
            f'<p><a class="btn" href="{routes.STAFF_ACCOUNT}">I have kept them</a></p>',
        )
        return answer(page("One-time codes are on", content, firm=self._firm))


def _password_panel(name: str, wrong: NotDone) -> str:
    rule = f"{MIN_PASSWORD_LENGTH} to {MAX_PASSWORD_LENGTH} characters, a few words for example"
    fields = (
        Field(name="old", label="Your password now", autocomplete="current-password", kind="password"),
        Field(name="new", label="New password", autocomplete="new-password", kind="password", hint=rule),
        Field(name="again", label="New password again", autocomplete="new-password", kind="password"),
    )
    told = tuple(_told(field, wrong) for field in fields)
    drawn = Form(action=routes.STAFF_FORMS["password"], button="Change it", fields=told, account=name)
    return panel("Password", form(drawn))


def _codes_panel(codes: CodesState, wrong: NotDone, name: str) -> str:
    field = Field(name="password", label="Your password", autocomplete="current-password", kind="password")
    act, button = ("remove", "Turn them off") if codes.are_on else ("begin", "Set them up")
    left = f"They are on. You have {codes.recovery_left} recovery codes left."
    off = "With them a password alone signs nobody in: a code of your telephone is asked for too."
    drawn = Form(
        action=routes.STAFF_FORMS["codes"],
        button=button,
        fields=(_told(field, wrong),),
        hidden=(("act", act),),
        account=name,
        look="line" if codes.are_on else "",
    )
    return panel("One-time codes", words(left if codes.are_on else off), form(drawn))


def _sign_out_panel() -> str:
    here = Form(action=routes.STAFF_FORMS["sign-out"], button="Sign out", look="line")
    everywhere = Form(action=routes.STAFF_FORMS["sign-out-everywhere"], button="Sign out everywhere", look="line")
    return panel("Sign out", form(here), form(everywhere))


def _told(field: Field, wrong: NotDone) -> Field:
    return replace(field, problem=wrong.words) if wrong.field == field.name else field


def _go(address: str, *cookies: str) -> Answer:
    return Answer(status=303, headers={"location": address, "cache-control": "no-store"}, cookies=cookies)
