"""Store enquiries, each once, and let their senders view and delete them (decision 33).

Viewing needs the reference (37 random bits) and the last four digits of the telephone number. The reference alone is in
the mail to staff, and four digits alone are soon guessed: after a few wrong tries a reference is locked for an hour.
The thank-you page shows an enquiry by the signed link in the cookie of the browser that sent it, for a day. The link in
the mail that confirms an enquiry opens it for as long as it is stored, and nothing else.
"""

import asyncio
import hashlib
import hmac
import json
import logging
import secrets
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Self, TypeVar

from broker.analytics.counted import Counted
from broker.appointments.appointment import SLOT, Medium, Slot, SlotTakenError, next_free
from broker.appointments.service import SLOT_TAKEN
from broker.appointments.store import AppointmentStore, BookedAndFree
from broker.background import NextFlight
from broker.clock import uk_date, utc_now
from broker.enquiries.contact_details import Problem
from broker.enquiries.enquiry import (
    HIDDEN,
    TOKEN,
    AdviceKept,
    Attachment,
    EnquiryKind,
    StoredEnquiry,
    page_path,
    parse_enquiry,
    parse_reference,
    wanted_slot,
)
from broker.enquiries.store import EnquiryStore, JourneyChangedError, NewEnquiry
from broker.enquiries.working_time import OFFICE_WEEK, WorkingWeek
from broker.questionnaire.journey import ANSWERS_NOT_FOUND
from broker.questionnaire.journeys import JourneyService
from broker.storage.errors import StorageError
from broker.storage.rate_limit import RateLimits
from broker.storage.signed_tokens import SignedToken, TokenSigner

MIN_FILL_TIME = timedelta(seconds=2)
"""Shortest time from a form's token in which a person fills in the form."""

_DUPLICATE_WINDOW = timedelta(minutes=10)
"""Shortest time in which the same content is the same enquiry; the longest is twice that."""

_LINK_LIFETIME = timedelta(days=1)
_HOUR = timedelta(hours=1)
_MAX_ATTEMPTS = 5
"""Tries to store a questionnaire that is answered in another tab meanwhile."""

_COUNTED_AS = {
    EnquiryKind.CALLBACK: Counted.CALLBACK,
    EnquiryKind.CONTACT: Counted.MESSAGE,
    EnquiryKind.QUESTIONNAIRE: Counted.QUESTIONNAIRE,
}

HIDDEN_FILLED = "A hidden box on the form was filled in. Please leave it empty and send again, or call us"
TOO_FAST = "Please check what you entered, then press Send again"
NOT_OURS = "We could not check that this form came from our site. Please load the page again, or call us"
AWAY = "We could not save this just now, so nothing was sent. Please try again in a minute, or call us"
NOT_FOUND = "We could not find an enquiry with this reference and these digits. Please check both, or call us"
NO_LINK = "This link is incomplete, or the enquiry has been deleted"
TOO_MANY_TRIES = "You have tried too many times. Please try again in an hour, or call us"

Stored = TypeVar("Stored")
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Submission:
    """A form as it was sent, and its origin.

    `given` holds the fields named in `enquiries.enquiry` and `contact_details`. `page` is the path of the form and its
    consent, `came_from` that of the page before it, if any. `address` is the sender's network address, which is never
    stored. `token` is that of a questionnaire's journey. `attachment` is the result that a field names, computed by the
    server.
    """

    kind: EnquiryKind
    given: Mapping[str, object]
    page: str
    text_version: str
    address: str
    came_from: str = ""
    token: str = ""
    attachment: Attachment | None = None


class Forms:
    """Tokens of forms, and the checks of a form that is sent."""

    def __init__(self, tokens: TokenSigner, key: bytes, *, clock: Callable[[], datetime] = utc_now) -> None:
        self._tokens = tokens
        self._key = key
        self._clock = clock

    def token(self) -> str:
        return self._tokens.write(secrets.token_hex(16), made=self._clock())

    def has_token(self, sent: Submission) -> bool:
        return self._token(sent) is not None

    def problem(self, sent: Submission) -> Problem | None:
        """Return why a form did not come from a person on our page; None if it may have."""
        if sent.given.get(HIDDEN):
            return Problem(field="", reason=HIDDEN_FILLED)
        is_ours = self.has_token(sent) or not sent.given.get(TOKEN)
        return None if is_ours else Problem(field="", reason=NOT_OURS)

    def is_too_fast(self, sent: Submission) -> bool:
        """Return whether a form was sent sooner after its token than a person can fill it in.

        A token later than now does not count: the clock has been set back since.
        """
        token = self._token(sent)
        return token is not None and timedelta(0) <= self._clock() - token.made < MIN_FILL_TIME

    def submissions(self, sent: Submission) -> tuple[str, ...]:
        """Return the digests that identify a form, the one to store it under first.

        A questionnaire is identified by its journey, any other form by its content for ten minutes or more. The form's
        token is not part of it: a browser that goes Back may send the same content with another token.
        """
        if sent.kind is EnquiryKind.QUESTIONNAIRE:
            return (self._digest("journey", sent.token),)
        words = {name: str(value)[:4_000] for name, value in sent.given.items() if name != TOKEN}
        content = json.dumps(words, sort_keys=True)
        period = int(self._clock().timestamp() // _DUPLICATE_WINDOW.total_seconds())
        return tuple(self._digest(f"words {sent.kind} {each}", content) for each in (period, period - 1))

    def _token(self, sent: Submission) -> SignedToken | None:
        return self._tokens.read(sent.given.get(TOKEN))

    def _digest(self, sort: str, text: str) -> str:
        return hmac.new(self._key, f"{sort}\0{text}".encode("utf-8", "replace"), hashlib.sha256).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Per hour: forms sent and enquiries looked up by an address, wrong digits, and confirmations to a mailbox."""

    sent: int = 10
    sent_without_token: int = 5
    looked: int = 20
    wrong: int = 5
    confirmed: int = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class EnquiryReceipt:
    """The reference of a stored enquiry, and the secret of a link that shows it to its sender."""

    reference: str
    link: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EnquiryRefused:
    """Nothing was stored, shown or deleted; a problem's `field` is empty for the form as a whole.

    `next_free` are free slots near the one of the form, where that was taken.
    """

    problems: tuple[Problem, ...]
    next_free: tuple[Slot, ...] = ()

    @classmethod
    def saying(cls, words: str) -> Self:
        return cls(problems=(Problem(field="", reason=words),))


@dataclass(frozen=True, slots=True, kw_only=True)
class EnquiryCredentials:
    """Credentials for viewing an enquiry: reference and last digits, or a mail's link; and the network address."""

    address: str
    reference: str = ""
    digits: str = ""
    link: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TakenSlot:
    """The free slots near one that is taken, which may be none, and who has it: references by digest of the form."""

    next_free: tuple[Slot, ...]
    holders: Mapping[str, str]


class SlotPresses:
    """Has enquiries with slots stored one at a time in this process, so that few wait for the database in vain.

    The database decides who gets a slot. Those who wait here are told by the latest read that theirs is taken: each
    booking needs one more, by whoever is next.
    """

    def __init__(self, diary: AppointmentStore, *, clock: Callable[[], datetime]) -> None:
        self._diary, self._clock = diary, clock
        self._reads: NextFlight[tuple[int, Medium], BookedAndFree] = NextFlight()
        self._latest: dict[tuple[int, Medium], BookedAndFree] = {}
        self._turn = asyncio.Lock()

    async def taken(self, slot: Slot) -> TakenSlot | None:
        """Return None if a slot is free, else what is known of it; raises StorageError."""
        kind = (slot.minutes, slot.medium)

        async def read() -> BookedAndFree:
            self._latest[kind] = found = await self._diary.booked_and_free(*kind, now=self._clock())
            return found

        return _taken_slot(await self._reads.joined(kind, read), slot)

    async def store(self, slot: Slot | None, work: Callable[[], Awaitable[Stored]]) -> Stored | TakenSlot:
        """Run the work that stores an enquiry when it is its turn; not where its slot is taken meanwhile.

        Raises what the work raises but SlotTakenError.
        """
        if slot is None:
            return await work()
        async with self._turn:
            latest = self._latest.get((slot.minutes, slot.medium))
            if taken := _taken_slot(latest, slot) if latest else await self.taken(slot):
                return taken
            try:
                stored = await work()
            except SlotTakenError:
                return await self.taken(slot) or TakenSlot(next_free=(), holders={})
            self._latest.clear()
            return stored


def _taken_slot(found: BookedAndFree, slot: Slot) -> TakenSlot | None:
    near = next_free(found.free, slot)
    return None if slot in near else TakenSlot(next_free=near, holders=found.holders)


class EnquiryService:
    def __init__(
        self,
        store: EnquiryStore,
        journeys: JourneyService,
        diary: AppointmentStore,
        *,
        forms: Forms,
        links: TokenSigner,
        mail_links: TokenSigner,
        months: int = 12,
        week: WorkingWeek = OFFICE_WEEK,
        limits: Limits | None = None,
        rate_limits: RateLimits | None = None,
        notify: Callable[[], None] = lambda: None,
        observe: Callable[[Counted], None] = lambda _: None,
        clock: Callable[[], datetime] = utc_now,
    ) -> None:
        """`links` are of receipts, `mail_links` of mails.

        `months` is how long enquiries are stored; `notify` and `observe` are called after each is stored.
        """
        most, limit = limits or Limits(), (rate_limits or RateLimits(clock=clock)).limit
        self.forms = forms
        self._store, self._journeys, self._links, self._mail_links = store, journeys, links, mail_links
        self._presses = SlotPresses(diary, clock=clock)
        self._months, self._week, self._notify, self._observe, self._clock = months, week, notify, observe, clock
        self._sent = limit("sent forms", most=most.sent, window=_HOUR)
        self._without_token = limit("forms without a token", most=most.sent_without_token, window=_HOUR)
        self._looked = limit("looks at an enquiry", most=most.looked, window=_HOUR)
        self._wrong = limit("wrong digits of an enquiry", most=most.wrong, window=_HOUR)
        self._confirmed = limit("confirmations to a mailbox", most=most.confirmed, window=_HOUR)

    async def submit(self, sent: Submission) -> EnquiryReceipt | EnquiryRefused:
        """Store a form once, however often it is sent, and return its reference; or the problems with it."""
        try:
            for _ in range(_MAX_ATTEMPTS):
                try:
                    return await self._submit(sent)
                except JourneyChangedError:
                    continue
        except StorageError as error:
            return _unavailable(error)
        return EnquiryRefused.saying(AWAY)

    async def find(self, proof: EnquiryCredentials) -> StoredEnquiry | EnquiryRefused:
        """Return the enquiry of some credentials; database failures are refusals too."""
        try:
            return await self._find(proof)
        except StorageError as error:
            return _unavailable(error)

    async def thanked(self, link: str) -> StoredEnquiry | EnquiryRefused:
        """Return the enquiry of a receipt's link, for a day; database failures are refusals too."""
        token = self._links.read(link)
        if token is None or self._clock() >= token.made + _LINK_LIFETIME:
            return EnquiryRefused.saying(NO_LINK)
        try:
            return await self._stored(token.value) or EnquiryRefused.saying(NO_LINK)
        except StorageError as error:
            return _unavailable(error)

    async def delete(self, proof: EnquiryCredentials) -> bool | AdviceKept | EnquiryRefused:
        """Delete the enquiry of some credentials with all that is stored of it but advice; False where it was gone."""
        found = await self.find(proof)
        if isinstance(found, EnquiryRefused):
            return found
        try:
            return await self._store.delete(found.reference, at=self._clock())
        except StorageError as error:
            return _unavailable(error)

    async def _submit(self, sent: Submission) -> EnquiryReceipt | EnquiryRefused:
        if problem := self.forms.problem(sent):
            return EnquiryRefused(problems=(problem,))
        submissions = self.forms.submissions(sent)
        slot = wanted_slot(sent.given)
        taken = await self._presses.taken(slot) if isinstance(slot, Slot) else None
        # a slot that is free is not the form's own, and the store looks again
        if known := _holder(taken, submissions) or ("" if slot else await self._store.reference_of(submissions)):
            return self._receipt(known)
        held = await self._journeys.find(sent.token) if sent.kind is EnquiryKind.QUESTIONNAIRE else None
        if sent.kind is EnquiryKind.QUESTIONNAIRE and held is None:
            # sent in another tab between the two questions, or not there at all
            known = await self._store.reference_of(submissions)
            return self._receipt(known) if known else EnquiryRefused.saying(ANSWERS_NOT_FOUND)
        now = self._clock()
        parsed = parse_enquiry(
            sent.kind,
            sent.given,
            text_version=sent.text_version,
            at=now,
            page=sent.page,
            journey=held.journey if held else None,
        )
        if isinstance(parsed, tuple) or isinstance(slot, tuple) or taken:
            return _refused(parsed, slot, taken=taken)
        if self.forms.is_too_fast(sent):
            return EnquiryRefused.saying(TOO_FAST)

        async def store() -> EnquiryReceipt | EnquiryRefused:
            if not await self._count(sent):
                return EnquiryRefused.saying(TOO_MANY_TRIES)
            new = NewEnquiry(
                enquiry=replace(parsed, attachment=sent.attachment),
                page=page_path(sent.came_from or sent.page),
                submissions=submissions,
                created=now,
                delete_after=months_after(now, self._months),
                call_by=self._week.call_by(now, parsed.contact.when),
                slot=slot,
                journey=held.token if held else "",
                journey_version=held.version if held else 0,
                is_confirmed=bool(parsed.contact.email) and await self._confirmed.take(parsed.contact.email.casefold()),
            )
            return self._receipt(await self._store.add(new, added=lambda: self._report(sent.kind, slot)))

        stored = await self._presses.store(slot, store)
        if isinstance(stored, TakenSlot):
            own = _holder(stored, submissions)
            return self._receipt(own) if own else _refused(taken=stored)
        return stored

    def _report(self, kind: EnquiryKind, slot: Slot | None) -> None:
        """Report an enquiry that was stored: its mail is due, and it is counted."""
        self._notify()
        self._observe(_COUNTED_AS[kind])
        if slot:
            self._observe(Counted.APPOINTMENT_BOOKED)

    async def _count(self, sent: Submission) -> bool:
        """Count a form against its address's limits; return whether it is within them.

        A form without a token may come from a program, and has a lower limit.
        """
        has_turn = self.forms.has_token(sent) or await self._without_token.take(sent.address)
        return has_turn and await self._sent.take(sent.address)

    def _receipt(self, reference: str) -> EnquiryReceipt:
        return EnquiryReceipt(reference=reference, link=self._links.write(reference, made=self._clock()))

    async def _find(self, proof: EnquiryCredentials) -> StoredEnquiry | EnquiryRefused:
        if proof.link:
            return await self._find_by_link(proof.link)
        reference = parse_reference(proof.reference)
        if await self._wrong.reached(reference) or not await self._looked.take(proof.address):
            return EnquiryRefused.saying(TOO_MANY_TRIES)
        found = await self._stored(reference) if reference else None
        if _has_digits(found, proof.digits) and found:
            return found
        if reference:
            await self._wrong.take(reference)
        return EnquiryRefused.saying(NOT_FOUND)

    async def _stored(self, reference: str) -> StoredEnquiry | None:
        return await self._store.find(reference, today=uk_date(self._clock()))

    async def _find_by_link(self, link: str) -> StoredEnquiry | EnquiryRefused:
        token = self._mail_links.read(link)
        found = await self._stored(token.value) if token else None
        return found or EnquiryRefused.saying(NO_LINK)


def _holder(taken: TakenSlot | None, submissions: Sequence[str]) -> str:
    """Return the reference of the enquiry that has a slot if it is of the same form, else empty."""
    holders = taken.holders if taken else {}
    return next((holders[each] for each in submissions if each in holders), "")


def _refused(*parsed: object, taken: TakenSlot | None) -> EnquiryRefused:
    """Refuse a form with the problems among its parsed parts, and with that of a taken slot."""
    problems = [problem for part in parsed if isinstance(part, tuple) for problem in part]
    if taken:
        problems.append(Problem(field=SLOT, reason=SLOT_TAKEN))
    return EnquiryRefused(problems=tuple(problems), next_free=taken.next_free if taken else ())


def _unavailable(error: StorageError) -> EnquiryRefused:
    log.error("enquiries: %s", error)
    return EnquiryRefused.saying(AWAY)


def months_after(moment: datetime, months: int) -> datetime:
    """Return the same day and time some months later, or the last day of a shorter month."""
    year, month = divmod(moment.month - 1 + months, 12)
    for day in (moment.day, 30, 29, 28):
        try:
            return moment.replace(year=moment.year + year, month=month + 1, day=day)
        except ValueError:
            continue
    raise ValueError(f"{moment} has no month {months} later")


def _has_digits(found: StoredEnquiry | None, digits: str) -> bool:
    """Compare the last four digits in constant time, whether an enquiry was found or not."""
    typed = "".join(each for each in digits[:40] if each.isascii() and each.isdigit())[-4:]
    right = found.enquiry.contact.telephone[-4:] if found else "----"
    return hmac.compare_digest(typed.encode(), right.encode())
