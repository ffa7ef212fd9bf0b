"""The best-rates block: three products with their costs, and the text around them (specification 4)."""

from collections.abc import Mapping
from dataclasses import dataclass

from broker import routes
from broker.lending.immutable import Immutable
from broker.lending.money import exact_pounds, percent, pounds, pounds_and_pence
from broker.rates.product import RateProduct, RatesAnswer
from broker.rates.product_text import (
    Headline,
    aprc_sentence,
    deal_name,
    duration,
    example_sentence,
    headline,
    incentives_in_a_line,
    net_cost,
    repayment_basis,
)
from broker.rates.query import RatesQuery
from broker.rates.ranking import BEST_PER_LENDER
from broker.rates.results import Standing, read_time
from broker.rates.search_params import search_address

AWAY = "We cannot reach the rates service. These are the latest rates we have, and they may have changed."
"""The notice of a block that shows the last good answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BestDeal:
    """One product of the block, with its rank as `place`; `whose` is empty on a lender's own page."""

    product_id: str
    headline: Headline
    place: str
    whose: str
    summary: str
    labels: str
    payment: str
    fees: str
    true_year: str
    lines: tuple[tuple[str, str], ...]
    href: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BestDeals(Immutable):
    """The block, with what any rate needs (decisions 10, 17); `sample` is the date of sample rates, else empty."""

    deals: tuple[BestDeal, ...] = ()
    example: str = ""
    example_aprc: str = ""
    dated: str = ""
    sample: str = ""
    away: str = ""
    unregulated: bool = False
    href: str = routes.RATES


def best_deals(answer: RatesAnswer, *, logos: Mapping[int, str]) -> BestDeals:
    """Return the block of an answer's first three products; `logos` maps a lender's id to its picture."""
    products = list(answer.products[:BEST_PER_LENDER])
    standing = Standing.of(answer)
    return BestDeals(
        deals=tuple(
            _deal(product, answer.query, place=standing.tag(product), logo=logos.get(product.lender_id, ""))
            for product in products
            if standing
        ),
        example=example_sentence(products[0]) if products else "",
        example_aprc=aprc_sentence(products[0]) if products else "",
        dated=dated_sentence(sample=answer.sample, read=read_time(answer)),
        sample=read_time(answer) if answer.sample else "",
        away=AWAY if answer.stale else "",
        unregulated=not answer.query.residential,
        href=search_address(answer.query),
    )


def read_sentence(*, sample: bool, read: str, stale: bool = False) -> str:
    """Return the sentence on the date of rates; `stale` rates may have changed."""
    if stale:
        return f"We cannot reach the rates service. These rates are from {read} and may have changed since."
    return f"Sample rates as at {read}, not offers." if sample else f"Rates read at {read}."


def dated_sentence(*, sample: bool, read: str, stale: bool = False) -> str:
    """Return the sentences on the date of rates and on the meaning of true cost."""
    return (
        f"{read_sentence(sample=sample, read=read, stale=stale)} True cost is the interest and fees of the deal, "
        "less cashback; money that pays off the loan is left out. Deals depend on your circumstances."
    )


def _deal(product: RateProduct, query: RatesQuery, *, place: str, logo: str) -> BestDeal:
    length = duration(product.initial_months)
    return BestDeal(
        product_id=product.product_id,
        headline=headline(product, logo=logo),
        place=place or "Next lowest rate",
        whose=product.lender_name if query.lender_id is None else "",
        summary=f"{deal_name(product)}, {repayment_basis(product)}, over {duration(product.term_years * 12)}",
        labels=incentives_in_a_line(product),
        payment=pounds_and_pence(product.initial_payment),
        fees=exact_pounds(product.total_fees),
        true_year=f"{pounds(product.yearly_true_cost)} a year",
        lines=(
            ("Monthly", pounds_and_pence(product.initial_payment)),
            *_after(product),
            ("Lender fees", exact_pounds(product.total_fees)),
            (f"Total to pay, {length}", pounds(product.cash_cost)),
            *([(f"After cashback, {length}", net_cost(product))] if product.incentives.cashback else []),
            (f"True cost, {length}", pounds(product.true_cost)),
        ),
        href=search_address(query, product=product.product_id),
    )


def _after(product: RateProduct) -> tuple[tuple[str, str], ...]:
    """Return the line of the payment after the deal, if there is one and it is stated."""
    if not product.follow_on_months or product.follow_on_rate is None or product.follow_on_payment is None:
        return ()
    return ((f"Then at {percent(product.follow_on_rate)} variable", pounds_and_pence(product.follow_on_payment)),)
