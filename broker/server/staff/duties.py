"""The files of the page of duties at the edge."""

import asyncio
import logging
from collections.abc import Callable

from starlette.datastructures import FormData

from broker import routes
from broker.clock import UK
from broker.documents.document import Letterhead
from broker.documents.pdf import PdfError
from broker.duties.complaint import NotDone
from broker.duties.complaint_view import complaints_csv
from broker.duties.people import person_json
from broker.duties.person_data import Person
from broker.duties.person_document import export_name, person_document
from broker.server.downloads import BYTE_ORDER_MARK
from broker.server.forms.posts import Post
from broker.server.response import Answer, attachment
from broker.server.staff.access import staff_handlers
from broker.server.staff.pages import Message, StaffPages
from broker.server.staff.sign_in import MAX_FORM_BYTES
from broker.server.templating import MARK
from broker.services import Services
from broker.staff.accounts import StaffSession

_TITLE = "Duties as a file"
_NOT_MADE = "The file could not be made"
_FORMATS = {"pdf": "application/pdf", "json": "application/json"}
_BACK = (routes.STAFF_DUTIES, "Back to the duties")

log = logging.getLogger(__name__)


class DutiesFiles:
    """Files that a form post requests, so that no link makes one."""

    def __init__(self, services: Services, *, firm: str, letterhead: Callable[[], Letterhead]) -> None:
        self._services, self._pages, self._letterhead = services, StaffPages(firm=firm), letterhead

    def posts(self) -> dict[str, Post]:
        staff = staff_handlers(self._services, self._pages, _TITLE, back=routes.STAFF_DUTIES, link=_BACK)
        complaints = staff.posts({"complaints-file": self._complaints}, max_bytes=1_024)
        return complaints | staff.posts({"person-file": self._person}, max_bytes=MAX_FORM_BYTES)

    async def _complaints(self, session: StaffSession, _form: FormData) -> Answer:
        complaints = self._services.duties.complaints
        found = await complaints.export(who=session.name)
        if isinstance(found, NotDone):
            return self._problem(Message(title=_NOT_MADE, text=f"{found.words}."))
        name = f"complaints-{complaints.now.astimezone(UK):%Y-%m-%d}.csv"
        return attachment(BYTE_ORDER_MARK + complaints_csv(found).encode(), "text/csv; charset=utf-8", name)

    async def _person(self, session: StaffSession, form: FormData) -> Answer:
        """Answer with a person's data as a PDF or as JSON."""
        wanted, people = str(form.get("form")), self._services.duties.people
        if wanted not in _FORMATS:
            return self._problem(Message(title=_NOT_MADE, text="Please choose PDF or JSON."), status=400)
        person = await people.export(form.get("person"), form=wanted.upper(), who=session.name)
        if isinstance(person, NotDone):
            return self._problem(Message(title=_NOT_MADE, text=f"{person.words}."))
        try:
            body = await self._body(person, wanted)
        except PdfError as error:
            log.error("a person's data as a PDF: %s", error)
            return self._problem(Message(title=_NOT_MADE, text="Please try again, or take the JSON file."))
        return attachment(body, _FORMATS[wanted], export_name(person, wanted))

    async def _body(self, person: Person, wanted: str) -> bytes:
        """Return the file; raises PdfError."""
        if wanted == "json":
            return (await asyncio.to_thread(person_json, person)).encode()
        head, rules = self._letterhead(), self._services.duties.rules
        document = await asyncio.to_thread(person_document, person, head, rules)
        return await self._services.pdf.draw(document, head, mark=MARK)

    def _problem(self, message: Message, *, status: int = 503) -> Answer:
        return self._pages.problem(_TITLE, message, status=status, link=_BACK)
