"""Start a watch by double opt-in, and let its owner see, change, pause, stop and export it through its link."""

import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date, datetime, timedelta
from typing import Any, Self

from broker.analytics.counted import Counted
from broker.clock import utc_now
from broker.duties.retention_rules import UNCONFIRMED_TIME
from broker.enquiries.contact_details import Problem
from broker.enquiries.enquiry import EnquiryKind, page_path
from broker.enquiries.service import TOO_FAST, TOO_MANY_TRIES, Forms, Submission
from broker.storage.errors import StorageError
from broker.storage.rate_limit import RateLimits
from broker.watches.consent import VERSION, words
from broker.watches.store import NewWatch, WatchStore
from broker.watches.watch import (
    StaffWatch,
    StoredWatch,
    Tell,
    WatchContact,
    WatchState,
    counted_on,
    parse_start,
    parse_telephone,
    parse_watch,
)

UNCONFIRMED_FOR = UNCONFIRMED_TIME
"""How long a watch waits to be confirmed; then it is deleted."""

AWAY = "We could not save this just now, so nothing has changed. Please try again in a minute, or call us"
NO_LINK = "This link is incomplete, or the watch has been stopped or deleted"

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchSubmission:
    """A form that starts a watch, as it was sent.

    `given` holds the fields named in `watches.watch`, those of the plan, and the `TOKEN` and `HIDDEN` field of
    `enquiries.enquiry`. `page` is the path of the form. `address` is the sender's network address, never stored.
    """

    given: Mapping[str, object]
    page: str
    address: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchStarted:
    """A form was accepted; whether a mail was sent to its address is not told."""

    email: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchRefused:
    """Nothing was stored, shown or changed; a problem's `field` is empty for the form or the link as a whole."""

    problems: tuple[Problem, ...]

    @classmethod
    def saying(cls, words: str) -> Self:
        return cls(problems=(Problem(field="", reason=words),))


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchLimits:
    """Starts of a network an hour, mails to confirm to an address a day, and unconfirmed watches of an address."""

    started: int = 10
    mailed: int = 3
    unconfirmed: int = 5


class WatchService:
    """Database failures are refusals, where a method does not say otherwise."""

    def __init__(
        self,
        store: WatchStore,
        *,
        forms: Forms,
        limits: WatchLimits | None = None,
        rate_limits: RateLimits | None = None,
        notify: Callable[[], None] = lambda: None,
        observe: Callable[[Counted], None] = lambda _: None,
        clock: Callable[[], datetime] = utc_now,
    ) -> None:
        """`notify` is called when mail is due, `observe` after a watch is started, confirmed or stopped."""
        most, limit = limits or WatchLimits(), (rate_limits or RateLimits(clock=clock)).limit
        self.forms = forms
        self._store, self._notify, self._clock, self._max_unconfirmed = store, notify, clock, most.unconfirmed
        self._observe = observe
        self._started = limit("started watches", most=most.started, window=timedelta(hours=1))
        self._mailed = limit("mails to confirm a watch", most=most.mailed, window=timedelta(days=1))

    @property
    def today(self) -> date:
        """Return the day by which forms are checked, that of the plans."""
        return self._clock().date()

    async def start(self, sent: WatchSubmission) -> WatchStarted | WatchRefused:
        """Store a watch once, however often its form is sent, and add the mail that confirms it.

        The answer is the same whether its address may have another such mail or not.
        """
        form = Submission(
            kind=EnquiryKind.CONTACT, given=sent.given, page=sent.page, text_version=VERSION, address=sent.address
        )
        if problem := self.forms.problem(form):
            return WatchRefused(problems=(problem,))
        contact = parse_start(sent.given, today=self.today)
        if isinstance(contact, tuple):
            return WatchRefused(problems=contact)
        submissions = self.forms.submissions(form)
        try:
            if await self._store.is_known(submissions):
                return WatchStarted(email=contact.email)
            if self.forms.is_too_fast(form):
                return WatchRefused.saying(TOO_FAST)
            if not await self._started.take(sent.address):
                return WatchRefused.saying(TOO_MANY_TRIES)
            if await self._mailed.take(contact.email.casefold()):
                await self._add(contact, submissions, page=page_path(sent.page))
        except StorageError as error:
            return _unavailable(error)
        return WatchStarted(email=contact.email)

    async def find(self, link: str) -> StoredWatch | WatchRefused:
        """Return the watch of a link."""
        return await self._answer(self._store.find(link))

    async def confirm(self, link: str) -> StoredWatch | WatchRefused:
        """Begin an unconfirmed watch; any other stays as it is."""
        now = self._clock()
        found = await self._answer(self._store.confirm(link, now))
        if isinstance(found, StoredWatch) and found.confirmed_at == now:
            self._observe(Counted.WATCH_CONFIRMED)
        return found

    async def change(self, link: str, given: Mapping[str, object]) -> StoredWatch | WatchRefused:
        """Replace figures, tells and telephone number by those of a form; the email address stays."""
        watch, telephone = parse_watch(given, today=self.today), parse_telephone(given)
        problems = [problem for part in (watch, telephone) if isinstance(part, tuple) for problem in part]
        if isinstance(watch, tuple) or isinstance(telephone, tuple):
            return WatchRefused(problems=tuple(problems))
        return await self._answer(self._store.change(link, watch, telephone=telephone, now=self._clock()))

    async def pause(self, link: str) -> StoredWatch | WatchRefused:
        """Send nothing until the watch is resumed; mail that waits is deleted."""
        return await self._answer(self._store.pause(link))

    async def resume(self, link: str) -> StoredWatch | WatchRefused:
        """Watch on after a pause."""
        return await self._answer(self._store.resume(link))

    async def stop(self, link: str) -> bool | WatchRefused:
        """Delete a watch with all that is stored of it; return whether it existed."""
        try:
            return self._stopped(await self._store.delete(link=link))
        except StorageError as error:
            return _unavailable(error)

    async def unsubscribe(self, token: str) -> None:
        """Delete the watch of a one-click address, if there is one; raises StorageError."""
        self._stopped(await self._store.delete(stop=token))

    async def export(self, link: str) -> dict[str, Any] | WatchRefused:
        """Return all that is stored of a watch, as values of JSON."""
        found = await self._answer(self._store.find(link), as_given=True)
        return found if isinstance(found, WatchRefused) else exported(found)

    async def callable_watches(self) -> tuple[StaffWatch, ...]:
        """Return the watches whose owner agreed to a call, by the end of the deal; raises StorageError."""
        return await self._store.callable_watches()

    async def _add(self, contact: WatchContact, submissions: Sequence[str], *, page: str) -> None:
        now = self._clock()
        new = NewWatch(
            contact=contact,
            submissions=submissions,
            created=now,
            delete_after=now + UNCONFIRMED_FOR,
            consent_text=VERSION,
            consent_words=words(contact.watch),
            consent_page=page,
        )
        if await self._store.add(new, max_unconfirmed=self._max_unconfirmed):
            self._notify()
            self._observe(Counted.WATCH_STARTED)

    def _stopped(self, has_existed: bool) -> bool:
        if has_existed:
            self._observe(Counted.WATCH_STOPPED)
        return has_existed

    async def _answer(
        self, asked: Awaitable[StoredWatch | None], *, as_given: bool = False
    ) -> StoredWatch | WatchRefused:
        """Return a watch that is asked for by its link, as it stands today; one not confirmed in time is none."""
        try:
            found = await asked
        except StorageError as error:
            return _unavailable(error)
        is_over = found and found.state is WatchState.UNCONFIRMED and found.delete_after <= self._clock()
        if found is None or is_over:
            return WatchRefused.saying(NO_LINK)
        return found if as_given else replace(found, watch=counted_on(found.watch, self.today))


def exported(stored: StoredWatch) -> dict[str, Any]:
    """Return a watch as values of JSON."""
    watch = stored.watch
    return {
        "email": stored.email,
        "telephone": stored.telephone,
        "state": stored.state.value,
        "started": stored.created.isoformat(),
        "confirmed": stored.confirmed_at.isoformat() if stored.confirmed_at else None,
        "deleted_after": stored.delete_after.isoformat(),
        "watch": {
            **asdict(watch),
            "given": watch.given.isoformat(),
            "deal_end": watch.deal_end.isoformat(),
            "offer_end": watch.offer_end.isoformat() if watch.offer_end else None,
            "tells": [tell.value for tell in Tell if tell in watch.tells],
        },
        "told": {each.tell.value: each.at.isoformat() for each in stored.told},
        "consent": {
            "version": stored.consent_text,
            "words": stored.consent_words,
            "at": stored.consent_at.isoformat(),
            "page": stored.consent_page,
        },
    }


def _unavailable(error: StorageError) -> WatchRefused:
    log.error("watches: %s", error)
    return WatchRefused.saying(AWAY)
