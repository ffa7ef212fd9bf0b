"""The rates search of a rate step, made from the answers so far (specification 4, decision 32)."""

from dataclasses import dataclass, replace

from broker.lending.money import MAX_POUNDS, pounds
from broker.questionnaire.answers import Answered, loan
from broker.questionnaire.flow import Calculator, Choice, Inputs, Rates, SecondValue
from broker.questionnaire.journey import Journey
from broker.rates.customers import RULES, default_query, restricted
from broker.rates.query import MAX_TERM, RatesQuery

_MIN_LOAN = 21_000
"""The smallest loan in pounds that deals are shown for: the least outstanding mortgage of specification 9."""

_INTEREST_ONLY = "interest-only"
"""The key of the interest-only option of every step."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RateSearch:
    """The query of a rate step, and a sentence for each figure that is not the visitor's."""

    query: RatesQuery
    remarks: tuple[str, ...]


def rate_search(journey: Journey, step: str = "", *, term: int = 0) -> RateSearch | None:
    """Return the search of a rate step on the path, by default the current step; None for any other step.

    Price and loan are those of the last step before it with a loan to value. The mortgage type is the chosen one,
    repayment by default, and always one that the customer type may have. `term` is the visitor's own in years; 0, or a
    term that no search accepts, is the default one.
    """
    rates = _rates_at(journey, step or (journey.current.id if journey.current else ""))
    if rates is None:
        return None
    wanted, asks = rates
    opening = default_query(asks.searched)
    if 1 <= term <= MAX_TERM:
        opening = replace(opening, term=term)
    figures = _figures(journey.done[:wanted])
    if figures is None:
        words = f"These deals are for a loan of {pounds(opening.amount)} on a property worth {pounds(opening.price)}."
        return RateSearch(query=opening, remarks=(words,))
    price, second, kind = figures
    amount, remark = _amount(price, second, kind=kind)
    interest_only = _interest_only(journey)
    query = restricted(replace(opening, price=price, amount=amount, repayment=not interest_only))
    other = RULES[asks.searched].reason if interest_only and query.repayment else ""
    return RateSearch(query=query, remarks=tuple(words for words in (remark, other) if words))


def _rates_at(journey: Journey, step: str) -> tuple[int, Rates] | None:
    """Return the number of steps before a rate step on the path, and its prompt."""
    at = [*(each.step for each in journey.done), *((journey.current,) if journey.current else ())]
    for count, each in enumerate(at):
        if each.id == step and isinstance(each.asks, Rates):
            return count, each.asks
    return None


def _figures(before: tuple[Answered, ...]) -> tuple[int, int, SecondValue] | None:
    """Return the two values of the last loan-to-value calculator, and the meaning of the second."""
    for each in reversed(before):
        inputs = each.step.asks.inputs if isinstance(each.step.asks, Inputs) else ()
        for one in inputs:
            if isinstance(one, Calculator):
                price = min(max(each.figure(one.value_01), 1), MAX_POUNDS - 1)
                return price, each.figure(one.value_02), one.second
    return None


def _amount(price: int, second: int, *, kind: SecondValue) -> tuple[int, str]:
    """Return the loan to search for: the visitor's own if it is possible, else the nearest, with the reason."""
    amount, least = loan(price, second, kind=kind), min(_MIN_LOAN, price)
    if amount > price:
        return price, (
            f"You owe more than the property is worth, so these deals are for a loan of {pounds(price)}. "
            "An adviser can tell you what is possible."
        )
    if amount >= least:
        return amount, ""
    reason = "Your deposit covers the price" if not amount else f"A loan of {pounds(amount)} is smaller than most"
    return least, f"{reason}, so these deals are for a loan of {pounds(least)}, to give you an idea."


def _interest_only(journey: Journey) -> bool:
    return any(each.value == _INTEREST_ONLY for each in journey.done if isinstance(each.step.asks, Choice))
