"""What a rates page shows of a search: its list or what became of it, and the search in words.

The edge writes it into the HTML of an address, and the browser starts from the same values.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from broker import routes
from broker.domain.rates.ltv_band import LowerBand
from broker.domain.rates.product import RatesAnswer
from broker.domain.rates.query import QueryError, RatesQuery
from broker.lending.money import pounds
from broker.presenters.documents.attachment import adviser_address
from broker.presenters.rates.rates_csv import download_address
from broker.presenters.rates.results import RatesList, rates_list
from broker.presenters.rates.search_params import filters_words, search_address

IDLE, LOADING, LOADED, EMPTY, FAILED, REFUSED = "idle", "loading", "loaded", "empty", "failed", "refused"
"""States of a search; idle means that the page shows the list that it was built with."""

AWAY = "The rates service did not answer. We have kept your search."


FINDING, FAILURE, REFUSAL = "Finding deals", "We could not load rates", "Check your figures"
"""Headings of a list that is not there."""

REFUSED_SUMMARY = (REFUSAL, "No search yet")
"""A search with a wrong figure in two lines."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownSearch:
    """A search on its page: its list under a heading, or why there is none, and the search in words.

    `heading` and `showing` are of the list, or say what stands in its place. `filter_words` says which filters are
    on, `unfiltered` is the address of the search without them, `download` and `pdf` those of the list as files,
    `adviser` that of the form to send it to an adviser.
    """

    status: str
    is_listed: bool
    is_empty: bool
    is_refused: bool
    heading: str
    showing: str
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
    """Return what a page shows of an answer; `names` and `logos` are those of lenders, by id."""
    filters = filters_words(answer.query, names)
    found = rates_list(answer, page, logos=logos, filters=filters, band=band)
    status = LOADED if found.cards else EMPTY
    return _shown(answer.query, found, status=status, filters=filters, pdf=pdf_address(answer.query, page=page))


def failed_search(query: RatesQuery, *, problem: str, names: Mapping[int, str]) -> ShownSearch:
    """Return what a page shows of a search that failed; `problem` is a sentence."""
    filters = filters_words(query, names)
    return _shown(query, RatesList(heading=FAILURE), status=FAILED, filters=filters, problem=problem)


def refused_search(query: RatesQuery, *, problem: str, names: Mapping[int, str]) -> ShownSearch:
    """Return what a page shows of a search with a wrong figure: no list (decision 52). `query` is its usual search."""
    filters = filters_words(query, names)
    shown = _shown(query, RatesList(heading=REFUSAL), status=REFUSED, filters=filters, problem=problem)
    return replace(shown, summary=REFUSED_SUMMARY)


def refusal_words(error: QueryError) -> str:
    """Return what is wrong with the figures of a search, in sentences."""
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
        problem=problem,
        found=found,
        filter_words=filters,
        unfiltered=unfiltered_address(query),
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


def pdf_address(query: RatesQuery, *, page: int = 1) -> str:
    """Return the address of the list of a search as a PDF, up to a page."""
    path, mark, parameters = search_address(query, page=page).partition("?")
    return path + routes.RESULT_PDF + mark + parameters


def unfiltered_address(query: RatesQuery) -> str:
    return search_address(query.unfiltered)
