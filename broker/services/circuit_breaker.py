"""Circuit breaker: after a failure, searches fail at once until the retry time.

No answer opens the circuit for the whole source, unless it answered another search meanwhile; an unreadable answer
opens it for that search alone.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import inf

from broker.domain.rates.product import RatesError
from broker.domain.rates.query import RatesQuery
from broker.feeds.errors import FeedParseError, FeedStatusError

PAUSE = 2.0
"""Seconds for which a circuit stays open; then one search tries the source again."""

ANSWERED_BADLY = (FeedStatusError, FeedParseError)


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenCircuit:
    """The error of an open circuit, and the time of the clock until which searches meet it."""

    error: RatesError
    until: float


class CircuitBreaker:
    """Open circuits by search; the key None is the whole source."""

    def __init__(self, clock: Callable[[], float], *, pause: float = PAUSE) -> None:
        self._clock = clock
        self._pause = pause
        self._met: dict[RatesQuery | None, OpenCircuit] = {}
        self._answered_at = -inf

    def refusal(self, query: RatesQuery) -> RatesError | None:
        """Return the error that a search meets, None where it may ask the source.

        After the pause one search may ask; the others are refused for another pause.
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
        """Return the error of the whole source, None while it answers."""
        met = self._met.get(None)
        return met.error if met else None

    def answered(self, query: RatesQuery) -> None:
        """Close the circuits of the source and of a search."""
        self._answered_at = self._clock()
        self._met.pop(None, None)
        self._met.pop(query, None)

    def failed(self, query: RatesQuery, error: RatesError, *, asked_at: float) -> None:
        """Open a circuit for a search asked at `asked_at`; an error with words for the visitor is an answer."""
        if error.words:
            self.answered(query)
            return
        now = self._clock()
        alone = isinstance(error, ANSWERED_BADLY) or self._answered_at > asked_at
        self._met = {scope: met for scope, met in self._met.items() if scope is None or now < met.until}
        self._met[query if alone else None] = OpenCircuit(error=error, until=now + self._pause)
