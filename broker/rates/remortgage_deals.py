"""Today's deals for a remortgage plan: the one that the plan counts, the three best, and whether a fee is worth it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from broker.calculators.calculator import EXAMPLE_RATE
from broker.lending.immutable import Immutable
from broker.lending.money import exact_percent, exact_pounds, percent, pounds
from broker.lending.transfer_window import USUAL_WINDOW, TransferWindow
from broker.plans.remortgage_search import FoundDeals, HeldRate
from broker.rates.best_deals import BestDeals, best_deals
from broker.rates.costs import break_even, cost_terms
from broker.rates.product import RateProduct, RatesAnswer
from broker.rates.product_text import deal_name, duration, product_name
from broker.rates.query import RatesQuery
from broker.rates.search_page import AWAY
from broker.rates.search_params import search_address

LONGEST_SHORT_DEAL = 30
"""Months above which a deal counts as one of five years, and not of two, though the loan may end after three."""

NOT_ASKED = "Deals for your loan come once the page has asked for them."

NONE_FITS = (
    "No deal that we list fits this loan and home. The plan counts an example rate in its place. Call us: some lenders "
    "are not in our list."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RemortgageDeals(Immutable):
    """The deals of a question (`key`), or the `problem`, and then the plan counts an example.

    `rate`, `fees` less cashback, `months`, `name` and `aprc` are those of the deal of another lender with the lowest
    true cost. `follow_on` is the follow-on rate of the present lender, 0 where it is unknown, and `held` the sentence
    on it. `legal` says who pays for the legal work, and `window` is that of the present lender.
    """

    key: str = ""
    problem: str = NOT_ASKED
    rate: float = EXAMPLE_RATE
    fees: float = 0
    months: int = 24
    name: str = "an example deal"
    aprc: str = ""
    follow_on: float = 0
    held: str = ""
    legal: str = ""
    window: TransferWindow = USUAL_WINDOW
    basis: str = ""
    fee: str = ""
    best: BestDeals = field(default_factory=BestDeals)


NO_DEALS = RemortgageDeals()


def values_of_deals(deals: RemortgageDeals) -> dict[str, object]:
    """Return the inputs of a plan that its deals decide, by name."""
    return {
        "newRate": deals.rate,
        "newFees": deals.fees,
        "newMonths": deals.months,
        "newName": deals.name,
        "newAprc": deals.aprc,
        "heldFollowOn": deals.follow_on,
        "heldWords": deals.held,
        "newLegal": deals.legal,
        "windowMonths": deals.window.months,
        "windowDays": deals.window.days,
        "laterMonths": deals.window.later_months,
        "laterDays": deals.window.later_days,
        "windowWords": deals.window.words,
    }


def remortgage_deals(
    found: FoundDeals, *, logos: Mapping[int, str], window: TransferWindow = USUAL_WINDOW
) -> RemortgageDeals:
    """Return the deals that were found for a plan; `logos` maps a lender's id to its picture."""
    question, answer, held = found.question, found.answer, found.held
    follow_on, held_words = (held.rate, _held_words(held)) if held else (0, "")
    first = first_of_another(answer, question.lender) if answer else None
    if answer is None or first is None:
        problem = (found.error.words or AWAY) if found.error else NONE_FITS
        return RemortgageDeals(key=question.key, problem=problem, follow_on=follow_on, held=held_words, window=window)
    sample = ", a sample" if answer.sample else ""
    loan = f"{pounds(question.amount)} on a home of {pounds(question.price)}"
    return RemortgageDeals(
        key=question.key,
        problem="",
        rate=first.initial_rate,
        fees=first.total_fees - first.incentives.cashback,
        months=first.initial_months,
        name=f"{first.lender_name}, {deal_name(first)},",
        aprc=f" ({percent(first.aprc)} APRC{sample})",
        follow_on=follow_on,
        held=held_words,
        legal=_legal_words(first),
        window=window,
        basis=f"For {loan}, over {duration(answer.query.term * 12)} (whole years, rounded up). Two and five years "
        f"fixed, the lowest true cost a year first.{_own_words(answer, question.lender)}",
        fee=_fee_sentence(answer.products),
        best=_with_own_searches(best_deals(answer, logos=logos), answer),
    )


def first_of_another(answer: RatesAnswer, lender: str) -> RateProduct | None:
    """Return the first deal of an answer from another lender than that of an id, which may be empty."""
    return next((each for each in answer.products if str(each.lender_id) != lender), None)


def _held_words(held: HeldRate) -> str:
    source = "our sample figures, which are not the lender’s own" if held.is_sample else "our list"
    return f"After its deals {held.lender} charges {exact_percent(held.rate)}, by {source}"


def _own_words(answer: RatesAnswer, lender: str) -> str:
    """Return that the present lender's deal for new borrowers, where it is the first, is not counted as a switch."""
    is_own = str(answer.products[0].lender_id) == lender
    return " Your own lender’s are for new borrowers, so your plan counts the first of another." if is_own else ""


def _legal_words(product: RateProduct) -> str:
    """Return who pays for the valuation and the legal work of a switch."""
    free = product.incentives
    if free.free_legal_work:
        return f"Its {'valuation and legal work are' if free.free_valuation else 'legal work is'} free."
    return "Ask whether its legal work is free: if not, add the cost to your figures."


def _with_own_searches(best: BestDeals, answer: RatesAnswer) -> BestDeals:
    """Return the block with addresses of searches for deals of each one's length, as an address has one length."""
    searches = [_of_its_length(answer.query, product) for product in answer.products[: len(best.deals)]]
    deals = (
        replace(deal, href=search_address(query, product=deal.product_id))
        for deal, query in zip(best.deals, searches, strict=True)
    )
    return replace(best, deals=tuple(deals), href=search_address(searches[0]))


def _of_its_length(query: RatesQuery, product: RateProduct) -> RatesQuery:
    is_long = product.initial_months > LONGEST_SHORT_DEAL
    return replace(query, two_years=not is_long, five_years=is_long)


def _fee_sentence(products: Iterable[RateProduct]) -> str:
    """Return whether a fee is worth paying: the best deal with one against the best without, and where they cross."""
    charged = free = None
    for product in products:  # priced one by one: no further than to the second of the two
        charged = charged or (product if product.total_fees > 0 else None)
        free = free or (product if product.total_fees <= 0 else None)
        if charged and free:
            break
    if charged is None or free is None:
        return ""
    is_worth = charged.yearly_true_cost <= free.yearly_true_cost
    costs = [f"{product_name(each)} comes to {pounds(each.yearly_true_cost)}" for each in (charged, free)]
    verdict = "is worth paying" if is_worth else "does not pay for itself"
    crossing = break_even(cost_terms(charged), cost_terms(free)).true
    bound = f" Below a loan of {pounds(crossing)} the deal without a fee costs less." if crossing else ""
    fee = exact_pounds(charged.total_fees)
    return f"At this loan a fee of {fee} {verdict}: {costs[0]} a year in true cost, {costs[1]} without a fee.{bound}"
