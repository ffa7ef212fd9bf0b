"""The deals that a rent passes, as display strings."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from broker import routes
from broker.domain.immutable import Immutable
from broker.domain.rates.customers import Customer
from broker.domain.rates.let_deals import FoundLets
from broker.lending.lending_rules import COVERS
from broker.lending.money import exact_pounds, pounds
from broker.presenters.rates.best_deals import BestDeals, best_deals
from broker.presenters.rates.search.shown_search import AWAY
from broker.presenters.rates.search_params import search_address

_NONE = "No deal that we list fits this loan and value. Call us: some lenders are not in our list."


@dataclass(frozen=True, slots=True, kw_only=True)
class LetDeals(Immutable):
    """The deals of a key; `problem` says why there are none. All is empty while they come.

    `basis` says what they are for, and `rule` how they were tested.
    """

    key: str = ""
    problem: str = ""
    basis: str = ""
    rule: str = ""
    best: BestDeals = field(default_factory=BestDeals)
    search: str = routes.deals(Customer.BUY_TO_LET_PURCHASE)


WAITING = LetDeals(key="?")
"""What stands in the place of deals that the server has not found yet."""

ABOVE_VALUE = LetDeals(problem="The loan is above the value, and no lender lends so much. Check both figures.")


def let_deals(found: FoundLets, *, logos: Mapping[int, str]) -> LetDeals:
    """Return the deals that were found; `logos` maps a lender's id to its picture."""
    asked, answer = found.asked, found.answer
    search = search_address(asked.query)
    if answer is None:
        return LetDeals(key=asked.key, problem=(found.error and found.error.words) or AWAY, search=search)
    loan = f"{pounds(asked.query.amount)} on a value of {pounds(asked.query.price)}"
    if not answer.products:
        none = f"At {exact_pounds(asked.rent)} a month the rent passes none of the {found.count:,} deals for {loan}. "
        advice = "Try a smaller loan, or ask us about lenders who count your other income."
        return LetDeals(key=asked.key, problem=none + advice if found.count else _NONE, search=search)
    return LetDeals(
        key=asked.key,
        basis=f"For {loan}: interest-only over {asked.query.term} years, fixed for two, three or five, the lowest true "
        "cost a year first.",
        rule=f"Each is tested at its own rate for {COVERS[asked.landlord]}% cover: at that rate where it is fixed for "
        f"five years, else two points up and at 5.5% at the least. Its lender may ask for more. {_failed(found)}",
        best=best_deals(answer, logos=logos),
        search=search,
    )


def _failed(found: FoundLets) -> str:
    if not found.failed:
        return "The cheapest of all passes."
    deals = "1 cheaper deal does" if found.failed == 1 else f"{found.failed:,} cheaper deals do"
    return f"{deals} not pass at this rent."
