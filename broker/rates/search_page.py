"""The view of a search page, which the edge writes into the HTML and the browser starts from."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace

from broker.documents.attachment import adviser_address
from broker.lending.loan_to_value import GaugeView, gauge_view, loan_to_value
from broker.lending.money import pounds
from broker.rates.customers import RULES
from broker.rates.lowest_rates import LowerBand
from broker.rates.product import RatesAnswer
from broker.rates.query import AMOUNT, PRICE, TERM, QueryError, RatesQuery, field_problems, whole_pounds
from broker.rates.rate_details import NO_DETAILS, RateDetails
from broker.rates.results import RatesList, rates_list
from broker.rates.search_params import (
    CHOICES,
    LENDER,
    details_opener,
    download_address,
    filters_words,
    pdf_address,
    search_address,
)

IDLE, LOADING, LOADED, EMPTY, FAILED, REFUSED = "idle", "loading", "loaded", "empty", "failed", "refused"
"""States of a search; idle means that the page shows the list that it was built with."""

AWAY = "The rates service did not answer. We have kept your search."

FINDING, FAILURE, REFUSAL = "Finding deals", "We could not load rates", "Check your figures"
"""Headings without a list: while it loads, and when there is none."""

REFUSED_SUMMARY = (REFUSAL, "No search yet")
"""A search with a wrong figure in two lines."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownSearch:
    """A search on its page: its list or the problem, each under `heading`, and the search in words.

    `showing` says what the list shows, `source` when its rates were read.
    `filter_words` names the filters that are on; `unfiltered` is the address of the search without them, `download` and
    `pdf` those of the list as files, `adviser` that of the form to send it to an adviser.
    """

    status: str
    is_listed: bool
    is_empty: bool
    is_refused: bool
    heading: str
    showing: str
    source: str
    problem: str
    found: RatesList
    filter_words: str
    unfiltered: str
    summary: tuple[str, str]
    download: str
    pdf: str
    adviser: str


def shown_search(
    answer: RatesAnswer, page: int, *, names: Mapping[int, str], logos: Mapping[int, str], band: LowerBand | None
) -> ShownSearch:
    """Return the view of an answer; `names` and `logos` are those of lenders, by id."""
    filters = filters_words(answer.query, names)
    found = rates_list(answer, page, logos=logos, filters=filters, band=band)
    status = LOADED if found.cards else EMPTY
    return _shown(answer.query, found, status=status, filters=filters, pdf=pdf_address(answer.query, page=page))


def failed_search(query: RatesQuery, *, problem: str, names: Mapping[int, str]) -> ShownSearch:
    """Return the view of a search that failed; `problem` is a sentence."""
    filters = filters_words(query, names)
    return _shown(query, RatesList(heading=FAILURE), status=FAILED, filters=filters, problem=problem)


def refused_search(query: RatesQuery, *, problem: str, names: Mapping[int, str]) -> ShownSearch:
    """Return the view of a search with a wrong figure: no list (decision 52). `query` has the page's defaults."""
    filters = filters_words(query, names)
    shown = _shown(query, RatesList(heading=REFUSAL), status=REFUSED, filters=filters, problem=problem)
    return replace(shown, summary=REFUSED_SUMMARY)


def refusal_words(error: QueryError) -> str:
    return f"{'. '.join(error.problems.values())}."


def _shown(
    query: RatesQuery, found: RatesList, *, status: str, filters: str, problem: str = "", pdf: str = ""
) -> ShownSearch:
    return ShownSearch(
        status=status,
        is_listed=status == LOADED,
        is_empty=status == EMPTY,
        is_refused=status == REFUSED,
        heading=found.heading,
        showing=found.showing,
        source=found.source,
        problem=problem,
        found=found,
        filter_words=filters,
        unfiltered=search_address(query.unfiltered),
        summary=search_summary(query, filters=filters),
        download=download_address(query),
        pdf=pdf,
        adviser=adviser_address(pdf),
    )


def search_summary(query: RatesQuery, *, filters: str) -> tuple[str, str]:
    """Return a search in two lines: its loan, then the deal with its filters."""
    kind = "fixed" if query.fixed else "variable"
    deal = f"{query.period}-year {kind}, over {query.term} {'year' if query.term == 1 else 'years'}"
    return f"{pounds(query.amount)} of {pounds(query.price)}", f"{deal}, {filters}" if filters else deal


TITLE, DESCRIPTION, START = "title", "description", "start"
"""Names of a template's values: of the page's head, and JSON for the initial state of its scripts."""

DETAIL, OPENER = "detail", "opener"
"""Names of the product that is shown in full, and of the address that shows one, to which its id is added."""

CHOSEN = "chosen"
"""Name of the options that are chosen."""


class ChosenOptions(dict[str, bool]):
    def __missing__(self, name: str) -> bool:
        return False


@dataclass(frozen=True, slots=True, kw_only=True)
class BoxView:
    """A number box: its text and its error message."""

    text: str
    problem: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchFormView:
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
        f"{shown.heading}, for {loan}, {deal}. First in the list: {first.headline.lender} at {first.headline.rate}, "
        f"{first.headline.aprc} APRC, {first.payment} a month."
    )
