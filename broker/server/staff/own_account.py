"""The account page of staff: password, one-time codes, signing out everywhere."""

from datetime import datetime

from starlette.datastructures import FormData
from starlette.types import Scope

from broker import routes
from broker.server.forms.posts import Post, whole_number
from broker.server.paths import parameters_of
from broker.server.response import Answer, Handler
from broker.server.staff.access import staff_handlers
from broker.server.staff.pages import Message, StaffPages, qr_code, redirect
from broker.server.staff.sign_in import MAX_FORM_BYTES, look_cookies
from broker.services import Services
from broker.settings import Settings
from broker.staff.accounts import MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH, StaffSession
from broker.staff.authentication import AccountProblem
from broker.staff.credentials import provisioning_address, secret_text
from broker.staff.people import THEMES, Look, Passkey
from broker.staff.sessions import StaffCookies
from broker.staff.times import moment_words

TITLE = "Your account"
CHANGED = {
    "password": "Your password is changed, and you are signed out everywhere else",
    "codes-off": "One-time codes are off",
    "ended": "The session is ended",
    "gone": "That session had ended already",
    "look": "Kept with your account",
    "passkey": "The passkey is added",
    "passkey-removed": "The passkey no longer signs in",
}
"""Message of the page after a change, by the value of `done` in its URL."""

PASSWORD_RULE = f"{MIN_PASSWORD_LENGTH} to {MAX_PASSWORD_LENGTH} characters, a few words for example"
_PASSWORD_FIELDS = ("old", "new", "again", "password")
_NO_ERROR = AccountProblem(field="", words="")


class AccountPages:
    def __init__(self, services: Services, *, settings: Settings, firm: str) -> None:
        self._services, self._pages = services, StaffPages(firm=firm)
        self._for_staff = staff_handlers(services, self._pages, TITLE, back=routes.STAFF_ACCOUNT)
        self._cookies = StaffCookies(site_url=settings.site_url)
        self._codes_required = settings.staff_codes_required

    def posts(self) -> dict[str, Post]:
        actions = {
            "password": self._change_password,
            "codes": self._change_codes,
            "sessions": self._end_session,
            "look": self._change_look,
        }
        return self._for_staff.posts(actions, max_bytes=MAX_FORM_BYTES)

    def handlers(self) -> dict[str, Handler]:
        return {routes.STAFF_ACCOUNT: self._for_staff.page(routes.STAFF_ACCOUNT, self._page)}

    async def _page(self, session: StaffSession, scope: Scope) -> Answer:
        return await self._account(session, done=CHANGED.get(parameters_of(scope).get("done", ""), ""))

    async def _change_password(self, session: StaffSession, form: FormData) -> Answer:
        old, new, again = (form.get(name) for name in ("old", "new", "again"))
        token = await self._services.staff.account.change_password(session, old=old, new=new, again=again)
        if isinstance(token, AccountProblem):
            return await self._account(session, error=token)
        return redirect(f"{routes.STAFF_ACCOUNT}?done=password", self._cookies.put(self._cookies.session, token))

    async def _change_codes(self, session: StaffSession, form: FormData) -> Answer:
        action = form.get("act")
        if action == "begin":
            return await self._begin_codes(session, form)
        if action == "confirm":
            return await self._confirm_codes(session, form)
        error = await self._services.staff.account.remove_codes(session, password=form.get("password"))
        return (
            await self._account(session, error=error) if error else redirect(f"{routes.STAFF_ACCOUNT}?done=codes-off")
        )

    async def _begin_codes(self, session: StaffSession, form: FormData) -> Answer:
        secret = await self._services.staff.account.begin_codes(session, password=form.get("password"))
        if isinstance(secret, AccountProblem):
            return await self._account(session, error=secret)
        return codes_setup(self._pages, session, secret)

    async def _confirm_codes(self, session: StaffSession, form: FormData) -> Answer:
        account = self._services.staff.account
        outcome = await account.confirm_codes(session, code=form.get("code"))
        if isinstance(outcome, tuple):
            return self._pages.answer("recovery_codes", "One-time codes are on", codes=outcome)
        pending = (await account.codes(session)).pending
        if pending and outcome.field:
            return codes_setup(self._pages, session, pending, error=outcome)
        return await self._account(session, error=outcome)

    async def _end_session(self, session: StaffSession, form: FormData) -> Answer:
        """End another session of the account."""
        number = whole_number(form.get("session"))
        admin = self._services.staff.admin
        refused = await admin.end_sessions(session.account_id, number, who=session.name) if number else True
        return redirect(f"{routes.STAFF_ACCOUNT}?done={'gone' if refused else 'ended'}")

    async def _change_look(self, session: StaffSession, form: FormData) -> Answer:
        """Keep the theme and whether single keys work with the account, and in this browser."""
        theme = next((each for each in THEMES if each == form.get("theme")), "")
        look = Look(theme=theme, keys_off=form.get("keys") != "on")
        await self._services.staff.account.set_look(session, look)
        return redirect(f"{routes.STAFF_ACCOUNT}?done=look", *look_cookies(self._cookies, look, ends=True))

    async def _account(self, session: StaffSession, *, error: AccountProblem = _NO_ERROR, done: str = "") -> Answer:
        account, now = self._services.staff.account, self._services.staff.admin.now
        message = Message(title=error.words) if error.words else Message(title=done, tone="good") if done else None
        return self._pages.answer(
            "account",
            TITLE,
            message=message,
            status=422 if error.words else 200,
            name=session.name,
            codes=await account.codes(session),
            passkeys=[(each, _passkey_times(each, now)) for each in await self._services.staff.passkeys.of(session)],
            sessions=[
                (each, f"since {moment_words(each.started, now)}, last used {moment_words(each.touched, now)}")
                for each in await account.sessions(session)
            ],
            own_key=session.key,
            look=await account.look(session),
            themes=(("", "Like the system"), ("light", "Light"), ("dark", "Dark")),
            codes_required=self._codes_required and not session.has_two_factors,
            password_rule=PASSWORD_RULE,
            errors={name: error.words if error.field == name else "" for name in _PASSWORD_FIELDS},
        )


def _passkey_times(passkey: Passkey, now: datetime) -> str:
    used = f", used {moment_words(passkey.used, now)}" if passkey.used else ", not used yet"
    return f"added {moment_words(passkey.added, now)}{used}"


def codes_setup(
    pages: StaffPages, session: StaffSession, secret: bytes, *, error: AccountProblem = _NO_ERROR
) -> Answer:
    """Return the page that shows the secret of one-time codes and asks for the first of them."""
    address = provisioning_address(secret, account=session.name, issuer=pages.firm)
    return pages.answer(
        "codes_setup",
        "Set up one-time codes",
        status=422 if error.words else 200,
        qr_code=qr_code(address),
        secret=secret_text(secret),
        error=error.words,
    )
