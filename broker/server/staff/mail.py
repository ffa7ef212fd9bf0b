"""The staff page of mail: what waits, what was given up, and a button that tries again."""

from dataclasses import dataclass
from datetime import datetime

from starlette.datastructures import FormData
from starlette.types import Scope

from broker import routes
from broker.enquiries.contact_details import MAX_EMAIL
from broker.mail.mail import KIND_WORDS, LATE, NO_KEY, SUPPRESSED, UNWRITTEN, UnsentMail
from broker.server.forms.posts import Post
from broker.server.response import Answer, Handler
from broker.server.staff.access import staff_handlers
from broker.server.staff.pages import Message, StaffPages, redirect
from broker.server.staff.sign_in import MAX_FORM_BYTES
from broker.services import Services
from broker.staff.accounts import StaffSession
from broker.staff.times import clock, moment_words

TITLE = "Mail"

_PROBLEMS = {
    SUPPRESSED: "Mail to this address comes back, so none is sent",
    LATE: "Five days old: it would be late news",
    NO_KEY: "Encrypted with a key that the server no longer has",
    UNWRITTEN: "It could not be written, which is a fault of the site: please report it",
}

_MESSAGES = {
    b"done": Message(title="All that waits is tried again now", text="Load this page again in a minute.", tone="good"),
    b"lifted": Message(title="The next mail to that address is sent", text="Earlier ones are not.", tone="good"),
}
"""What a form has done, by the query of the page."""

_NOT_SUPPRESSED = "No mail has come back from this address. Check its spelling"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Line:
    kind: str
    words: str
    problem: str


class MailPages:
    """Nothing on the page is personal: no address, and no text of a mail."""

    def __init__(self, services: Services, *, firm: str, has_server: bool) -> None:
        self._services, self._pages, self._has_server = services, StaffPages(firm=firm), has_server

    def posts(self) -> dict[str, Post]:
        link = (routes.STAFF_MAIL, "Back to the mail")
        staff = staff_handlers(self._services, self._pages, TITLE, back=routes.STAFF_MAIL, link=link)
        return staff.posts({"mail": self._retry, "lift-address": self._lift}, max_bytes=MAX_FORM_BYTES)

    def handlers(self) -> dict[str, Handler]:
        staff = staff_handlers(self._services, self._pages, TITLE, back=routes.STAFF_MAIL)
        return {routes.STAFF_MAIL: staff.page(routes.STAFF_MAIL, self._page)}

    async def _page(self, _session: StaffSession, scope: Scope) -> Answer:
        return await self._drawn(message=_MESSAGES.get(scope.get("query_string", b"")))

    async def _drawn(self, *, message: Message | None = None, address: str = "", problem: str = "") -> Answer:
        """Return the page with an address that was typed and what is wrong with it; raises StorageError."""
        mails, now = await self._services.mail.unsent(), self._services.mail.now
        return self._pages.answer(
            "mail",
            TITLE,
            message=message,
            status=422 if problem else 200,
            address=address,
            problem=problem,
            has_server=self._has_server,
            waiting=[_waiting(each, now) for each in mails.waiting],
            given_up=[_given_up(each, now) for each in mails.given_up],
            count_waiting=mails.count_waiting,
            count_given_up=mails.count_given_up,
        )

    async def _retry(self, session: StaffSession, _form: FormData) -> Answer:
        await self._services.mail.retry(who=session.name)
        return redirect(f"{routes.STAFF_MAIL}?done")

    async def _lift(self, session: StaffSession, form: FormData) -> Answer:
        given = form.get("address")
        address = given.strip()[:MAX_EMAIL] if isinstance(given, str) else ""
        if not await self._services.mail.lift(address, who=session.name):
            return await self._drawn(
                message=Message(title="There is a problem: see below"), address=address, problem=_NOT_SUPPRESSED
            )
        return redirect(f"{routes.STAFF_MAIL}?lifted")


def _waiting(mail: UnsentMail, now: datetime) -> _Line:
    tries = f"tried {_times(mail.attempts)}, again at {clock(mail.due)}" if mail.attempts else "not tried yet"
    words = f"Waits since {moment_words(mail.created, now)}, {tries}."
    return _Line(kind=KIND_WORDS[mail.kind], words=words, problem=_problem(mail.problem))


def _given_up(mail: UnsentMail, now: datetime) -> _Line:
    ended = moment_words(mail.given_up_at or mail.created, now)
    words = f"Written {moment_words(mail.created, now)}, tried {_times(mail.attempts)}, given up {ended}."
    return _Line(kind=KIND_WORDS[mail.kind], words=words, problem=_problem(mail.problem))


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count:,} times"


def _problem(problem: str) -> str:
    """Return a problem in words, empty for none."""
    if not problem or problem in _PROBLEMS:
        return _PROBLEMS.get(problem, "")
    return f"The mail server answered {problem}" if problem.isdigit() else f"The mail server gave no answer ({problem})"
