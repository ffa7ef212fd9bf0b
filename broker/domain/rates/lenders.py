"""A lender as pages and searches know it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownLender:
    """A lender: its id in the feed, the displayed name, and the last part of its pages' addresses.

    `kind` is bank, building-society or specialist, empty where nobody says; `residential` and `buy_to_let` say what it
    lends on.
    """

    lender_id: int
    name: str
    slug: str
    kind: str = "bank"
    residential: bool = True
    buy_to_let: bool = True
