"""The result that a visitor sends to an adviser: named by the address of its PDF, and worked out anew by the server.

The contact page has it at an address such as `/contact/?result=/tools/rates/result.pdf&amount=150000`: a link of the
result's page writes that, and without scripts a button of its form. No text of a browser is believed.
"""

import logging

from starlette.datastructures import Headers
from starlette.types import Scope

from broker import routes
from broker.domain.documents import Document
from broker.domain.enquiries.attachment import Attachment, attachment
from broker.domain.rates.product import RatesError
from broker.presenters.documents.attachment import RESULT, attachment_form_values
from broker.presenters.enquiry_form import CAME_FROM, form_values
from broker.server.forms.documents import document_at
from broker.server.paths import parameters_of
from broker.server.releases import LiveExport
from broker.server.rendered_pages import RenderedPages
from broker.server.response import Answer, Handler

FAILURES = (RatesError, ArithmeticError, LookupError, ValueError)
"""What may come of figures that somebody made up; the message of ours alone holds none of them."""

log = logging.getLogger(__name__)


def contact_page(live: LiveExport) -> Handler:
    """Return the handler of the contact page with a result; an address without one is left to the exported page."""
    pages = RenderedPages(live=live)

    async def answer(scope: Scope) -> Answer | None:
        parameters = parameters_of(scope)
        path = parameters.pop(RESULT, "")
        if not path:
            return None
        address = routes.with_query(path, parameters)
        found = await attachment_at(address)
        document = found.document if found else None
        values = form_values({CAME_FROM: document.address if document else ""})
        return pages.answer("contact", {**values, **result_values(found, address)}, headers=Headers(scope=scope))

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
    """Return the values of the form for a result: its address is written anew, with nothing that the browser added."""
    document = found.document if found else None
    return attachment_form_values(found, _named(str(address), document) if document else "")


def _named(address: str, document: Document) -> str:
    """Return the address of a document's PDF with the figures that the document was made from."""
    _, mark, query = document.address.partition("?")
    return f"{address.partition('?')[0]}{mark}{query}"
