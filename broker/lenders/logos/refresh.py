"""Refresh lenders and logos from the live feed (calls 9 and 10), every hour and on request of staff.

Logos are stored in one transaction, with an entry in the audit record where staff requested it. A logo that arrives
damaged, or not at all because its call failed, is not replaced; one that the feed no longer has is removed.
"""

import asyncio
import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from broker.background import SourceStatus
from broker.lenders.logos.logo import FEED, CleanPicture, LogoKind, LogoSource, picture_name
from broker.lenders.logos.logo_cache import LogoCache
from broker.lenders.logos.store import LogoChange, LogoOutcome, LogoStore
from broker.lenders.logos.upload import ImageWorker
from broker.lending.money import counted
from broker.rates.feed.client import FeedClient
from broker.rates.feed.errors import FeedError, FeedUnavailableError
from broker.rates.feed.lenders import Logo, LogoFault, Logos, fetch_lenders, fetch_logos
from broker.staff.audit import Act, AuditEntry
from broker.storage.errors import StorageError

_BATCH_LENDERS = 20
"""Lenders in a request for logos, so that a bad response does not affect the others."""

_MAX_LENDERS = 1_000
_MAX_PICTURE_BYTES = 32 * 1024 * 1024
"""Bounds of a fetch: several times what a market has."""

NO_FEED = "No live feed is set up here: the lenders are those of the sample market, and have no logos of their own."
AWAY = "The database cannot be reached just now, and nothing was stored. Please try again in a minute."
NOT_THERE = "The feed has no logo for it."
OVER = "The logos before it took all the room there is."
DAMAGED = "What the feed sent is damaged or not complete."
FAULTS: Mapping[LogoFault, str] = {
    LogoFault.NO_DATA: NOT_THERE,
    LogoFault.BROKEN_BASE64: "What the feed sent cannot be decoded (broken base64).",
    LogoFault.OTHER_KIND: "What the feed sent is no PNG, JPEG or GIF.",
    LogoFault.TOO_LARGE: "What the feed sent is larger than 256 kB.",
    LogoFault.TOO_MANY_PIXELS: "What the feed sent is more than 2,000 pixels wide or high.",
    LogoFault.DAMAGED: DAMAGED,
}

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class _FeedLogos:
    """The feed's logos of some lenders.

    `found` are pictures by lender id, `absent` the lenders that the feed reports to have no logo, `faults` a sentence
    by lender id for all without a picture. `strangers` are lenders that were not requested. `problems` are the calls
    that failed: the logos of their lenders stay.
    """

    found: Mapping[int, CleanPicture]
    absent: frozenset[int]
    faults: Mapping[int, str]
    strangers: tuple[int, ...]
    problems: tuple[FeedError, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LogoFailure:
    """A lender whose logo was not fetched, with the reason in a sentence."""

    lender_id: int
    lender: str
    sentence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetch:
    """Progress of one of the two calls, and its last outcome.

    `sentence` sums it up; `problem` is empty unless the call failed. `found` counts the feed's lenders or logos,
    `changed` the logos that are new on the site, `gone` those that the feed no longer has.
    """

    fetching: bool = False
    done: bool = False
    at: datetime | None = None
    sentence: str = ""
    problem: str = ""
    found: int = 0
    changed: int = 0
    gone: int = 0
    failures: tuple[LogoFailure, ...] = ()
    strangers: tuple[int, ...] = ()
    errors: tuple[FeedError, ...] = ()


class LogoRefresh:
    """Fetches lenders and logos; `lenders` and `logos` are the progress of each."""

    def __init__(
        self, logo_cache: LogoCache, client: FeedClient | None, *, worker: ImageWorker, clock: Callable[[], datetime]
    ) -> None:
        self.lenders, self.logos = Fetch(), Fetch()
        self.lenders_status, self.logos_status = SourceStatus(clock), SourceStatus(clock)
        self._cache = logo_cache
        self._client, self._worker = client, worker
        self._clock = clock
        self._one = asyncio.Lock()

    async def fetch_lenders(self, store: LogoStore, *, who: str = "") -> Fetch:
        """Fetch the list of lenders; a failure is logged with its code, and is the outcome's `problem`."""
        self.lenders = Fetch(fetching=True)
        try:
            self.lenders = await self._fetched_lenders()
            problem = self.lenders.problem
            self.lenders_status.record(problem)
            detail = f"failed: {problem}" if problem else counted(self.lenders.found, "lender")
            await store.change((), entries=lambda _made: self._entries(Act.LENDERS_REFRESHED, who, detail))
        except StorageError as error:
            log.warning("no audit entry for the fetch of lenders: %s", error)
        finally:
            self.lenders = replace(self.lenders, fetching=False)
        return self.lenders

    async def fetch_logos(self, store: LogoStore, *, who: str = "") -> Fetch:
        """Fetch the logos of all lenders, and store those that are new; the outcome has each failure.

        A second caller waits until the first fetch is done, and fetches again.
        """
        async with self._one:
            self.logos = Fetch(fetching=True)
            try:
                self.logos = await self._fetched_logos(store, who)
            except StorageError as error:
                log.warning("logos not stored: %s", error)
                self.logos = Fetch(done=True, at=self._clock(), sentence=AWAY, problem=AWAY)
            finally:
                self.logos = replace(self.logos, fetching=False)
            self.logos_status.record(self.logos.problem)
            return self.logos

    async def fetch_both(self, store: LogoStore) -> None:
        """Fetch both for the server itself; raises the first FeedError, once everything was tried.

        Logos are fetched also if the list of lenders is refused, but not if the feed is unavailable.
        """
        errors = (await self.fetch_lenders(store)).errors
        if not any(isinstance(error, FeedUnavailableError) for error in errors):
            errors += (await self.fetch_logos(store)).errors
        for error in errors[1:]:
            log.warning("lenders not refreshed: %s", error)
        if errors:
            raise errors[0]

    async def _fetched_lenders(self) -> Fetch:
        now = self._clock()
        if self._client is None:
            return Fetch(done=True, at=now, sentence=NO_FEED)
        try:
            found = await fetch_lenders(self._client)
        except FeedError as error:
            log.warning("the list of lenders is empty: %s", error)
            words = f"The list of lenders could not be read ({error}), and is empty until it can be."
            return Fetch(done=True, at=now, sentence=words, problem=str(error), errors=(error,))
        self._cache.directory.learn_names({lender.lender_id: lender.name for lender in found})
        return Fetch(done=True, at=now, sentence=f"The feed lists {counted(len(found), 'lender')}.", found=len(found))

    async def _fetched_logos(self, store: LogoStore, who: str) -> Fetch:
        if self._client is None:
            return Fetch(done=True, at=self._clock(), sentence=NO_FEED)
        answer = await _feed_logos(self._client, self._cache.directory.ids, worker=self._worker)
        # another server may have fetched logos meanwhile
        await self._cache.learn()
        changes = tuple(self._changes(answer))
        made = await store.change(
            changes, entries=lambda made: self._entries(Act.LOGOS_REFRESHED, who, _tally(answer, made))
        )
        await self._cache.learn()
        return self._report(answer, made)

    def _changes(self, answer: _FeedLogos) -> Iterator[LogoChange]:
        """Yield pictures that are not the feed's newest already, and removals of logos that it no longer has."""
        at = self._clock()
        for lender_id, picture in answer.found.items():
            feed = self._cache.logo(lender_id).feed
            if feed is None or feed.picture != picture_name(lender_id, picture.digest):
                yield LogoChange(
                    lender_id=lender_id, source=LogoSource.FEED, made_to=None, picture=picture, who=FEED, at=at
                )
        for lender_id in sorted(answer.absent):
            if (feed := self._cache.logo(lender_id).feed) and feed.picture:
                kind = LogoKind.UNTOUCHED
                yield LogoChange(lender_id=lender_id, source=LogoSource.FEED, made_to=None, kind=kind, who=FEED, at=at)

    def _report(self, answer: _FeedLogos, made: Sequence[LogoOutcome]) -> Fetch:
        changed, gone = _counted(made)
        names = {lender_id: self._cache.lender_name(lender_id) for lender_id in answer.faults}
        failures = (
            LogoFailure(lender_id=lender_id, lender=names[lender_id], sentence=f"{names[lender_id]}: {words}")
            for lender_id, words in sorted(answer.faults.items())
        )
        return Fetch(
            done=True,
            at=self._clock(),
            sentence=f"{counted(len(answer.found), 'logo')} fetched, {changed} of them new; "
            f"{counted(len(answer.faults), 'lender')} without.",
            problem=str(answer.problems[0]) if answer.problems else "",
            found=len(answer.found),
            changed=changed,
            gone=gone,
            failures=tuple(failures),
            strangers=answer.strangers,
            errors=answer.problems,
        )

    def _entries(self, what: Act, who: str, detail: str) -> tuple[AuditEntry, ...]:
        """Return the audit entry of a fetch that staff requested; none for the server's own."""
        return (AuditEntry(at=self._clock(), who=who, what=what, detail=detail),) if who else ()


def _counted(made: Sequence[LogoOutcome]) -> tuple[int, int]:
    """Return how many logos are new, and how many were removed."""
    stored = [bool(one.newest and one.newest.picture) for one in made if one.is_stored]
    return stored.count(True), stored.count(False)


def _tally(answer: _FeedLogos, made: Sequence[LogoOutcome]) -> str:
    changed, gone = _counted(made)
    return f"{len(answer.found)} fetched, {changed} new, {gone} gone, {len(answer.faults)} without"


async def _feed_logos(client: FeedClient, lender_ids: Sequence[int], *, worker: ImageWorker) -> _FeedLogos:
    """Fetch and sanitise the logos of some lenders in batches; a batch that fails does not affect the others."""
    found: dict[int, CleanPicture] = {}
    faults: dict[int, str] = {}
    absent, strangers, problems = set[int](), set[int](), list[FeedError]()
    ids = lender_ids[:_MAX_LENDERS]
    for batch in (ids[start : start + _BATCH_LENDERS] for start in range(0, len(ids), _BATCH_LENDERS)):
        try:
            answer = await fetch_logos(client, batch)
        except FeedError as error:
            problems.append(error)
            faults |= dict.fromkeys(batch, f"The feed did not answer for it ({error}).")
            continue
        strangers |= {*answer.by_lender, *answer.faults} - set(batch)
        absent |= {one for one in batch if one not in answer.by_lender and _is_absent(answer, one)}
        faults |= {one: FAULTS[answer.faults.get(one, LogoFault.NO_DATA)] for one in batch}
        for lender_id in batch:
            if logo := answer.by_lender.get(lender_id):
                faults |= await _sanitise(worker, logo, found)
    faults = {lender_id: words for lender_id, words in faults.items() if lender_id not in found}
    return _FeedLogos(
        found=found,
        absent=frozenset(absent),
        faults=faults,
        strangers=tuple(sorted(strangers)),
        problems=tuple(problems),
    )


async def _sanitise(worker: ImageWorker, logo: Logo, found: dict[int, CleanPicture]) -> dict[int, str]:
    picture = await worker.clean(logo.data, str(logo.lender_id))
    if not isinstance(picture, CleanPicture):
        return {logo.lender_id: DAMAGED}
    if sum(len(one.png) for one in found.values()) + len(picture.png) > _MAX_PICTURE_BYTES:
        return {logo.lender_id: OVER}
    found[logo.lender_id] = picture
    return {}


def _is_absent(answer: Logos, lender_id: int) -> bool:
    """Return whether a response reports that a lender has no logo: an empty entry, or none beside those of others.

    A response without any entry comes from a broken feed, and removes no logo.
    """
    holds_something = bool(answer.by_lender or answer.faults)
    return holds_something and answer.faults.get(lender_id, LogoFault.NO_DATA) is LogoFault.NO_DATA
