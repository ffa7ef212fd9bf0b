"""The result that is attached to an enquiry as a PDF for staff: the stored document, on the day it was sent."""

import logging
from collections.abc import Callable
from dataclasses import replace

from starlette.datastructures import Headers
from starlette.types import Scope

from broker.documents.document import Letterhead
from broker.documents.pdf import PdfError
from broker.enquiries.working_time import UK
from broker.server.downloads import pdf_answer
from broker.server.paths import parameters_of
from broker.server.response import Answer, Handler, plain_text
from broker.server.staff.access import current_session
from broker.server.templating import MARK
from broker.services import current
from broker.staff.enquiry_workflow import Case, Refused
from broker.storage.errors import StorageError

log = logging.getLogger(__name__)

SIGNED_OUT = plain_text(403, "You are not signed in. Please open the staff area and sign in.\n")
NOTHING = plain_text(404, "This enquiry has no result, or is no longer there. Please go back to its page.\n")
AWAY = plain_text(503, "We cannot make this document just now. Please try again in a minute.\n")


def result_handler(letterhead: Callable[[], Letterhead]) -> Handler:
    """Return the handler of the PDF; the record tells that the enquiry was read."""

    async def answer(scope: Scope) -> Answer:
        try:
            session = await current_session(current(), Headers(scope=scope))
            if session is None:
                return SIGNED_OUT
            found = await current().enquiry_admin.open(parameters_of(scope).get("reference"), who=session.name)
            if isinstance(found, Refused):
                return AWAY
            attachment = found.kept.enquiry.attachment if isinstance(found, Case) else None
            if not isinstance(found, Case) or attachment is None or attachment.document is None:
                return NOTHING
            head = replace(letterhead(), day=f"{found.kept.created.astimezone(UK):%-d %B %Y}")
            return pdf_answer(attachment.document, await current().pdf.draw(attachment.document, head, mark=MARK))
        except (StorageError, PdfError) as error:
            log.warning("attached result not drawn: %s", error)
            return AWAY

    return answer
