"""A list of products as display strings: cards, and the text around them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from broker.domain.enquiries.working_time import UK
from broker.domain.money import exact_pounds, pounds, pounds_and_pence
from broker.domain.rates.customers import RULES
from broker.domain.rates.lowest_rates import LowestRates
from broker.domain.rates.product import RateProduct, RatesAnswer
from broker.domain.rates.query import RatesQuery, SortOrder
from broker.domain.rates.ranking import MAX_PAGES, visible_products
from broker.presenters.rates.product_text import (
    Headline,
    Split,
    aprc_sentence,
    cost_split,
    deal_name,
    duration,
    early_repayment_sentence,
    example_sentence,
    follow_on_sentence,
    headline,
    product_name,
    repayment_basis,
    whole_pounds,
)
from broker.presenters.rates.true_cost import winners_note

NONE_FOUND = "No products found, please amend the filters!"
"""The text of specification 4."""

ORDER_WORDS = {
    SortOrder.RATE: "lowest rate first",
    SortOrder.FEES: "lowest fees first",
    SortOrder.TRUE_COST: "lowest true cost a year first",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class RateCard:
    """One product on a card, as display strings; `tag` is empty, or its rank in the list shown."""

    product_id: str
    headline: Headline
    summary: str
    tag: str
    best: bool
    payment: str
    payment_caption: str
    fees: str
    total_label: str
    total: str
    true_label: str
    true_cost: str
    true_year: str
    split: Split
    why: str
    follow_on: str
    ltv: str
    early_repayment: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RatesList:
    """The cards of a list, and the text above and below them."""

    heading: str = ""
    showing: str = ""
    read_at: str = ""
    sample: bool = True
    stale: bool = False
    example: str = ""
    example_aprc: str = ""
    winners: str = ""
    fee_free: str = ""
    unregulated: bool = False
    has_more: bool = False
    cards: tuple[RateCard, ...] = ()


def rates_list(answer: RatesAnswer, pages: int, *, logos: Mapping[int, str], filters: str = "") -> RatesList:
    """Return the first `pages` pages of an answer; `logos` are by lender id, `filters` says which filters are on."""
    query = answer.query
    visible = visible_products(answer.products, pages)
    total = len(answer.products)
    return RatesList(
        heading=f"{total:,} {RULES[query.customer].title.lower()} {'deal' if total == 1 else 'deals'}",
        showing=f"Showing {len(visible):,} of {total:,}{f' {filters}' if filters else ''}, {ORDER_WORDS[query.sort]}",
        read_at=read_time(answer),
        stale=answer.stale,
        sample=answer.sample,
        example=example_sentence(visible[0]) if visible else "",
        example_aprc=aprc_sentence(visible[0]) if visible else "",
        winners=winners_note(answer.cheapest_cash, answer.cheapest_true),
        fee_free=_fee_free(answer.fee_free, query),
        unregulated=not query.residential,
        has_more=len(visible) < total and pages < MAX_PAGES,
        cards=rate_cards(visible, query, logos=logos),
    )


def read_time(answer: RatesAnswer | LowestRates) -> str:
    """Return when the rates were read, in UK time; samples have only a date."""
    read = answer.read_at.astimezone(UK)
    return f"{read:%-d %B %Y}" if answer.sample else f"{read:%H:%M} on {read:%-d %B %Y}"


def rate_cards(visible: Sequence[RateProduct], query: RatesQuery, *, logos: Mapping[int, str]) -> tuple[RateCard, ...]:
    """Return the cards of the products on screen; tags and comparisons are among these only."""
    if not visible:
        return ()
    lowest_rate = min(visible, key=lambda product: product.initial_rate)
    cheapest = min(visible, key=lambda product: product.yearly_true_cost)
    return tuple(
        _card(product, query=query, logo=logos.get(product.lender_id, ""), lowest_rate=lowest_rate, cheapest=cheapest)
        for product in visible
    )


def _card(
    product: RateProduct, *, query: RatesQuery, logo: str, lowest_rate: RateProduct, cheapest: RateProduct
) -> RateCard:
    tag = "Lowest true cost" if product is cheapest else "Lowest rate" if product is lowest_rate else ""
    length = duration(product.initial_months)
    return RateCard(
        product_id=product.product_id,
        headline=headline(product, logo=logo),
        summary=f"{deal_name(product)}, {repayment_basis(product)}, over {duration(product.term_years * 12)}",
        tag=tag,
        best=product is cheapest,
        payment=pounds_and_pence(product.initial_payment),
        payment_caption=f"for {product.initial_months} months",
        fees=exact_pounds(product.total_fees),
        total_label=f"Total to pay, {length}",
        total=pounds(product.cash_cost),
        true_label=f"True cost, {length}",
        true_cost=pounds(product.true_cost),
        true_year=f"{pounds(product.yearly_true_cost)} a year",
        split=cost_split(product),
        why=_why(product, cheapest=cheapest, lowest_rate=lowest_rate),
        follow_on=follow_on_sentence(product),
        ltv=f"{query.ltv:.0f}%; this deal allows up to {product.most_ltv:.0f}%",
        early_repayment=early_repayment_sentence(product),
    )


def _why(product: RateProduct, *, cheapest: RateProduct, lowest_rate: RateProduct) -> str:
    """Return a sentence that compares the product's yearly true cost with the cheapest on screen."""
    more = whole_pounds(product.yearly_true_cost) - whole_pounds(cheapest.yearly_true_cost)
    gap = pounds(more)
    if product is cheapest and product is lowest_rate:
        return "Lowest rate and lowest true cost of those shown."
    if product is cheapest:
        less = lowest_rate.total_fees - product.total_fees
        if less <= 0:
            return "Lowest true cost of those shown."
        return (
            f"Lowest true cost of those shown. A higher rate than {product_name(lowest_rate)}, "
            f"but {exact_pounds(less)} less in fees."
        )
    if product is lowest_rate and more and product.total_fees > cheapest.total_fees:
        return (
            f"The lowest rate shown, but the {exact_pounds(product.total_fees)} of fees makes it {gap} a year dearer "
            f"than {product_name(cheapest)}."
        )
    if not more:
        return f"The same true cost a year as {product_name(cheapest)}, to the pound."
    return f"{gap} more a year than {product_name(cheapest)}, the lowest true cost of those shown."


def _fee_free(count: int, query: RatesQuery) -> str:
    if not count:
        return ""
    deals, are = ("1 deal", "is") if count == 1 else (f"{count:,} deals", "are")
    return f"{deals} with no lender fee {are} {'in' if query.with_fee_free else 'left out of'} this list."
