"""Guides: those of the content store, and with a content service those that were saved since the content was copied.

A guide of the store is there at once. The list of the content service says which are new or were saved since: those are
read when a visitor asks for them, and kept until the list says otherwise. Failures raise GuideAwayError, whose text is
for the visitor (specification 8).
"""

import asyncio
import logging
import re
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Hashable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from math import inf
from time import monotonic
from typing import Protocol, TypeVar

from broker.content.errors import ContentApiError
from broker.content.models.guides import Guide
from broker.content.store import ContentStore, SiteContent
from broker.content.wordpress.client import MEBIBYTE, WordPressClient, WordPressSettings
from broker.content.wordpress.live_guides import PICTURE_LIMITS, ListedGuide, LiveGuide, LiveGuides
from broker.services.background_tasks import in_background
from broker.services.circuit_breaker import PAUSE
from broker.services.single_flight import SingleFlight
from broker.services.source_status import SourceStatus

READ_TIMEOUT_SECONDS = 3.5 + (PICTURE_LIMITS.seconds or 0)
"""Longest wait of a visitor for the content service: for the text, and for its pictures."""

LIST_LIFETIME_SECONDS = 15.0
"""Seconds for which a list of guides is cached: any number of unknown addresses costs one list in that time."""

MAX_CACHED = 64
"""Guides in the cache; the least recently used are dropped."""

SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+){0,40}")
MAX_SLUG_LENGTH = 120
"""Format and length of a slug; other addresses are unknown without a call."""

AWAY = "Failed to fetch API"

Found = TypeVar("Found")

log = logging.getLogger(__name__)


class GuideAwayError(Exception):
    """The content service did not tell whether there is such a guide; the reason is in the log."""


class GuideSource(Protocol):
    """A content service; its methods raise ContentApiError."""

    async def listed(self) -> Mapping[str, ListedGuide]: ...

    async def read(self, listed: ListedGuide) -> LiveGuide | None:
        """Return a guide of the list, or None where it has no text of its own."""
        ...

    async def aclose(self) -> None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class CachedGuide:
    """A guide as it was saved at `modified`, None for one without text, and the time of the clock to read it again."""

    guide: LiveGuide | None
    modified: str
    until: float


class Guides:
    """Finds guides by slug: concurrent calls are shared, results cached, and a failure pauses all calls."""

    def __init__(
        self,
        store: ContentStore,
        source: GuideSource | None = None,
        *,
        every: timedelta = timedelta(minutes=10),
        clock: Callable[[], float] = monotonic,
    ) -> None:
        """Without a `source` there are the guides of the store alone; its list is read `every` so often."""
        self.source_status = SourceStatus()
        self._store, self._source = store, source
        self._every = every.total_seconds()
        self._clock = clock
        self._content: SiteContent | None = None
        self._contents = 0
        self._stored: Mapping[str, Guide] = {}
        self._slugs: Collection[str] = frozenset()
        self._cache: OrderedDict[str, CachedGuide] = OrderedDict()
        self._listed: Mapping[str, ListedGuide] = {}
        self._listed_until = self._away_until = -inf
        self._lists: SingleFlight[str, Mapping[str, ListedGuide]] = SingleFlight()
        self._reads: SingleFlight[str, LiveGuide | None] = SingleFlight()
        self._is_changed = asyncio.Event()

    @property
    def slugs(self) -> Collection[str]:
        """Return the slugs of the guides of the store and of the last list: the same object while they are the same."""
        stored = self._of_store()
        if not self._slugs:
            self._slugs = frozenset((*stored, *filter(_is_slug, self._listed)))
        return self._slugs

    def version(self, slug: str) -> Hashable:
        """Return what is equal while a guide and the store are as they were; nothing equals that of one to be read."""
        stored, cached = self._of_store().get(slug), self._cache.get(slug)
        if self._is_current(slug, stored):
            return self._contents
        return (self._contents, cached.modified) if cached and self._is_valid(slug, cached) else object()

    async def find(self, slug: str) -> LiveGuide | None:
        """Return the guide of a slug, None for one that nobody knows; raises GuideAwayError.

        While the content service is away a guide that was read before is returned as it was.
        """
        stored, cached = self._of_store().get(slug), self._cache.get(slug)
        held = LiveGuide(guide=stored, banner=self._store.guide_banner(slug)) if stored else None
        if self._source is None or self._is_current(slug, stored) or not _is_slug(slug):
            return held
        if cached and self._is_valid(slug, cached):
            self._cache.move_to_end(slug)
            return cached.guide or held
        try:
            return await self._waited(slug, self._source) or held
        except GuideAwayError:
            is_newer = not stored or (cached is not None and cached.modified > stored.modified)
            if last := (cached.guide if cached and is_newer else None) or held:
                return last
            raise

    async def picture(self, slug: str, name: str) -> bytes | None:
        """Return a file of a guide that was read from the content service; raises GuideAwayError."""
        cached = self._cache.get(slug)
        found = (cached and cached.guide) or await self.find(slug)
        return found.files.get(name) if found else None

    def relist(self) -> None:
        """Have the list read at once, as an editor has saved something."""
        self._is_changed.set()

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Read the list periodically for as long as the server runs."""
        if self._source is None:
            yield
            return
        try:
            async with in_background(self._list_periodically(self._source)):
                yield
        finally:
            await self._source.aclose()

    def _of_store(self) -> Mapping[str, Guide]:
        if self._store.content is not self._content:
            self._content, self._contents = self._store.content, self._contents + 1
            self._stored = {guide.url: guide for guide in self._store.guides()}
            self._slugs = frozenset()
        return self._stored

    def _is_current(self, slug: str, stored: Guide | None) -> bool:
        """Return whether the store has a guide as the content service saved it last, as far as the list says."""
        listed = self._listed.get(slug)
        return stored is not None and not (listed and "" < stored.modified < listed.modified)

    def _is_valid(self, slug: str, cached: CachedGuide) -> bool:
        listed = self._listed.get(slug)
        return listed is not None and listed.modified == cached.modified and self._clock() < cached.until

    async def _list_periodically(self, source: GuideSource) -> None:
        while True:
            with suppress(GuideAwayError):
                await self._guarded("the list of guides", self._list(source))
            with suppress(TimeoutError):
                await asyncio.wait_for(self._is_changed.wait(), self._every)
            self._is_changed.clear()

    async def _waited(self, slug: str, source: GuideSource) -> LiveGuide | None:
        return await self._guarded(f"guide {slug}", self._answer(slug, source))

    async def _guarded(self, name: str, answer: Awaitable[Found]) -> Found:
        """Return an answer within READ_TIMEOUT_SECONDS; after a failure every call fails for PAUSE seconds."""
        try:
            async with asyncio.timeout(READ_TIMEOUT_SECONDS):
                return await answer
        except ContentApiError as error:
            words, reason = str(error), f"{error.source}: {error.fault}"
        except TimeoutError:
            words, reason = AWAY, "no answer in time"
        self._away_until = self._clock() + PAUSE
        self.source_status.failed(reason)
        log.warning("%s could not be read: %s", name, reason)
        raise GuideAwayError(words)

    async def _answer(self, slug: str, source: GuideSource) -> LiveGuide | None:
        if self._clock() >= self._listed_until:
            self._refuse_while_away()
            await self._list(source)
        if not (listed := self._listed.get(slug)):
            self._cache.pop(slug, None)
            return None
        self._refuse_while_away()
        return await self._reads.joined(slug, partial(self._read, listed, source))

    def _refuse_while_away(self) -> None:
        if self._clock() < self._away_until:
            raise GuideAwayError(AWAY)

    async def _list(self, source: GuideSource) -> None:
        self._listed, self._slugs = await self._lists.joined("", source.listed), frozenset()
        self.source_status.succeeded()
        self._listed_until = self._clock() + LIST_LIFETIME_SECONDS

    async def _read(self, listed: ListedGuide, source: GuideSource) -> LiveGuide | None:
        guide = await source.read(listed)
        self.source_status.succeeded()
        is_whole = guide and not guide.is_late
        until = self._clock() + (self._every if is_whole else LIST_LIFETIME_SECONDS)
        self._cache[listed.slug] = CachedGuide(guide=guide, modified=listed.modified, until=until)
        self._cache.move_to_end(listed.slug)
        while len(self._cache) > MAX_CACHED:
            self._cache.popitem(last=False)
        return guide


def guides_of(api_url: str, store: ContentStore, *, every: timedelta) -> Guides:
    """Return the guides of a store, and of the WordPress of an API where there is one.

    It is asked briefly, and for less than a sync takes: a visitor waits.
    """
    if not api_url:
        return Guides(store)
    most = 4 * MEBIBYTE
    quick = WordPressSettings(
        api_url=api_url, connect=1.5, read=3.0, deadline=3.0, retries=1, max_bytes=most, max_image_bytes=most
    )
    return Guides(store, LiveGuides(WordPressClient(quick), store), every=every)


def _is_slug(text: str) -> bool:
    return len(text) <= MAX_SLUG_LENGTH and SLUG.fullmatch(text) is not None
