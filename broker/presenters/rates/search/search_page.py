"""The page of a search as the edge writes it: its fields as sent, its list, and what its scripts start from."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass

from broker.domain.rates.customers import RULES
from broker.domain.rates.query import AMOUNT, PRICE, TERM, RatesQuery, field_problems, whole_pounds
from broker.lending.loan_to_value import GaugeView, gauge_view, loan_to_value
from broker.presenters.rates.rate_details import NO_DETAILS, RateDetails
from broker.presenters.rates.search.shown_search import REFUSAL, REFUSED, ShownSearch
from broker.presenters.rates.search_params import CHOICES, LENDER, details_opener

TITLE, DESCRIPTION, START = "title", "description", "start"
"""Names of a template's values: the head of the page, and JSON that its scripts start from."""

DETAIL, OPENER = "detail", "opener"
"""Names of the product that is shown in full, and of the address that shows one, to which its id is added."""

CHOSEN = "chosen"
"""Name of the options that are chosen."""


class ChosenOptions(dict[str, bool]):
    """Which options of a form are chosen, by `option_name`."""

    def __missing__(self, name: str) -> bool:
        return False


@dataclass(frozen=True, slots=True, kw_only=True)
class BoxView:
    """A number box: its text, and what is wrong with it."""

    text: str
    problem: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchFormView:
    """The typed fields of a search form, and the loan to value of their figures."""

    price: BoxView
    amount: BoxView
    term: BoxView
    is_wrong: bool
    gauge: GaugeView


def option_name(field: str, value: str) -> str:
    """Return the name of an option in a template, where names are of letters, digits and underscores."""
    return f"{field}_{value}".replace("-", "_")


def search_page_values(
    form: Mapping[str, str], shown: ShownSearch, *, query: RatesQuery, page: int = 1, detail: RateDetails = NO_DETAILS
) -> dict[str, object]:
    """Return the values of a search page's template.

    `form` is what its fields show, `query` what was searched, `detail` the product that is shown in full.
    """
    start, view = {"shown": asdict(shown), "form": form}, form_view(form)
    return {
        "search": shown,
        "form": view,
        DETAIL: detail,
        OPENER: details_opener(query, page),
        CHOSEN: ChosenOptions({option_name(name, form[name]): True for name in (*CHOICES, LENDER)}),
        TITLE: ("Error: " if view.is_wrong else "") + _title(shown, query),
        DESCRIPTION: _description(shown),
        START: json.dumps(start, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c"),
    }


def form_view(fields: Mapping[str, str]) -> SearchFormView:
    problems = field_problems(fields[PRICE], fields[AMOUNT], term=fields[TERM])
    price, amount, term = (BoxView(text=fields[name], problem=problems[name]) for name in (PRICE, AMOUNT, TERM))
    return SearchFormView(
        price=price,
        amount=amount,
        term=term,
        is_wrong=any(problems.values()),
        gauge=gauge_view(loan_to_value(whole_pounds(amount.text), whole_pounds(price.text))),
    )


def _title(shown: ShownSearch, query: RatesQuery) -> str:
    kind = f"{RULES[query.customer].title.lower()} deals" if query.customer else "mortgage deals"
    if shown.status == REFUSED:
        return f"{REFUSAL}: {kind}"
    return f"{shown.summary[0]}, {query.period} years: {kind}"


def _description(shown: ShownSearch) -> str:
    if shown.status == REFUSED:
        return shown.problem
    loan, deal = shown.summary
    if not shown.is_listed:
        return f"Search for {loan}, {deal}."
    first = shown.found.cards[0]
    return (
        f"{shown.heading} for {loan}, {deal}. First in the list: {first.headline.lender} at {first.headline.rate}, "
        f"{first.headline.aprc} APRC, {first.payment} a month."
    )
