"""Errors of the broker's API; their text is for the log and holds no personal data.

RatesError (broker.rates.product)
    FeedError                 base of all errors raised by `broker.rates.feed`
        FeedUnavailableError         no answer: no connection, a lost one, or a timeout
        FeedStatusError       an HTTP status other than success; redirects too
        FeedParseError      an answer that is not JSON or XML of the expected shape
            FeedTooLargeError an answer above the limit of bytes, values or depth
        FeedFaultError        a fault reported by the service; `words` are shown to visitors (specification 8)
"""

from broker.rates.product import RatesError

DEFAULT_FAULT = "The rates service could not answer this search."
"""Shown for a fault without a text (an empty faultstring)."""


class FeedError(RatesError):
    """Base of errors of a call; `call` is its name, for example `get_rates`."""

    def __init__(self, call: str, problem: str) -> None:
        super().__init__(f"{call}: {problem}")
        self.call = call


class FeedUnavailableError(FeedError):
    """No connection, a lost connection, or no complete answer within the timeout."""


class FeedStatusError(FeedError):
    """An HTTP status other than success; `code` is WordPress's own error code."""

    def __init__(self, call: str, status: int, *, code: str = "") -> None:
        super().__init__(call, f"answered {status}" + (f" ({code})" if code else ""))
        self.status = status


class FeedParseError(FeedError):
    """The answer is not JSON or XML, or not of the expected shape."""


class FeedTooLargeError(FeedParseError):
    """The answer exceeds a limit: of bytes, of values, or of nesting."""


class FeedFaultError(FeedError):
    """A fault reported by the service; `words` is plain text of bounded length, shown to visitors."""

    def __init__(self, call: str, words: str = "") -> None:
        self.words = words or DEFAULT_FAULT
        super().__init__(call, f"fault: {self.words}")
