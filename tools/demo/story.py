"""Three months of the made-up firm: its staff, enquiries, calls, appointments, watches, logos and visitors."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from functools import partial
from random import Random

from broker.analytics.count_store import CountStore
from broker.analytics.counted import Counted
from broker.appointments.appointment import SLOT, Medium, StoredAppointment
from broker.appointments.slots import Absence, AdviserHours, TimeRange
from broker.appointments.store import AppointmentStore
from broker.cases.case import Case
from broker.clock import UK
from broker.enquiries.enquiry import EnquiryKind, EnquiryState
from broker.enquiries.service import EnquiryReceipt, EnquiryRefused, Submission
from broker.staff.account_store import StaffStore
from broker.staff.audit import COMMAND_LINE, Act, AuditEntry
from broker.staff.credentials import PasswordHashes
from broker.storage.database import Database
from broker.storage.encryption import SecretKeys
from tools.demo.clients import WEEKS, Client, clients
from tools.demo.firm import Firm, Story
from tools.demo.pictures import logo

OWNER, ADVISERS, CONTENT, LOGOS = "olga", ("ada", "ben"), "dora", "eli"
ACCOUNTS = (OWNER, *ADVISERS, CONTENT, LOGOS)

_TEXT_VERSION = "2026-03"
_HOURS = AdviserHours(
    ranges=dict.fromkeys(
        range(5), (TimeRange(opens=time(9), closes=time(12, 40)), TimeRange(opens=time(13, 20), closes=time(17, 40)))
    )
)
_NOTES = (
    "Wants to keep the payment under £1,300. Kitchen in spring, perhaps £15,000 more.",
    "Fixed rate until spring, likes certainty. Sends payslips this week.",
    "Compared two and five years. Prefers five, may move in four: talked about porting.",
    "First call of 12 minutes: income, deposit, plans. Sends accounts of two years.",
    "Voicemail left. Next try in the evening.",
    "Asked for our fee: none. Explained how lenders pay us.",
)
_LOGOS_WITHOUT = 12
"""Lenders that are left without a logo."""


class DemoError(Exception):
    """A use case refused a step of the story: a fault of the demo."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stores:
    database: Database
    keys: SecretKeys


def _working_time(moment: datetime, firm: Firm) -> datetime:
    """Return a moment, or the next one at which the firm is open."""
    day = moment.astimezone(UK)
    while True:
        hours = firm.week.open_hours(day.date())
        if hours and day.timetz().replace(tzinfo=None) < hours.closes:
            return max(day, datetime.combine(day.date(), hours.opens, tzinfo=UK) + timedelta(minutes=4))
        day = datetime.combine(day.date() + timedelta(days=1), time(), tzinfo=UK)


class Demo:
    def __init__(self, firm: Firm, stores: Stores, story: Story, *, now: datetime, seed: int) -> None:
        self._firm, self._stores, self._story, self._now = firm, stores, story, now
        self._random = Random(seed)
        self._services = firm.services

    async def tell(self, password: str) -> None:
        """Make everything, in the order of its times."""
        await self._staff(password)
        for client in clients(self._random, self._now, self._firm.week):
            self._enquire(client)
        self._logos()
        await self._visitors()
        await self._story.run(self._now)

    async def _staff(self, password: str) -> None:
        store, diary = StaffStore(self._stores.database), AppointmentStore(self._stores.database, self._stores.keys)
        at = self._story.now
        with PasswordHashes() as hashes:
            for name in ACCOUNTS:
                entry = AuditEntry(at=at, who=COMMAND_LINE, what=Act.ACCOUNT_ADDED, about=name)
                await store.add(name, await hashes.hash(password), entry=entry)
        for name in ADVISERS:
            await diary.set_hours(name, _HOURS, who=name, at=at)
        friday, leave = self._day(4 + 7 * (self._now.astimezone(UK).weekday() > 2)), self._day(25)
        absences = {
            "ada": Absence(start=self._clock(friday, "13:20"), end=self._clock(friday, "17:40")),
            "ben": Absence(start=self._clock(leave, "00:00"), end=self._clock(leave + timedelta(days=5), "00:00")),
        }
        for name, absence in absences.items():
            add = partial(diary.add_absence, name, absence, who=name, at=self._now - timedelta(days=2))
            self._story.at(self._now - timedelta(days=2), add)

    def _day(self, days: int) -> date:
        """Return a day, counted from this week's Monday."""
        today = self._now.astimezone(UK).date()
        return today + timedelta(days=days - today.weekday())

    def _clock(self, day: date, words: str) -> datetime:
        return datetime.combine(day, time.fromisoformat(words), tzinfo=UK)

    def _enquire(self, client: Client) -> None:
        async def send() -> None:
            slot = await self._slot(client)
            given = {**client.form, **({SLOT: slot} if slot else {})}
            kind = EnquiryKind.CONTACT if client.message else EnquiryKind.CALLBACK
            receipt = await self._services.enquiries.submit(
                Submission(
                    kind=kind,
                    given=given,
                    page=client.page,
                    text_version=_TEXT_VERSION,
                    address=f"192.0.2.{client.number}",
                    came_from=client.came_from,
                )
            )
            if isinstance(receipt, EnquiryRefused):
                raise DemoError(receipt.problems)
            self._work(client, receipt, has_slot=bool(slot))

        self._story.at(client.received, send)

    async def _slot(self, client: Client) -> str:
        """Return one of the free times for about a third of the clients, empty for the others."""
        is_asked = client.number % 3 == 0
        offered = await self._services.appointments.offered(20, Medium.TELEPHONE) if is_asked else ()
        return self._random.choice(offered[:60]).value if offered else ""

    def _work(self, client: Client, receipt: EnquiryReceipt, *, has_slot: bool) -> None:
        """Let an adviser take and call a client; the last clients of all wait for somebody."""
        if self._now - client.received < timedelta(hours=2):
            return
        adviser = ADVISERS[client.number % len(ADVISERS)]
        called = _working_time(client.received + timedelta(minutes=self._random.randrange(15, 150)), self._firm)
        self._story.at(called, lambda: self._call(client, receipt.reference, adviser))
        if has_slot:
            self._story.at(called, lambda: self._keep(receipt.reference, adviser, missed=client.luck < 0.15))

    async def _call(self, client: Client, reference: str, adviser: str) -> None:
        cases = self._services.cases
        case = await self._case(reference, adviser)
        await cases.assign(reference, adviser, version=case.head.version, who=adviser)
        await cases.add_note(reference, self._random.choice(_NOTES), who=adviser)
        case = await self._case(reference, adviser)
        state = EnquiryState.CALLED if client.luck < 0.8 else EnquiryState.CLOSED
        await cases.change_state(reference, state, version=case.head.version, who=adviser)

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

    def _logos(self) -> None:
        lenders = [each for each in self._firm.lenders.lenders if each.lender_id]
        for number, lender in enumerate(lenders[_LOGOS_WITHOUT:]):
            width = 48 if number % 23 == 5 else 200
            picture = logo(self._random, lender.name, width=width)
            at = self._now - timedelta(days=self._random.randrange(2, 70), minutes=number)

            async def upload(lender_id: int = lender.lender_id, data: bytes = picture) -> None:
                await self._services.logos.upload(lender_id, data, file_name=f"{lender_id}.png", who=LOGOS, made_to=0)

            self._story.at(_working_time(at, self._firm), upload)

    async def _visitors(self) -> None:
        """Add what visitors did each day, which is counted without anybody in it."""
        counts: dict[tuple[date, Counted], int] = {}
        for ago in range(1, WEEKS * 7 + 1):
            day = self._now.astimezone(UK).date() - timedelta(days=ago)
            busy = (0.5 if day.weekday() > 4 else 1) * (1.4 - ago / (WEEKS * 7))
            for kind, usual in _VISITS.items():
                counts[day, kind] = max(0, round(self._random.gauss(usual * busy, usual * busy / 5)))
        await CountStore(self._stores.database).add(counts)


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
