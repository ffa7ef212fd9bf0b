"""While a source is away nobody waits for it in vain: what one search met, others are told at once.

No answer at all counts against the whole source, unless it answered something else in the meantime; an answer that
cannot be read counts against the search that it was given to. So no single odd search takes the source from the others.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import inf

from broker.domain.rates.product import RatesError
from broker.domain.rates.query import RatesQuery
from broker.feeds.errors import FeedParseError, FeedStatusError

PAUSE = 2.0
"""Seconds for which a failure speaks for the searches that follow; then one of them finds out."""

ANSWERED_BADLY = (FeedStatusError, FeedParseError)


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenCircuit:
    """What was met, and until when on the clock it stands for the searches that follow."""

    error: RatesError
    until: float


class CircuitBreaker:
    """What searches met last, by search; under None what stands for all of them."""

    def __init__(self, clock: Callable[[], float], *, pause: float = PAUSE) -> None:
        """Begin with a source that is there; the clock gives seconds, and so does the pause."""
        self._clock = clock
        self._pause = pause
        self._met: dict[RatesQuery | None, OpenCircuit] = {}
        self._answered_at = -inf

    def refusal(self, query: RatesQuery) -> RatesError | None:
        """Return what a search would meet again, or None where it may ask.

        Once the pause is over one search may ask, and the others are refused for as long again.
        """
        now = self._clock()
        for scope in (None, query):
            met = self._met.get(scope)
            if met and now < met.until:
                return met.error
        for scope in {None, query} & set(self._met):
            self._met[scope] = replace(self._met[scope], until=now + self._pause)
        return None

    @property
    def away(self) -> RatesError | None:
        """Return what says that the whole source is away; None while it is there as far as is known."""
        met = self._met.get(None)
        return met.error if met else None

    def answered(self, query: RatesQuery) -> None:
        """Note that the source is there."""
        self._answered_at = self._clock()
        self._met.pop(None, None)
        self._met.pop(query, None)

    def failed(self, query: RatesQuery, error: RatesError, *, asked_at: float) -> None:
        """Note what a search met that was asked at a moment of the clock; a fault in words is an answer."""
        if error.words:
            self.answered(query)
            return
        now = self._clock()
        alone = isinstance(error, ANSWERED_BADLY) or self._answered_at > asked_at
        self._met = {scope: met for scope, met in self._met.items() if scope is None or now < met.until}
        self._met[query if alone else None] = OpenCircuit(error=error, until=now + self._pause)
