"""The files of the page of duties at the edge."""

from typing import Protocol

from starlette.datastructures import FormData

from broker import routes
from broker.clock import UK
from broker.duties.complaint import NotDone
from broker.duties.complaint_view import complaints_csv
from broker.duties.service import Duties
from broker.server.downloads import BYTE_ORDER_MARK
from broker.server.forms.posts import Post, Sender
from broker.server.response import Answer
from broker.server.staff.access import StaffProvider, current_session, sign_in_path
from broker.server.staff.pages import DATABASE_AWAY, Message, StaffPages, redirect
from broker.storage.errors import StorageError

_TITLE = "Complaints as a file"
_BACK = (routes.STAFF_DUTIES, "Back to the duties")


class DutiesProvider(StaffProvider, Protocol):
    @property
    def duties(self) -> Duties: ...


class DutiesFiles:
    """Files that a form post requests, so that no link makes one."""

    def __init__(self, provider: DutiesProvider, *, firm: str) -> None:
        self._provider, self._pages = provider, StaffPages(firm=firm)

    def posts(self) -> dict[str, Post]:
        return {routes.STAFF_FORMS["complaints-file"]: Post(answer=self._complaints, max_bytes=1_024)}

    async def _complaints(self, _form: FormData, sender: Sender) -> Answer:
        try:
            session = await current_session(self._provider, sender.headers, routes.STAFF_FORMS["complaints-file"])
        except StorageError:
            return self._problem(DATABASE_AWAY)
        if session is None:
            return redirect(sign_in_path(routes.STAFF_DUTIES))
        complaints = self._provider.duties.complaints
        found = await complaints.export(who=session.name)
        if isinstance(found, NotDone):
            return self._problem(Message(title="The file could not be made", text=f"{found.words}."))
        name = f"complaints-{complaints.now.astimezone(UK):%Y-%m-%d}.csv"
        return attachment(BYTE_ORDER_MARK + complaints_csv(found).encode(), "text/csv; charset=utf-8", name)

    def _problem(self, message: Message) -> Answer:
        return self._pages.problem(_TITLE, message, status=503, link=_BACK)


def attachment(body: bytes, media_type: str, name: str) -> Answer:
    """Return a file to download."""
    headers = {"content-type": media_type, "content-disposition": f'attachment; filename="{name}"'}
    return Answer(status=200, headers=headers, body=body)
