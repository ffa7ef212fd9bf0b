"""How early before the end of a deal a lender lets its own borrower book the next one (a product transfer)."""

from dataclasses import dataclass

from broker.lending.immutable import Immutable

USUAL_MONTHS = 4
"""Months before the end of a deal from which most lenders let the next one be booked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TransferWindow(Immutable):
    """The window opens `months` and then `days` before the end of a deal, by one of its sources only `later`.

    `words` say so with its source.
    """

    months: int = USUAL_MONTHS
    days: int = 0
    later_months: int = USUAL_MONTHS
    later_days: int = 0
    words: str = (
        "Most lenders let you book from four months before your deal ends, and change until shortly before it starts. "
        "Choose your lender among your figures to see what we know of it, or ask it."
    )


USUAL_WINDOW = TransferWindow()
"""The window where no lender is chosen."""
