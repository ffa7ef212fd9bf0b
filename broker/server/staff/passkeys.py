"""Passkeys over HTTP: options as JSON for the script of a page, and the forms that it sends."""

import json

from starlette.datastructures import FormData

from broker import routes
from broker.server.forms.posts import Post, Sender, whole_number
from broker.server.response import Answer
from broker.server.staff.access import StaffHandlers, cookie_header, local_staff_path, sign_in_path, staff_handlers
from broker.server.staff.pages import DATABASE_AWAY, Message, StaffPages, redirect
from broker.server.staff.sign_in import RETRY_AFTER_SECONDS, session_cookies
from broker.services import Services
from broker.settings import Settings
from broker.staff.accounts import StaffSession
from broker.staff.agents import agent_words
from broker.staff.authentication import AccountProblem
from broker.staff.sessions import StaffCookies
from broker.staff.sign_in import TOO_MANY, SignedIn
from broker.storage.errors import StorageError

MAX_FORM_BYTES = 48 * 1024
"""Bytes of a form with what a browser answered, percent-encoded."""

_JSON = {"content-type": "application/json", "cache-control": "no-store"}


class PasskeyPosts:
    def __init__(self, services: Services, *, settings: Settings, firm: str) -> None:
        self._services, self._pages = services, StaffPages(firm=firm)
        self._cookies = StaffCookies(site_url=settings.site_url)

    def posts(self) -> dict[str, Post]:
        asking = {"passkey-ask": self._ask, "passkey-sign-in": self._sign_in}
        posts = {routes.STAFF_FORMS[name]: Post(answer=each, max_bytes=MAX_FORM_BYTES) for name, each in asking.items()}
        refused = _problem(403, "You are not signed in. Please load this page again")
        begin = StaffHandlers(services=self._services, refused=refused, away=_away)
        posts |= begin.posts({"passkey-begin": self._begin}, max_bytes=MAX_FORM_BYTES)
        staff = staff_handlers(self._services, self._pages, "Your account", back=routes.STAFF_ACCOUNT)
        actions = {"passkey-add": self._add, "passkey-remove": self._remove}
        return posts | staff.posts(actions, max_bytes=MAX_FORM_BYTES)

    async def _ask(self, _form: FormData, sender: Sender) -> Answer:
        try:
            options = await self._services.staff.passkeys.asking(sender.address)
        except StorageError as error:
            return _away(error)
        return Answer(status=200, headers=_JSON, body=options.encode()) if options else _problem(429, TOO_MANY)

    async def _sign_in(self, form: FormData, sender: Sender) -> Answer:
        headers, next_path = sender.headers, local_staff_path(form.get("to"))
        device = self._cookies.value_in(cookie_header(headers), self._cookies.device)
        outcome = await self._services.staff.sign_in.with_passkey(
            form.get("answer"), address=sender.address, device=device, agent=agent_words(headers.get("user-agent", ""))
        )
        if isinstance(outcome, SignedIn):
            return redirect(next_path, *session_cookies(self._cookies, outcome))
        message = Message(title=outcome.words, text=f"{outcome.more}.")
        return self._pages.problem(
            "Sign in", message, status=outcome.status, link=(sign_in_path(next_path), "Back to signing in")
        )

    async def _begin(self, session: StaffSession, form: FormData) -> Answer:
        """Answer the options of a new passkey, once the password is confirmed."""
        begun = await self._services.staff.account.begin_passkey(session, password=form.get("password"))
        if isinstance(begun, AccountProblem):
            return _problem(422, begun.words)
        return Answer(status=200, headers=_JSON, body=begun.encode())

    async def _add(self, session: StaffSession, form: FormData) -> Answer:
        problem = await self._services.staff.passkeys.add(session, form.get("answer"), form.get("passkey"))
        if problem:
            link = (routes.STAFF_ACCOUNT, "Back to your account")
            return self._pages.problem("Your account", Message(title=problem), status=422, link=link)
        return redirect(f"{routes.STAFF_ACCOUNT}?done=passkey")

    async def _remove(self, session: StaffSession, form: FormData) -> Answer:
        number = whole_number(form.get("number"))
        await self._services.staff.admin.remove_passkey(session.account_id, number, who=session.name)
        return redirect(f"{routes.STAFF_ACCOUNT}?done=passkey-removed")


def _problem(status: int, words: str) -> Answer:
    headers = _JSON | ({"retry-after": str(RETRY_AFTER_SECONDS)} if status == 429 else {})
    return Answer(status=status, headers=headers, body=json.dumps({"problem": words}).encode())


def _away(_error: Exception) -> Answer:
    return _problem(503, f"{DATABASE_AWAY.title}. {DATABASE_AWAY.text}")
