"""The documents of the pages that have one: which presenter makes them, from which parameters."""

from collections.abc import Callable, Mapping
from functools import cache

from broker import routes
from broker.calculators.calculator import Calculator
from broker.calculators.registry import CALCULATORS
from broker.domain.documents import Document, Letterhead
from broker.domain.rates.customers import RULES
from broker.domain.rates.query import QueryError, RatesQuery
from broker.presenters.documents.calculator import calculator_document
from broker.presenters.documents.comparison import comparison_document
from broker.presenters.documents.search import search_document
from broker.presenters.rates.comparison import compared_ids
from broker.presenters.rates.search_params import (
    COMPARE,
    filters_words,
    known_lender,
    offered_lenders,
    page_in,
    query_in,
)
from broker.server.forms.buying_plan_answers import buying_plan_pdf
from broker.server.forms.remortgage_plan_answers import remortgage_plan_pdf
from broker.server.pdf_files import FileCounter, Source, pdf_handler
from broker.server.response import Handler
from broker.server.staff.enquiry_result import result_handler
from broker.services import current
from broker.services.rates.compared import compared_products


def pdf_handlers(letterhead: Callable[[], Letterhead], *, proxies: int) -> dict[str, Handler]:
    """Return the handler of each PDF, by its path; `proxies` of our own stand before the server."""
    counter = FileCounter(proxies=proxies)
    pages = {path: pdf_handler(source, letterhead, counter=counter) for path, source in _sources().items()}
    return pages | {routes.STAFF_RESULT: result_handler(letterhead)}


async def document_at(address: str) -> Document | None:
    """Return the document of a PDF's address; None where nothing has one or it has no result. May raise RatesError."""
    path, _, query = address.partition("?")
    source = _sources().get(path)
    return await source(routes.parameters_in(query)) if source else None


@cache
def _sources() -> dict[str, Source]:
    return {
        routes.BUYING_PLAN + routes.RESULT_PDF: buying_plan_pdf,
        routes.REMORTGAGE_PLAN + routes.RESULT_PDF: remortgage_plan_pdf,
        **{routes.calculator(each.slug) + routes.RESULT_PDF: _calculator_source(each) for each in CALCULATORS},
        **{routes.deals(customer) + routes.RESULT_PDF: _search_source(customer) for customer in RULES},
        **{routes.deals(customer) + routes.COMPARISON_PDF: _comparison_source(customer) for customer in RULES},
    }


def _calculator_source(calculator: Calculator) -> Source:
    async def source(parameters: Mapping[str, str]) -> Document | None:
        return calculator_document(calculator, parameters)

    return source


def _search_source(customer: str) -> Source:
    async def source(parameters: Mapping[str, str]) -> Document | None:
        if (found := _search_in(customer, parameters)) is None:
            return None
        query, filters = found
        return search_document(await current().rates.search(query), page_in(parameters), filters=filters)

    return source


def _comparison_source(customer: str) -> Source:
    async def source(parameters: Mapping[str, str]) -> Document | None:
        if (found := _search_in(customer, parameters)) is None:
            return None
        (query, filters), rates = found, current().rates
        products = await compared_products(rates, query, ids=compared_ids(parameters.get(COMPARE)))
        return comparison_document(products, query, filters=filters, is_sample=not rates.live)

    return source


def _search_in(customer: str, parameters: Mapping[str, str]) -> tuple[RatesQuery, str] | None:
    """Return the search of a page's parameters and its filters in words; None where a figure is wrong."""
    names = offered_lenders(customer, current().lenders.lenders)
    try:
        query = query_in(customer, known_lender(parameters, names))
    except QueryError:
        return None
    return query, filters_words(query, names)
