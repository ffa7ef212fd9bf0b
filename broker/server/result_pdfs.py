"""PDFs of results: each below the path of its page, attached to the contact form, and of an enquiry for staff."""

import logging
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache

from starlette.datastructures import Headers
from starlette.types import Scope

from broker import routes
from broker.appointments.times_view import PARAMETERS, TimesPage
from broker.calculators.calculator import Calculator
from broker.calculators.registry import CALCULATORS
from broker.cases.case import Case, Refused
from broker.clock import UK
from broker.documents.attachment import RESULT, attachment_form_values
from broker.documents.document import Document, Letterhead
from broker.documents.pdf import PdfError
from broker.documents.plans import calculator_document, rate_history_document
from broker.documents.search import comparison_document, search_document
from broker.enquiries.enquiry import Attachment, attachment, parse_reference
from broker.enquiries.form_view import CAME_FROM, TIMES, form_values
from broker.rates.comparison import compared_ids
from broker.rates.customers import RULES
from broker.rates.product import RatesError
from broker.rates.query import QueryError, RatesQuery
from broker.rates.search import compared_products
from broker.rates.search_params import COMPARE, filters_words, known_lender, offered_lenders, page_in, query_in
from broker.server.downloads import FileCounter, Source, pdf_answer, pdf_handler
from broker.server.forms.call_times import CallTimes
from broker.server.forms.plan_answers import buying_plan_pdf, remortgage_plan_pdf
from broker.server.paths import parameters_of
from broker.server.releases import LiveExport
from broker.server.rendered_pages import RenderedPages
from broker.server.response import Answer, Handler, plain_text
from broker.server.staff.access import current_session
from broker.server.templating import MARK
from broker.services import current
from broker.storage.errors import StorageError


def pdf_handlers(letterhead: Callable[[], Letterhead], *, proxies: int) -> dict[str, Handler]:
    """Return the handler of each PDF by path; `proxies` is the number of our own proxies."""
    counter = FileCounter(proxies=proxies)
    pages = {path: pdf_handler(source, letterhead, counter=counter) for path, source in _sources().items()}
    return pages | {routes.STAFF_RESULT: result_handler(letterhead)}


async def document_at(address: str) -> Document | None:
    """Return the document of a PDF's address, None where there is no result; raises RatesError."""
    path, _, query = address.partition("?")
    source = _sources().get(path)
    return await source(routes.parameters_in(query)) if source else None


@cache
def _sources() -> dict[str, Source]:
    return {
        routes.BUYING_PLAN + routes.RESULT_PDF: buying_plan_pdf,
        routes.REMORTGAGE_PLAN + routes.RESULT_PDF: remortgage_plan_pdf,
        routes.RATE_HISTORY + routes.RESULT_PDF: _rate_history_source,
        **{routes.calculator(each.slug) + routes.RESULT_PDF: _calculator_source(each) for each in CALCULATORS},
        **{routes.deals(customer) + routes.RESULT_PDF: _search_source(customer) for customer in RULES},
        **{routes.deals(customer) + routes.COMPARISON_PDF: _comparison_source(customer) for customer in RULES},
    }


async def _rate_history_source(parameters: Mapping[str, str]) -> Document | None:
    return rate_history_document(current().rate_history(parameters))


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
        ids = compared_ids(parameters.get(COMPARE))
        products = await compared_products(rates, query, ids=ids)
        return comparison_document(products, query, filters=filters, is_sample=not rates.live, asked=len(ids))

    return source


def _search_in(customer: str, parameters: Mapping[str, str]) -> tuple[RatesQuery, str] | None:
    """Return the search of a page's parameters and its filters in words; None where a figure is wrong."""
    names = offered_lenders(customer, current().lenders.lenders)
    try:
        query = query_in(customer, known_lender(parameters, names))
    except QueryError:
        return None
    return query, filters_words(query, names)


FAILURES = (RatesError, ArithmeticError, LookupError, ValueError)
"""Errors that invented figures may raise; only the message of a RatesError holds none of the figures."""

log = logging.getLogger(__name__)


def contact_page(live: LiveExport, times: CallTimes) -> Handler:
    """Return the handler of the contact page with a result attached; without one the answer is the exported page.

    The address is that of a result, `/contact/?result=/tools/rates/result.pdf&amount=150000`. The document is made
    again from it: nothing that a browser sends is put into an enquiry as it is.
    """
    pages = RenderedPages(live=live)

    async def answer(scope: Scope) -> Answer | None:
        parameters = parameters_of(scope)
        path = parameters.pop(RESULT, "")
        if not path:
            return await times.page(scope)
        figures = {name: text for name, text in parameters.items() if name not in PARAMETERS}
        address = routes.with_query(path, figures)
        found = await attachment_at(address)
        document = found.document if found else None
        values = form_values({CAME_FROM: document.address if document else ""}) | result_values(found, address)
        shown = await times.html(TimesPage(path=routes.CONTACT, parameters={**parameters, RESULT: path}))
        return pages.answer("contact", {**values, TIMES: shown}, headers=Headers(scope=scope))

    return answer


async def attachment_at(address: object) -> Attachment | None:
    """Return the result of an address, without a document where it has none; None where no result is named."""
    if not isinstance(address, str) or not address:
        return None
    try:
        return attachment(await document_at(address))
    except FAILURES as error:  # the enquiry is sent all the same
        log.warning("result not attached: %s", error if isinstance(error, RatesError) else type(error).__name__)
    return Attachment()


def result_values(found: Attachment | None, address: object) -> dict[str, object]:
    """Return the form's values for a result, whose address is rebuilt from the document."""
    document = found.document if found else None
    return attachment_form_values(found, _canonical_address(str(address), document) if document else "")


def _canonical_address(address: str, document: Document) -> str:
    """Return the address of a document's PDF with the figures that the document was made from."""
    _, mark, query = document.address.partition("?")
    return f"{address.partition('?')[0]}{mark}{query}"


_SIGNED_OUT = plain_text(403, "You are not signed in. Please open the staff area and sign in.\n")
_NO_RESULT = plain_text(404, "This enquiry has no result, or is no longer there. Please go back to its page.\n")
_NO_DOCUMENT = plain_text(503, "We cannot make this document just now. Please try again in a minute.\n")


def result_handler(letterhead: Callable[[], Letterhead]) -> Handler:
    """Return the handler of an enquiry's attached result for staff, dated as sent; the audit record lists the read."""

    async def answer(scope: Scope) -> Answer:
        try:
            session = await current_session(current(), Headers(scope=scope), routes.STAFF_RESULT)
            if session is None:
                return _SIGNED_OUT
            reference = parse_reference(parameters_of(scope).get("reference"))
            found = await current().cases.open(reference, who=session.name)
            if isinstance(found, Refused):
                return _NO_DOCUMENT
            sent = found.sent if isinstance(found, Case) else ()
            enquiry = next((each for each in sent if each.reference == reference), None)
            attachment = enquiry.enquiry.attachment if enquiry else None
            if enquiry is None or attachment is None or attachment.document is None:
                return _NO_RESULT
            head = replace(letterhead(), day=f"{enquiry.created.astimezone(UK):%-d %B %Y}")
            return pdf_answer(attachment.document, await current().pdf.draw(attachment.document, head, mark=MARK))
        except (StorageError, PdfError) as error:
            log.warning("attached result not rendered: %s", error)
            return _NO_DOCUMENT

    return answer
