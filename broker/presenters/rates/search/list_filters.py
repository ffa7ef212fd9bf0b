"""The filters above a list: each is a link that takes it on or off, with how many deals it leaves."""

from dataclasses import dataclass, replace

from broker.domain.rates.product import RatesAnswer
from broker.domain.rates.query import RatesQuery
from broker.presenters.rates.search_params import search_address


@dataclass(frozen=True, slots=True, kw_only=True)
class ListFilter:
    """A filter with its count, and the address of the search with it changed."""

    label: str
    count: str
    href: str
    is_on: bool


def list_filters(answer: RatesAnswer) -> tuple[ListFilter, ...]:
    """Return the filters that are on, and those that leave something."""
    query = answer.query
    is_free = query.with_fee_free and query.most_fees == 0
    free = replace(query, with_fee_free=not is_free, most_fees=None if is_free else 0)
    filters = (
        ("No lender fee", answer.fee_free, is_free, free),
        ("Cashback", answer.with_cashback, query.cashback, replace(query, cashback=not query.cashback)),
        (
            "No early repayment charge",
            answer.without_charge,
            query.no_charge,
            replace(query, no_charge=not query.no_charge),
        ),
    )
    return tuple(
        ListFilter(label=label, count=f"{count:,}", href=search_address(changed), is_on=is_on)
        for label, count, is_on, changed in filters
        if count or is_on
    )


def with_free_href(query: RatesQuery) -> str:
    """Return the address of the search with products without a lender fee beside the others."""
    return search_address(replace(query, with_fee_free=True, most_fees=query.most_fees or None))
