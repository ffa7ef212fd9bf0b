"""The ways in which one call of the broker's API fails at a time, and when each did."""

import random
import time
from collections.abc import Sequence
from dataclasses import dataclass

CONTENT_CALLS = ("graphql", "pages", "lender_pages", "faqs", "uploads")
RATES_CALLS = ("get_rates", "get_saved_rates", "get_saved_ltv_rates", "service", "get_lenders", "get_logos")
WAYS = (
    "null",
    "false",
    "empty-list",
    "html-200",
    "html-502",
    "status-500",
    "php-warning-500",
    "reset",
    "short",
    "slow",
)
GRAPHQL_WAYS = ("gql-errors", "gql-partial")
EMPTY_WAYS = ("null", "empty-list")
"""Ways that say that there is nothing."""


@dataclass(slots=True, kw_only=True)
class Fault:
    """A call that fails in a way, from a time of the monotonic clock until another."""

    call: str
    way: str
    began: float
    ended: float = float("inf")

    def covers(self, since: float, until: float) -> bool:
        return self.began <= until and since <= self.ended


def any_fault(chance: random.Random, calls: Sequence[str] = CONTENT_CALLS + RATES_CALLS, *, slow: bool = True) -> Fault:
    """Return a fault that begins now; without `slow` none takes longer than a good answer."""
    call = chance.choice(calls)
    ways = (*WAYS, *GRAPHQL_WAYS) if call == "graphql" else WAYS
    return Fault(call=call, way=chance.choice([way for way in ways if slow or way != "slow"]), began=time.monotonic())
