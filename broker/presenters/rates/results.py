"""A list of products as display strings: cards, and the text around them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from broker.domain.enquiries.working_time import UK
from broker.domain.immutable import Immutable
from broker.domain.rates.customers import RULES
from broker.domain.rates.lowest_rates import LowestRates
from broker.domain.rates.ltv_band import LowerBand
from broker.domain.rates.product import RateProduct, RatesAnswer, deal_kind
from broker.domain.rates.query import RatesQuery, SortOrder
from broker.domain.rates.ranking import PAGE_SIZE, last_page, visible_range
from broker.lending.loan_to_value import ltv_figure, ltv_text
from broker.lending.money import exact_pounds, pounds, pounds_and_pence
from broker.presenters.rates.incentive_text import incentive_labels, overpayment_text
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
    net_cost,
    repayment_basis,
)
from broker.presenters.rates.search.band_hint import band_button, band_sentence
from broker.presenters.rates.search.list_filters import ListFilter, list_filters, with_free_href
from broker.presenters.rates.search_params import search_address
from broker.presenters.rates.standing import Standing
from broker.presenters.rates.true_cost import winners_note

NONE_FOUND = "No products found, please amend the filters!"
"""The text of specification 4."""

NOTHING = "No deal fits this search"

ORDER_WORDS = {
    SortOrder.RATE: "lowest rate first",
    SortOrder.FEES: "lowest fees first",
    SortOrder.TRUE_COST: "lowest true cost a year first",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class RateCard:
    """One product on a card, as display strings; `tag` is empty, or what the product is the lowest of."""

    product_id: str
    headline: Headline
    name: str
    summary: str
    labels: tuple[str, ...]
    tag: str
    best: bool
    payment: str
    payment_caption: str
    fees: str
    total_label: str
    total: str
    total_caption: str
    true_label: str
    true_cost: str
    true_year: str
    split: Split
    why: str
    follow_on: str
    ltv: str
    early_repayment: str
    overpayments: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RatesList(Immutable):
    """The cards of a list, and the text above and below them.

    `more`, `earlier`, `band_address` and `fee_free_href` are addresses of further searches, empty where there is none;
    the last is that of the list with the fee-free products that this one leaves out.
    """

    heading: str = ""
    showing: str = ""
    read_at: str = ""
    sample: bool = True
    stale: bool = False
    example: str = ""
    example_aprc: str = ""
    winners: str = ""
    filters: tuple[ListFilter, ...] = ()
    fee_free: str = ""
    fee_free_href: str = ""
    unregulated: bool = False
    more: str = ""
    earlier: str = ""
    band: str = ""
    band_button: str = ""
    band_address: str = ""
    cards: tuple[RateCard, ...] = ()


def rates_list(
    answer: RatesAnswer, page: int, *, logos: Mapping[int, str], filters: str = "", band: LowerBand | None = None
) -> RatesList:
    """Return the list up to a page of an answer; `logos` are by lender id, `filters` says which filters are on."""
    query, total = answer.query, len(answer.products)
    first, end = visible_range(total, page)
    which = f" {filters}" if filters else ""
    places = f"Showing {_places(first, end)} of {total:,}{which}, {ORDER_WORDS[query.sort]}"
    visible = answer.products[first:end]
    return RatesList(
        heading=f"{total:,} {RULES[query.customer].title.lower()} {'deal' if total == 1 else 'deals'}",
        showing=places if total else NOTHING,
        read_at=read_time(answer),
        stale=answer.stale,
        sample=answer.sample,
        example=example_sentence(visible[0]) if visible else "",
        example_aprc=aprc_sentence(visible[0]) if visible else "",
        winners=winners_note(answer.winners),
        filters=list_filters(answer),
        fee_free=_fee_free(answer.fee_free, query),
        fee_free_href=with_free_href(query) if answer.fee_free and not query.with_fee_free else "",
        unregulated=not query.residential,
        more=search_address(query, page=last_page(end) + 1) if end < total else "",
        earlier=search_address(query, page=first // PAGE_SIZE) if first else "",
        band=band_sentence(band, amount=query.amount),
        band_button=band_button(band),
        band_address=search_address(band.query) if band else "",
        cards=rate_cards(visible, answer, logos=logos),
    )


def _places(first: int, end: int) -> str:
    return f"{first + 1:,} to {end:,}" if first else f"{end:,}"


def read_time(answer: RatesAnswer | LowestRates) -> str:
    """Return when the rates were read, in UK time; samples have only a date."""
    read = answer.read_at.astimezone(UK)
    return f"{read:%-d %B %Y}" if answer.sample else f"{read:%H:%M} on {read:%-d %B %Y}"


def rate_cards(
    visible: Sequence[RateProduct], answer: RatesAnswer, *, logos: Mapping[int, str]
) -> tuple[RateCard, ...]:
    """Return the cards of the products on screen; tags and comparisons are with the whole answer."""
    standing = Standing.of(answer)
    if standing is None:
        return ()
    return tuple(
        _card(product, query=answer.query, standing=standing, logo=logos.get(product.lender_id, ""))
        for product in visible
    )


def _card(product: RateProduct, *, query: RatesQuery, standing: Standing, logo: str) -> RateCard:
    length = duration(product.initial_months)
    return RateCard(
        product_id=product.product_id,
        headline=headline(product, logo=logo),
        name=product.title,
        summary=_summary(product),
        labels=incentive_labels(product),
        tag=standing.tag(product),
        best=standing.is_cheapest(product),
        payment=pounds_and_pence(product.initial_payment),
        payment_caption=f"for {product.initial_months} months",
        fees=exact_pounds(product.total_fees),
        total_label=f"Total to pay, {length}",
        total=pounds(product.cash_cost),
        total_caption=_total_caption(product),
        true_label=f"True cost, {length}",
        true_cost=pounds(product.true_cost),
        true_year=f"{pounds(product.yearly_true_cost)} a year",
        split=cost_split(product),
        why=standing.sentence(product),
        follow_on=follow_on_sentence(product),
        ltv=f"{ltv_text(query.amount, query.price)}; this deal allows up to {ltv_figure(product.most_ltv)}%",
        early_repayment=early_repayment_sentence(product),
        overpayments=overpayment_text(product),
    )


def _summary(product: RateProduct) -> str:
    """Return what the name of a product does not say: its kind of deal, and how the loan is repaid.

    A lender may name a deal of 27 months by its two years.
    """
    kind, title = deal_name(product), product.title.lower()
    in_years = deal_kind(product.rate_type, round(product.initial_months / 12) * 12)
    named = "" if kind in title or in_years in title else f"{kind}, "
    return f"{named}{repayment_basis(product)} over {duration(product.term_years * 12)}"


def _total_caption(product: RateProduct) -> str:
    return f"{net_cost(product)} after cashback" if product.incentives.cashback else "including fees"


def _fee_free(count: int, query: RatesQuery) -> str:
    if not count:
        return ""
    deals, are = ("1 deal", "is") if count == 1 else (f"{count:,} deals", "are")
    return f"{deals} with no lender fee {are} {'in' if query.with_fee_free else 'left out of'} this list."
