"""The wording that a visitor agrees to by starting a watch; a changed wording gets a new version."""

from broker.watches.watch import Watch

VERSION = "2026-11"

WORDS = (
    "Email me about this mortgage when what I ticked happens, at most twice a month, with today’s figures of my plan. "
    "I can stop with one press in every email."
)
"""The sentence of the form's consent."""

CALL_WORDS = "You may also call me about it, on this number."
"""The sentence of the checkbox that agrees to a call."""


def words(watch: Watch) -> str:
    """Return the wording that the form of a watch was agreed to by."""
    return f"{WORDS} {CALL_WORDS}" if watch.may_call else WORDS
