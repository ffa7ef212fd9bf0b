"""What can go wrong with a live service; `str()` is a sentence for the log, without personal data.

RatesError (broker.domain.rates.product)
    FeedError                 base of all that leaves `broker.feeds`
        FeedUnavailableError         no answer: no connection, a lost one, or the deadline has passed
        FeedStatusError       an answer with another HTTP status than success, redirects among them
        FeedParseError      an answer that is neither JSON nor XML of the expected shape: an HTML page, half a body
            FeedTooLargeError an answer above its cap in bytes, values or depth
        FeedFaultError        the service itself says what is wrong; `words` are for the visitor (specification 8)
"""

from __future__ import annotations

from broker.domain.rates.product import RatesError

DEFAULT_FAULT = "The rates service could not answer this search."
"""Stands where a fault comes without words (an empty faultstring)."""


class FeedError(RatesError):
    """Base of what a live service's failure raises; `call` is the name of the call, `get_rates` for example."""

    def __init__(self, call: str, problem: str) -> None:
        """Make the sentence for the log."""
        super().__init__(f"{call}: {problem}")
        self.call = call


class FeedUnavailableError(FeedError):
    """The service did not answer: no connection, a connection lost, or no whole answer within the deadline."""


class FeedStatusError(FeedError):
    """The service answered with an HTTP status that is no success; `status` holds it."""

    def __init__(self, call: str, status: int, *, code: str = "") -> None:
        """Name the status, and WordPress's code where it gave one."""
        super().__init__(call, f"answered {status}" + (f" ({code})" if code else ""))
        self.status = status


class FeedParseError(FeedError):
    """The answer cannot be read: not JSON, not XML, or of a shape that no such answer has."""


class FeedTooLargeError(FeedParseError):
    """The answer is larger than any such answer: in bytes, in values or in depth."""


class FeedFaultError(FeedError):
    """The service answered with a fault; `words` is its text as plain, bounded text, for the red alert."""

    def __init__(self, call: str, words: str = "") -> None:
        """Keep the words; a fault without any gets our own."""
        self.words = words or DEFAULT_FAULT
        super().__init__(call, f"fault: {self.words}")
