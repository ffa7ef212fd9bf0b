"""A list of products as display strings: cards, filters with counts, and the text around them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from broker.clock import UK
from broker.lending.immutable import Immutable
from broker.lending.loan_to_value import ltv_figure, ltv_text
from broker.lending.money import exact_pounds, percent, pounds, pounds_and_pence
from broker.rates.costs import balance_at_end, break_even, cost_terms
from broker.rates.filters import FILTERS
from broker.rates.lowest_rates import LowerBand, LowestRates
from broker.rates.product import RateProduct, RatesAnswer, Winners
from broker.rates.product_text import (
    NONE_STATED,
    Headline,
    aprc_sentence,
    cheaper_below,
    deal_and_ltv,
    duration,
    early_repayment_sentence,
    example_sentence,
    follow_on_sentence,
    headline,
    incentives_in_a_line,
    net_cost,
    overpayment_text,
    portability_text,
    product_name,
    repaid_text,
    rounded_pounds,
)
from broker.rates.query import RatesQuery, SortOrder
from broker.rates.ranking import PAGE_SIZE, last_page, visible_range
from broker.rates.search_params import search_address

NONE_FOUND = "No products found, please amend the filters!"
"""The text of specification 4."""

NOTHING = "No deal fits this search"

ORDER_WORDS = {
    SortOrder.RATE: "lowest rate first",
    SortOrder.FEES: "lowest fees first",
    SortOrder.TRUE_COST: "lowest true cost a year first",
}


_CARDS_BEFORE_NOTES = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class ListFilter:
    label: str
    count: str
    href: str
    is_on: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RateCard:
    """One product on a card, as display strings; `tag` is empty, or what the product is the lowest of.

    `name` is the lender's own, `kind` the deal in a few words. The example of a list follows the card that
    `is_before_example`, and its notes the card that `is_before_notes`.
    """

    product_id: str
    headline: Headline
    name: str
    kind: str
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
    repaid: str
    why: str
    follow_on: str
    ltv: str
    early_repayment: str
    overpayments: str
    portability: str
    comes_with: str
    is_before_example: bool = False
    is_before_notes: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RatesList(Immutable):
    """The cards of a list, and the text above and below them; `source` says when its rates were read.

    `more`, `earlier`, `band_address` and `fee_free_href` are addresses of further searches, empty where there is none;
    the last is that of the list with the fee-free products that this one leaves out.
    """

    heading: str = ""
    showing: str = ""
    source: str = ""
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
    """Return the list up to a page of an answer; `logos` are by lender id, `filters` are their words."""
    query, total = answer.query, len(answer.products)
    first, end = visible_range(total, page)
    range_shown = f"{first + 1:,} to {end:,}" if end > 1 else "1"
    which = f" {filters}" if filters else ""
    visible = answer.products[first:end]
    return RatesList(
        heading=f"{total:,} {'deal' if total == 1 else 'deals'}, {ORDER_WORDS[query.sort]}" if total else NOTHING,
        showing=f"Showing {range_shown} of {total:,}{which}" if total else "",
        source=_source(answer),
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


def read_time(answer: RatesAnswer | LowestRates) -> str:
    """Return when the rates were read, in UK time; samples have only a date."""
    read = answer.read_at.astimezone(UK)
    return f"{read:%-d %B %Y}" if answer.sample else f"{read:%H:%M} on {read:%-d %B %Y}"


def _source(answer: RatesAnswer) -> str:
    if answer.sample:
        return f"Sample rates, {answer.read_at.astimezone(UK):%B %Y} averages. Not offers."
    return f"Rates read at {read_time(answer)}."


def list_filters(answer: RatesAnswer) -> tuple[ListFilter, ...]:
    """Return the filters that are on, and those that leave something."""
    query = answer.query
    is_free = query.with_fee_free and query.most_fees == 0
    free = replace(query, with_fee_free=not is_free, most_fees=None if is_free else 0)
    filters = [("No lender fee", answer.fee_free, is_free, free)]
    for each in FILTERS:
        changed = replace(query, filters=query.filters ^ {each.parameter})
        filters.append((each.label, answer.counts.get(each.parameter, 0), each.parameter in query.filters, changed))
    return tuple(
        ListFilter(label=label, count=f"{count:,}", href=search_address(changed), is_on=is_on)
        for label, count, is_on, changed in filters
        if count or is_on
    )


def with_free_href(query: RatesQuery) -> str:
    """Return the address of the search with products without a lender fee beside the others."""
    return search_address(replace(query, with_fee_free=True, most_fees=query.most_fees or None))


def _fee_free(count: int, query: RatesQuery) -> str:
    if not count:
        return ""
    deals, are = ("1 deal", "is") if count == 1 else (f"{count:,} deals", "are")
    return f"{deals} with no lender fee {are} {'in' if query.with_fee_free else 'left out of'} this list."


def rate_cards(
    visible: Sequence[RateProduct], answer: RatesAnswer, *, logos: Mapping[int, str]
) -> tuple[RateCard, ...]:
    """Return the cards of the products on screen; tags and comparisons are with the whole answer."""
    standing = Standing.of(answer)
    if standing is None:
        return ()
    cards = (
        _card(product, query=answer.query, standing=standing, logo=logos.get(product.lender_id, ""))
        for product in visible
    )
    noted = min(_CARDS_BEFORE_NOTES, len(visible)) - 1
    return tuple(
        replace(card, is_before_example=place == 0, is_before_notes=place == noted) for place, card in enumerate(cards)
    )


def _card(product: RateProduct, *, query: RatesQuery, standing: Standing, logo: str) -> RateCard:
    length = duration(product.initial_months)
    return RateCard(
        product_id=product.product_id,
        headline=headline(product, logo=logo),
        name=product.title,
        kind=_kind(product, query),
        tag=standing.tag(product),
        best=standing.is_cheapest(product),
        payment=pounds_and_pence(product.initial_payment),
        payment_caption=f"{'interest only, ' if product.interest_only else ''}for {product.initial_months} months",
        fees=exact_pounds(product.total_fees),
        total_label=f"Total to pay, {length}",
        total=pounds(product.cash_cost),
        total_caption=f"{net_cost(product)} after cashback" if product.incentives.cashback else "including fees",
        true_label=f"True cost, {length}",
        true_cost=pounds(product.true_cost),
        true_year=f"{pounds(product.yearly_true_cost)} a year",
        repaid=repaid_text(product),
        why=standing.sentence(product),
        follow_on=follow_on_sentence(product),
        ltv=f"{ltv_text(query.amount, query.price)}; this deal allows up to {ltv_figure(product.most_ltv)}%",
        early_repayment=early_repayment_sentence(product),
        overpayments=overpayment_text(product),
        portability=portability_text(product),
        comes_with=incentives_in_a_line(product) or NONE_STATED,
    )


def _kind(product: RateProduct, query: RatesQuery) -> str:
    """Return the deal in a few words; the general list also says who may apply, which others take as known."""
    eligible = product.incentives.eligibility
    who = f", {eligible[:1].lower()}{eligible[1:]}" if eligible and not query.customer else ""
    return deal_and_ltv(product) + who


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """The products of a search with the lowest rate and the lowest true cost a year, and how many it found.

    Figures are compared as they are shown, so that no tag and no difference contradicts a figure beside it.
    """

    rate: RateProduct
    true: RateProduct
    count: int

    @classmethod
    def of(cls, answer: RatesAnswer) -> Standing | None:
        """Return the standing in an answer; None without products."""
        rate, true = answer.winners.rate, answer.winners.true
        return None if rate is None or true is None else cls(rate=rate, true=true, count=len(answer.products))

    def is_lowest_rate(self, product: RateProduct) -> bool:
        return percent(product.initial_rate) == percent(self.rate.initial_rate)

    def is_cheapest(self, product: RateProduct) -> bool:
        """Return whether no product has a lower true cost a year in whole pounds."""
        return self._more(product) <= 0

    def tag(self, product: RateProduct) -> str:
        if self.is_cheapest(product):
            return "Lowest rate and true cost" if self.is_lowest_rate(product) else "Lowest true cost"
        return "Lowest rate" if self.is_lowest_rate(product) else ""

    def sentence(self, product: RateProduct) -> str:
        if self.count == 1:
            return "The only deal that fits this search."
        every = f"all {self.count:,} deals"
        if not self.is_cheapest(product):
            dearer = f"{pounds(self._more(product))} a year"
            if self.is_lowest_rate(product):
                return f"Lowest rate of {every}, but {dearer} more in true cost than {product_name(self.true)}."
            return f"{dearer} more than {product_name(self.true)}, the lowest true cost of {every}."
        if self.is_lowest_rate(product):
            return f"Lowest rate and lowest true cost of {every}."
        less = self.rate.total_fees - product.total_fees
        fees = f", but its fees are {exact_pounds(less)} lower" if less > 0 else ""
        higher = f" Its rate is higher than that of {product_name(self.rate)}{fees}." if fees else ""
        return f"Lowest true cost of {every}.{higher}"

    def _more(self, product: RateProduct) -> int:
        return rounded_pounds(product.yearly_true_cost) - rounded_pounds(self.true.yearly_true_cost)


def winners_note(winners: Winners) -> str:
    """Return both winners and the break-even loans; empty if one product wins by both, or their figures are equal."""
    cash, true = winners.cash, winners.true
    if cash is None or true is None or cash.product_id == true.product_id:
        return ""
    if rounded_pounds(cash.yearly_true_cost) <= rounded_pounds(true.yearly_true_cost):
        return ""
    back = ", after cashback" if cash.incentives.cashback or true.incentives.cashback else ""
    because = ", because it leaves you owing less" if balance_at_end(true) < balance_at_end(cash) else ""
    return (
        f"{product_name(cash)} costs least in cash a year{back}, but {product_name(true)} has the lowest true "
        f"cost{because}.{_break_evens(cash, true)}"
    )


def _break_evens(cash: RateProduct, true: RateProduct) -> str:
    """Return below which loans one of two products has the lower costs; empty where none changes the true cost."""
    crossing = break_even(cost_terms(cash), cost_terms(true))
    if not crossing.true:
        return ""
    by_cash = f", and below {pounds(crossing.cash)} it costs less in cash" if crossing.cash else ""
    return f" Below a loan of {pounds(crossing.true)}, {cheaper_below(cash, true)} has the lower true cost{by_cash}."


def band_sentence(band: LowerBand | None, *, amount: int) -> str:
    """Return the sentence on a lower band for the loan of a search; empty where there is none."""
    if band is None:
        return ""
    less = pounds(amount - band.query.amount)
    takes = f"{less} more deposit, so {less} less to borrow," if band.query.purchase else f"{less} less to borrow"
    rates = f"from {percent(band.here.initial_rate)} to {percent(band.there.initial_rate)} for the lowest rate"
    return f"{takes} brings you to {band.ltv}%: {rates}, {_saving(band)}."


def band_button(band: LowerBand | None) -> str:
    return f"Search with {pounds(band.query.amount)}" if band else ""


def _saving(band: LowerBand) -> str:
    """Return the difference between both payments as they are shown, to the pound where it is one or more."""
    less = round(band.here.initial_payment, 2) - round(band.there.initial_payment, 2)
    shown = pounds(abs(less)) if abs(less) >= 1 else pounds_and_pence(abs(less))
    return f"{shown} a month less" if less >= 0 else f"{shown} a month more"
