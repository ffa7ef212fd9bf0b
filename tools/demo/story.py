"""Three months of the made-up firm: its staff, cases, appointments, watches, complaints, logos and visitors."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from functools import partial
from random import Random
from typing import TypeVar

from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlmodel import col

from broker.analytics.count_store import CountStore
from broker.analytics.counted import Counted
from broker.appointments.appointment import SLOT, AppointmentChanged, Medium, StoredAppointment
from broker.appointments.slots import Absence, AdviserHours, TimeRange
from broker.appointments.store import AppointmentStore
from broker.cases.case import Case, Changed, Conflict, Gone, ManyChanged, Outcome, Refused
from broker.cases.changes import CallRecord
from broker.cases.replies import ReplyTemplate
from broker.clock import UK, uk_date
from broker.duties.complaint import Complaint, NotDone, Overtaken
from broker.duties.support_needs import AGREED, NEEDS, CaseNeeds, Need
from broker.enquiries.enquiry import Attachment, EnquiryKind, EnquiryState, attachment
from broker.enquiries.service import EnquiryReceipt, EnquiryRefused, Submission
from broker.mail.mail import MailKind
from broker.mail.outbox_store import MailCipher
from broker.server.result_pdfs import document_at
from broker.staff.account_store import StaffStore
from broker.staff.audit import COMMAND_LINE, Act, AuditEntry
from broker.staff.credentials import PasswordHashes
from broker.staff.diary_workflow import ADVISER
from broker.staff.roles import Role
from broker.storage.database import Database
from broker.storage.encryption import SecretKeys
from broker.storage.tables import MailRow, StaffRow
from broker.watches.service import WatchRefused, WatchSubmission
from broker.watches.watch import Tell, tell_field
from tools.demo.cases import Step, steps_of
from tools.demo.clients import AGAIN, WEEKS, Client, clients, telephone
from tools.demo.firm import Firm, Story
from tools.demo.pictures import logo

OWNER, ADVISERS, CONTENT, LOGOS = "olga", ("ada", "ben"), "dora", "eli"
ACCOUNTS: Mapping[str, Role] = {
    OWNER: Role.OWNER,
    **dict.fromkeys(ADVISERS, Role.ADVISER),
    CONTENT: Role.CONTENT,
    LOGOS: Role.LOGOS,
}

_PEOPLE = {"olga": "Olga Owner", "ada": "Ada Pattern", "ben": "Ben Template", "dora": "Dora Draft", "eli": "Eli Emblem"}
_REPLY = "Papers we need"
"""The template of a reply (migration 0016)."""

_TEXT_VERSION = "2026-03"
_MORNING, _AFTERNOON = TimeRange(opens=time(9), closes=time(12, 40)), TimeRange(opens=time(13, 20), closes=time(17, 40))
_HOURS = {
    "ada": AdviserHours(ranges={**dict.fromkeys(range(4), (_MORNING, _AFTERNOON)), 4: (_AFTERNOON,)}),
    "ben": AdviserHours(ranges={0: (_AFTERNOON,), 2: (_MORNING,), **dict.fromkeys((3, 4), (_MORNING, _AFTERNOON))}),
}
_BOOKED_BEFORE = timedelta(days=7)
"""How long before the end the appointments are booked that are left to record: bank holidays are in between."""

_LOGOS_WITHOUT = 12
"""Lenders that are left without a logo."""

_WATCHES = 18

_VISITS: Mapping[Counted, float] = {
    Counted.HOME: 60,
    Counted.RATES: 48,
    Counted.GUIDE: 40,
    Counted.TOWN: 22,
    Counted.CALCULATOR: 30,
    Counted.SEARCH: 52,
    Counted.PLAN_ANSWERED: 14,
    Counted.QUESTIONNAIRE_STARTED: 8,
    Counted.QUESTIONNAIRE_FINISHED: 4,
}
"""Usual counts of a working day."""

_COMPLAINTS: tuple[tuple[int, Mapping[str, str], tuple[tuple[int, str], ...], str], ...] = (
    (
        63,
        {"name": "G. Imagined", "subject": "service", "cause": "manner", "about": "Manner on the telephone"},
        ((62, "summary"),),
        "upheld",
    ),
    (
        52,
        {"name": "K. Invented", "subject": "service", "cause": "delay", "about": "Valuation booked late"},
        ((51, "acknowledgement"),),
        "",
    ),
    (
        20,
        {"name": "P. Anybody", "subject": "data", "cause": "data", "about": "Asked for deletion twice"},
        ((17, "acknowledgement"),),
        "",
    ),
    (1, {"name": "E. Dummy", "subject": "service", "cause": "advice", "about": "A lower rate was missed"}, (), ""),
)
"""Complaints: days ago, their form, their letters with days ago, and the outcome of one that is closed."""

Result = TypeVar("Result")


class DemoError(Exception):
    """A use case refused a step of the story: a fault of the demo."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stores:
    database: Database
    keys: SecretKeys


def _done(result: Result) -> Result:
    """Return what a use case returned; raises DemoError for a refusal."""
    if isinstance(result, Refused | Conflict | Gone | NotDone | Overtaken | EnquiryRefused | WatchRefused | tuple):
        raise DemoError(str(result))
    if isinstance(result, ManyChanged) and result.left:
        raise DemoError(str(result.left))
    return result


class Demo:
    def __init__(self, firm: Firm, stores: Stores, story: Story, *, now: datetime, seed: int) -> None:
        self._firm, self._stores, self._story, self._now = firm, stores, story, now
        self._random = Random(seed)
        self._services = firm.services
        self._references: dict[int, str] = {}
        """References by the number of the client."""
        self._open: dict[str, str] = {}
        """Advisers of the cases that are under way, by reference."""
        self._to_record: set[str] = set()
        """References of cases whose appointment is over at the end and has no outcome."""

    async def tell(self, password: str) -> None:
        """Make everything, in the order of its times."""
        await self._staff(password)
        for client in clients(self._random, self._now, self._firm.week):
            if client.is_caller:
                self._story.at(self._working(client.received), partial(self._telephone, client))
            else:
                self._story.at(client.received, partial(self._enquire, client))
        for number in range(_WATCHES):
            self._watch(number)
        for days, form, letters, outcome in _COMPLAINTS:
            self._story.at(self._ago(days), partial(self._complain, days, form, letters, outcome))
        self._logos()
        await self._visitors()
        self._story.at(_at(self._day(self._now.astimezone(UK).weekday() - 1), "00:30"), self._plan_yesterday)
        self._story.at(self._now - timedelta(minutes=70), self._plan_today)
        for name in ADVISERS:
            self._story.at(self._now - _BOOKED_BEFORE, partial(self._book_to_record, name))
        await self._story.run(self._now)

    async def _staff(self, password: str) -> None:
        store, diary = StaffStore(self._stores.database), AppointmentStore(self._stores.database, self._stores.keys)
        at = self._story.now
        with PasswordHashes() as hashes:
            for name, role in ACCOUNTS.items():
                entry = AuditEntry(at=at, who=COMMAND_LINE, what=Act.ACCOUNT_ADDED, about=name)
                await store.add(name, await hashes.hash(password), role=role, entry=entry)
        await self._stores.database.write(_name_people)
        for name in ADVISERS:
            await diary.set_hours(name, _HOURS[name], who=name, at=at)
        friday, leave = self._day(4 + 7 * (self._now.astimezone(UK).weekday() > 2)), self._day(25)
        absences = {
            "ada": Absence(start=_at(friday, "13:20"), end=_at(friday, "17:40")),
            "ben": Absence(start=_at(leave, "00:00"), end=_at(leave + timedelta(days=5), "00:00")),
        }
        for name, absence in absences.items():
            moment = self._now - timedelta(days=2)
            self._story.at(moment, partial(diary.add_absence, name, absence, who=name, at=moment))

    def _day(self, days: int) -> date:
        """Return a day, counted from this week's Monday."""
        today = uk_date(self._now)
        return today + timedelta(days=days - today.weekday())

    def _ago(self, days: int) -> datetime:
        """Return a time in the morning some days ago."""
        return self._working(_at(uk_date(self._now) - timedelta(days=days), "09:30"))

    def _working(self, moment: datetime) -> datetime:
        """Return a moment, or the next one at which the firm is open."""
        return self._firm.week.after_hours(moment, timedelta(minutes=1))

    async def _enquire(self, client: Client) -> None:
        slot = await self._slot(client)
        receipt = await self._services.enquiries.submit(
            Submission(
                kind=EnquiryKind.CONTACT if client.message else EnquiryKind.CALLBACK,
                given={**client.form, **({SLOT: slot} if slot else {})},
                page=client.page,
                text_version=_TEXT_VERSION,
                address=f"192.0.2.{client.number}",
                came_from=client.came_from,
                attachment=await self._attachment(client),
            )
        )
        if not isinstance(receipt, EnquiryReceipt):
            raise DemoError(str(receipt))
        self._references[client.number] = receipt.reference
        self._work(client, receipt.reference, has_slot=bool(slot))

    async def _telephone(self, client: Client) -> None:
        """Let an adviser enter a client who telephones, and go on with the case."""
        adviser = ADVISERS[client.number % len(ADVISERS)]
        given = {**client.form, "amount": str(client.loan), "note": client.message, "service": "other"}
        done = _done(await self._services.cases.add_caller(given, who=adviser))
        if isinstance(done, Changed):
            reference = self._references[client.number] = done.case.head.reference
            self._open[reference] = adviser
            self._go_on(client, reference, adviser, self._story.now, steps_of(client)[1:])

    async def _attachment(self, client: Client) -> Attachment | None:
        return attachment(await document_at(client.result)) if client.result else None

    async def _slot(self, client: Client) -> str:
        """Return one of the free times for some of the clients, empty for the others; those of late fill this week."""
        is_late = self._now - client.received < timedelta(days=14)
        if client.number % (3 if not is_late else 5) == (0 if is_late else 1):
            return ""
        offered = await self._services.appointments.offered(20, Medium.TELEPHONE)
        if not is_late:
            return self._random.choice(offered[:80]).value if offered and client.number % 3 == 0 else ""
        this_week = [
            each for each in offered if _at(self._day(0), "00:00") <= each.start <= self._now + timedelta(days=6)
        ]
        return self._random.choice(this_week or offered).value if offered else ""

    def _work(self, client: Client, reference: str, *, has_slot: bool) -> None:
        """Let an adviser take a case and work on it; the last clients of all wait for somebody."""
        if self._now - client.received < timedelta(hours=2):
            return
        adviser = ADVISERS[client.number % len(ADVISERS)]
        minutes = self._random.randrange(10, 140) if self._random.random() < 0.88 else self._random.randrange(600, 900)
        moment = self._firm.week.after_hours(client.received, timedelta(minutes=minutes))
        self._story.at(moment, partial(self._take, reference, adviser))
        if has_slot:
            self._story.at(moment, partial(self._keep, reference, adviser, missed=client.luck < 0.3))
        self._go_on(client, reference, adviser, moment, steps_of(client))
        if client.number == min(AGAIN):
            into = self._references[AGAIN[client.number]]
            self._story.at(moment + timedelta(minutes=6), partial(self._merge, reference, into, adviser))

    def _go_on(self, client: Client, reference: str, adviser: str, moment: datetime, steps: Sequence[Step]) -> None:
        if client.number in AGAIN:
            return  # the case of the first time goes on
        if client.number % 9 == 4:
            need = tuple(Need)[client.number % 4]
            self._story.at(moment + timedelta(minutes=12), partial(self._record_need, reference, adviser, need))
        pace = self._random.uniform(0.9, 1.7)
        for step in steps:
            moment = self._working(moment + timedelta(days=step.days * pace, minutes=self._random.randrange(50)))
            self._story.at(moment, partial(self._step, reference, adviser, step))
            if step.outcome is Outcome.ADVICE_GIVEN and client.email and client.number % 2:
                self._story.at(moment + timedelta(minutes=9), partial(self._reply, reference, adviser))

    async def _record_need(self, reference: str, adviser: str, need: Need) -> None:
        needs = self._services.duties.needs
        held = _done(await needs.find(reference))
        if isinstance(held, CaseNeeds):
            form = {NEEDS: need.value, AGREED: "yes"}
            _done(await needs.record(reference, form, version=held.version, who=adviser))

    async def _merge(self, reference: str, into: str, adviser: str) -> None:
        _done(await self._services.cases.merge(reference, into, who=adviser))
        self._open.pop(reference, None)

    async def _reply(self, reference: str, adviser: str) -> None:
        cases = self._services.cases
        template = await self._template()
        words = template.text.replace("{papers}", "payslips and bank statements")
        text = await cases.filled(reference, words, who=adviser)
        _done(await cases.reply(reference, template, text, who=adviser))

    async def _template(self) -> ReplyTemplate:
        found = await self._services.cases.templates()
        if isinstance(found, Refused):
            raise DemoError(found.words)
        return next(each for each in found if each.name == _REPLY)

    async def _take(self, reference: str, adviser: str) -> None:
        _done(await self._services.cases.take(reference, who=adviser))
        self._open[reference] = adviser

    async def _step(self, reference: str, adviser: str, step: Step) -> None:
        if reference in self._to_record:
            return
        cases = self._services.cases
        version = (await self._case(reference, adviser)).head.version
        if step.outcome:
            call = CallRecord(outcome=step.outcome, note=step.note, reason=step.reason)
            done = _done(await cases.record(reference, call, version=version, who=adviser))
            if isinstance(done, Changed) and done.case.head.state is EnquiryState.CLOSED:
                self._open.pop(reference, None)
        elif step.stage:
            stage, waiting = step.stage, step.waiting_for
            _done(
                await cases.set_stage(
                    reference, stage, waiting_for=waiting, note=step.note, version=version, who=adviser
                )
            )
            due = self._working(self._story.now + timedelta(days=9))
            _done(await cases.set_due([reference], due, who=adviser, action=f"Ask for the {step.note}"))
        elif step.reason:
            _done(await cases.close([reference], step.reason, who=adviser))
            self._open.pop(reference, None)

    async def _case(self, reference: str, who: str) -> Case:
        case = await self._services.cases.open(reference, who=who)
        if not isinstance(case, Case):
            raise DemoError(f"{reference}: {case}")
        return case

    async def _keep(self, reference: str, adviser: str, *, missed: bool) -> None:
        """Let an appointment be held or missed once it is over."""
        booked = await self._services.appointments.of_enquiry(reference)
        if not isinstance(booked, StoredAppointment):
            return
        appointment = booked.appointment

        async def close() -> None:
            state = "missed" if missed else "held"
            await self._services.diary.close(appointment.id, appointment.sequence, state, who=adviser)

        self._story.at(appointment.slot.end + timedelta(minutes=5), close)

    async def _book_to_record(self, adviser: str) -> None:
        """Book an adviser's last free time before the end for a case, of which nothing is recorded after it."""
        diary = self._services.diary
        free = await diary.free(adviser, 20, Medium.TELEPHONE)
        over = [each for each in free if each.end <= self._now - timedelta(minutes=30)]
        for reference in [each for each, who in self._open.items() if who == adviser]:
            had = await self._services.appointments.of_enquiry(reference)
            case = await diary.bookable(reference)
            if over and case and not isinstance(had, StoredAppointment):
                booked = await diary.book(case, {ADVISER: adviser, "slot": over[-1].value}, who=adviser)
                if not isinstance(booked, AppointmentChanged):
                    raise DemoError(str(booked))
                self._to_record.add(reference)
                del self._open[reference]
                return
        raise DemoError(f"{adviser} has no appointment to record")

    async def _plan_yesterday(self) -> None:
        """Let two cases be due, which nobody will do in time."""
        day = uk_date(self._story.now)
        await self._due([_at(day, "10:30"), _at(day, "15:30")], "Send the decision letter")

    async def _plan_today(self) -> None:
        """Let some cases be due in the next hours of work."""
        hours = (0.2, 1, 2, 3, 4.5, 6)
        times = [self._firm.week.after_hours(self._now, timedelta(hours=each)) for each in hours]
        await self._due(times, "Ask for payslips")

    async def _due(self, times: list[datetime], action: str) -> None:
        chosen = self._random.sample(list(self._open), min(len(times), len(self._open)))
        for reference, moment in zip(chosen, times, strict=False):
            who = self._open.pop(reference)
            _done(await self._services.cases.set_due([reference], moment, who=who, action=action))

    def _watch(self, number: int) -> None:
        started = self._ago(3 + number * 4)
        ends = self._now.date() + timedelta(days=20 + (number * 53) % 340)
        given = {
            "balance": f"{120_000 + number * 7_250}",
            "value": f"{260_000 + number * 9_000}",
            "term": "19",
            "rate": "1.6",
            "end": ends.isoformat(),
            "followOn": "7.99",
            "charge": "percent",
            "chargePercent": "1",
            **{tell_field(tell): "yes" for tell in (Tell.WINDOW, Tell.THREE_MONTHS, Tell.ONE_MONTH)},
            "email": f"watch.{number}@example.com",
            **({"telephone": telephone(400 + number), "mayCall": "yes"} if number % 3 else {}),
        }
        sent = WatchSubmission(given=given, page="/plan/remortgaging/watch/", address=f"198.51.100.{number}")

        async def start() -> None:
            _done(await self._services.watches.start(sent))

        async def confirm() -> None:
            _done(await self._services.watches.confirm(await self._link(str(given["email"]))))

        self._story.at(started, start)
        if number % 9:
            self._story.at(started + timedelta(minutes=7), confirm)

    async def _link(self, email: str) -> str:
        """Return the link of the mail that confirms a watch."""
        cipher = MailCipher(self._stores.keys)
        wanted = select(MailRow).where(col(MailRow.kind) == MailKind.WATCH_CONFIRM.value)
        wanted = wanted.where(col(MailRow.digest).in_(cipher.digests(email)))
        row = await self._stores.database.read(lambda connection: connection.execute(wanted))
        return cipher.context(row.one())["link"]

    async def _complain(
        self, days: int, form: Mapping[str, str], letters: tuple[tuple[int, str], ...], outcome: str
    ) -> None:
        today = uk_date(self._now)
        number = len(form["name"]) + days
        contact = {"telephone": telephone(500 + number), "assigned": OWNER}
        given = {**form, **contact, "received": (today - timedelta(days=days)).isoformat()}
        complaints = self._services.duties.complaints
        complaint = _complaint(_done(await complaints.add(given, who=OWNER)))
        for ago, letter in letters:
            sent = {"letter": letter, "sent": (today - timedelta(days=ago)).isoformat()}
            self._story.at(self._ago(ago), partial(self._write, complaint.number, sent, outcome))

    async def _write(self, number: int, letter: Mapping[str, str], outcome: str) -> None:
        complaints = self._services.duties.complaints
        complaint = _complaint(_done(await complaints.open(number, who=OWNER)))
        complaint = _complaint(_done(await complaints.add_letter(complaint, letter, who=OWNER)))
        if outcome:
            ending = {"outcome": outcome, "closed": letter["sent"], "redress": "", "remedy": "Said sorry."}
            _done(await complaints.close(complaint, ending, who=OWNER))

    def _logos(self) -> None:
        lenders = [each for each in self._firm.lenders.lenders if each.lender_id]
        for number, lender in enumerate(lenders[_LOGOS_WITHOUT:]):
            picture = logo(self._random, lender.name, width=48 if number % 23 == 5 else 200)
            upload = partial(self._services.logos.upload, lender.lender_id, picture, who=LOGOS, made_to=0)
            at = self._ago(self._random.randrange(2, 70)) + timedelta(minutes=number)
            self._story.at(at, partial(upload, file_name=f"{lender.lender_id}.png"))

    async def _visitors(self) -> None:
        """Add what visitors did each day, which is counted without anybody in it."""
        counts: dict[tuple[date, Counted], int] = {}
        for ago in range(1, WEEKS * 7 + 1):
            day = uk_date(self._now) - timedelta(days=ago)
            busy = (0.5 if day.weekday() > 4 else 1) * (1.4 - ago / (WEEKS * 7))
            for kind, usual in _VISITS.items():
                counts[day, kind] = max(0, round(self._random.gauss(usual * busy, usual * busy / 5)))
        await CountStore(self._stores.database).add(counts)


async def _name_people(connection: AsyncConnection) -> None:
    for name, shown in _PEOPLE.items():
        await connection.execute(update(StaffRow).where(col(StaffRow.name) == name).values(display_name=shown))


def _at(day: date, words: str) -> datetime:
    return datetime.combine(day, time.fromisoformat(words), tzinfo=UK)


def _complaint(found: object) -> Complaint:
    complaint = getattr(found, "complaint", found)
    if not isinstance(complaint, Complaint):
        raise DemoError(str(found))
    return complaint
