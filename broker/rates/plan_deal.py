"""The deal of a plan: the product with the lowest true cost, its payments, and what the next lower band is worth."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import ceil

from broker.lending.immutable import Immutable
from broker.lending.lending_rules import CAREFUL_RISE
from broker.lending.money import exact_pounds, percent, pounds, pounds_and_pence
from broker.lending.mortgage import monthly_payment
from broker.plans.buying import ALLOWED_FEE, DEAL_FEE, HAS_DEAL, LENDER_FEE
from broker.plans.buying_deal import DealSearch, FoundDeal
from broker.rates.best_deals import dated_sentence
from broker.rates.lowest_rates import LowerBand
from broker.rates.product import RateProduct, RatesAnswer
from broker.rates.product_text import (
    NO_HEADLINE,
    Headline,
    aprc_sentence,
    deal_name,
    duration,
    example_sentence,
    headline,
    representative_example,
)
from broker.rates.results import band_sentence, read_time
from broker.rates.search_params import search_address

Line = tuple[str, str, str]
"""A figure: what it is, the figure, and where it comes from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanDeal(Immutable):
    """A deal for the figures of `key`, or the `problem`; without either the search is running.

    `name` is that of the deal, `href` its address, `search` that of the list; `lines` has every figure. `fee` is its
    lender's fee and `allowed` the one that the plan allows, in pounds. `band` is the sentence on the next lower band of
    loan to value; `example` and `dated` accompany every rate (decisions 10 and 17).
    """

    key: str = ""
    problem: str = ""
    is_found: bool = False
    fee: float = LENDER_FEE.allowed
    allowed: float = LENDER_FEE.allowed
    name: str = ""
    headline: Headline = NO_HEADLINE
    payment: str = ""
    true_label: str = ""
    true_cost: str = ""
    lines: tuple[Line, ...] = ()
    band: str = ""
    example: str = ""
    example_aprc: str = ""
    dated: str = ""
    href: str = ""
    search: str = ""


NO_LOAN = PlanDeal(problem="These figures need no loan, so there is no deal to show.")
"""The result without a loan; its key is empty."""

AWAY = "The rates service did not answer, so there is no deal here. The rest of your plan is as it was."
NOTHING_FOUND = "No deal fits this loan. Try a larger deposit, or call us: we know lenders that are not listed here."


def deal_of_plan(key: str, found: FoundDeal | None, *, logos: Mapping[int, str]) -> PlanDeal:
    """Return the deal of a plan's key, which allows the fee that the search allowed."""
    if found is None:
        return NO_LOAN
    if found.answer is None:
        words = found.error.words if found.error else ""
        deal = PlanDeal(key=found.asked.key, problem=words or AWAY, search=search_address(found.asked.query))
    else:
        deal = found_deal(found.asked, found.answer, band=found.band, logos=logos)
    return replace(deal, key=key, allowed=found.allowed if deal.is_found else deal.allowed)


def values_of_deal(deal: PlanDeal) -> dict[str, float]:
    """Return the inputs of a plan that its deal decides, by name."""
    return {DEAL_FEE: deal.fee, ALLOWED_FEE: deal.allowed, HAS_DEAL: deal.is_found}


def found_deal(asked: DealSearch, answer: RatesAnswer, *, band: LowerBand | None, logos: Mapping[int, str]) -> PlanDeal:
    """Return the product with the lowest true cost a year of an answer; `logos` are those of lenders, by id."""
    product = answer.winners.true
    if product is None:
        return PlanDeal(key=asked.key, problem=NOTHING_FOUND, search=search_address(asked.query))
    return PlanDeal(
        key=asked.key,
        is_found=True,
        fee=product.total_fees,
        allowed=max(LENDER_FEE.allowed, ceil(product.total_fees)),
        name=f"{deal_name(product)}, over {duration(product.term_years * 12)}",
        headline=headline(product, logo=logos.get(product.lender_id, "")),
        payment=pounds_and_pence(product.initial_payment),
        true_label=_true_label(product),
        true_cost=pounds(product.true_cost),
        lines=tuple(_lines(product)),
        band=band_sentence(band, amount=asked.query.amount),
        example=example_sentence(product),
        example_aprc=aprc_sentence(product),
        dated=dated_sentence(sample=answer.sample, read=read_time(answer), stale=answer.stale),
        href=search_address(asked.query, product=product.product_id),
        search=search_address(asked.query),
    )


def _lines(product: RateProduct) -> list[Line]:
    loan, rate, term = product.loan_amount, product.initial_rate, product.term_years
    dearer = monthly_payment(loan, rate + CAREFUL_RISE, term)
    total = representative_example(product).total
    after = product.follow_on_months and product.follow_on_rate is not None and product.follow_on_payment is not None
    follow_on = (
        f"After {duration(product.initial_months)}",
        f"{pounds_and_pence(product.follow_on_payment)} a month",
        f"At the lender’s variable rate, {percent(product.follow_on_rate)} today",
    )
    return [
        ("You would pay", f"{pounds_and_pence(product.initial_payment)} a month", f"{pounds(loan)} at {percent(rate)}"),
        (
            "If rates were 3 points higher",
            f"{pounds_and_pence(dearer)} a month",
            f"The same loan at {percent(rate + CAREFUL_RISE)}",
        ),
        *([follow_on] if after else []),
        *([_over_the_term(product, total)] if total is not None else []),
        ("Lender’s fees", exact_pounds(product.total_fees), "Counted in the cash for the day"),
        (_true_label(product), pounds(product.true_cost), "Interest and fees, less cashback"),
    ]


def _true_label(product: RateProduct) -> str:
    return f"True cost, {duration(product.initial_months)}"


def _over_the_term(product: RateProduct, total: float) -> Line:
    words = "If the variable rate stayed as it is. Most people change deal before"
    return f"Over {duration(product.term_years * 12)}", pounds(total), words
