"""Guides published since the site was built, read from the content service on request.

Failures raise GuideAwayError, whose text is for the visitor (specification 8).
"""

import asyncio
import logging
import re
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from math import inf
from time import monotonic
from typing import Protocol

from broker.content.errors import ContentApiError
from broker.content.store import ContentStore
from broker.content.wordpress.client import MEBIBYTE, WordPressClient, WordPressSettings
from broker.content.wordpress.live_guides import PICTURE_LIMITS, ListedGuide, LiveGuide, LiveGuides
from broker.services.circuit_breaker import PAUSE
from broker.services.single_flight import SingleFlight
from broker.services.source_status import SourceStatus

READ_TIMEOUT_SECONDS = 3.5 + (PICTURE_LIMITS.seconds or 0)
"""Longest wait of a visitor for the content service: for the text, and for its pictures."""

LIST_LIFETIME_SECONDS = 15.0
"""Seconds for which a list of guides is cached: any number of unknown addresses costs one call in that time."""

MAX_CACHED = 64
"""Guides in the cache; the least recently used are dropped."""

SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+){0,40}")
MAX_SLUG_LENGTH = 120
"""Format and length of a slug; other addresses are unknown without a call."""

AWAY = "Failed to fetch API"

log = logging.getLogger(__name__)


class GuideAwayError(Exception):
    """The content service did not tell whether there is such a guide; the reason is in the log."""


class GuideSource(Protocol):
    """Source of new guides; its methods raise ContentApiError."""

    async def listed(self) -> Mapping[str, ListedGuide]: ...

    async def read(self, listed: ListedGuide) -> LiveGuide | None:
        """Return a guide of the list, or None where it has no text of its own."""
        ...

    async def aclose(self) -> None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class CachedGuide:
    """A guide, None for one without text, and the time of the clock until which it is fresh."""

    guide: LiveGuide | None
    until: float


def cache_key(slug: str) -> str:
    """Return the cache key of a guide: `{type}-guides` for `{type}-guide` (specification 4), else its address."""
    return f"{slug}s" if slug.endswith("-guide") else f"mortgage-guides/{slug}"


class UnbuiltGuides:
    """Finds guides by slug: concurrent calls are shared, results cached, and a failure pauses all calls."""

    def __init__(self, source: GuideSource, *, fresh_for: timedelta, clock: Callable[[], float] = monotonic) -> None:
        self.source_status = SourceStatus()
        self._source = source
        self._fresh_for = fresh_for.total_seconds()
        self._clock = clock
        self._cache: OrderedDict[str, CachedGuide] = OrderedDict()
        self._listed: Mapping[str, ListedGuide] = {}
        self._listed_until = self._away_until = -inf
        self._lists: SingleFlight[str, Mapping[str, ListedGuide]] = SingleFlight()
        self._guides: SingleFlight[str, LiveGuide | None] = SingleFlight()

    async def find(self, slug: str) -> LiveGuide | None:
        """Return the guide of a slug, None for one that the content service does not know; raises GuideAwayError.

        While the service is away a guide that was read before is returned as it was.
        """
        if len(slug) > MAX_SLUG_LENGTH or not SLUG.fullmatch(slug):
            return None
        key = cache_key(slug)
        cached = self._cache.get(key)
        if cached and self._clock() < cached.until:
            self._cache.move_to_end(key)
            return cached.guide
        try:
            return await self._waited(slug)
        except GuideAwayError:
            if cached and cached.guide:
                return cached.guide
            raise

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        try:
            yield
        finally:
            await self._source.aclose()

    async def _waited(self, slug: str) -> LiveGuide | None:
        """Read a guide within READ_TIMEOUT_SECONDS; after a failure every call fails for PAUSE seconds."""
        try:
            async with asyncio.timeout(READ_TIMEOUT_SECONDS):
                return await self._answer(slug)
        except ContentApiError as error:
            words, reason = str(error), f"{error.source}: {error.fault}"
        except TimeoutError:
            words, reason = AWAY, "no answer in time"
        self._away_until = self._clock() + PAUSE
        self.source_status.failed(reason)
        log.warning("guide %s could not be read: %s", slug, reason)
        raise GuideAwayError(words)

    async def _answer(self, slug: str) -> LiveGuide | None:
        if self._clock() >= self._listed_until:
            self._refuse_while_away()
            await self._lists.joined("", self._list)
        if not (listed := self._listed.get(slug)):
            self._cache.pop(cache_key(slug), None)
            return None
        self._refuse_while_away()
        return await self._guides.joined(slug, partial(self._read, listed))

    def _refuse_while_away(self) -> None:
        if self._clock() < self._away_until:
            raise GuideAwayError(AWAY)

    async def _list(self) -> Mapping[str, ListedGuide]:
        self._listed = await self._source.listed()
        self.source_status.succeeded()
        self._listed_until = self._clock() + LIST_LIFETIME_SECONDS
        return self._listed

    async def _read(self, listed: ListedGuide) -> LiveGuide | None:
        guide = await self._source.read(listed)
        self.source_status.succeeded()
        key = cache_key(listed.slug)
        self._cache[key] = CachedGuide(
            guide=guide, until=self._clock() + (self._fresh_for if guide else LIST_LIFETIME_SECONDS)
        )
        self._cache.move_to_end(key)
        while len(self._cache) > MAX_CACHED:
            self._cache.popitem(last=False)
        return guide


def unbuilt_guides_of(api_url: str, rest: ContentStore, *, fresh_for: timedelta) -> UnbuiltGuides | None:
    """Return the new guides of the WordPress of an API; None without one, as nothing is published then.

    It is asked briefly, and for less than a sync takes: a visitor waits.
    """
    if not api_url:
        return None
    most = 4 * MEBIBYTE
    quick = WordPressSettings(
        api_url=api_url, connect=1.5, read=3.0, deadline=3.0, retries=1, max_bytes=most, max_image_bytes=most
    )
    return UnbuiltGuides(LiveGuides(WordPressClient(quick), rest), fresh_for=fresh_for)
