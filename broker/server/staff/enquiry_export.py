"""The list of enquiries as a CSV or JSON file for staff, with answers and notes.

A form posts to the edge for it. The socket's messages are small and held in the page, and a link would put a search,
which may be a name, into histories and logs.
"""

import asyncio
from collections.abc import Mapping
from typing import Protocol

from starlette.datastructures import FormData

from broker import routes
from broker.server.downloads import BYTE_ORDER_MARK
from broker.server.forms.posts import Post, Sender
from broker.server.response import Answer
from broker.server.staff.access import StaffProvider, current_session, sign_in_path
from broker.server.staff.pages import DATABASE_AWAY, Message, StaffPages, redirect
from broker.staff.enquiry_admin import EnquiryAdmin
from broker.staff.enquiry_export import enquiries_csv, enquiries_json, export_name
from broker.staff.enquiry_list_view import (
    KIND,
    ORDER,
    OVERDUE,
    STATE,
    TEXT,
    WHOSE,
    EnquirySearch,
    parameters_of,
    search_in,
    text_in,
    wanted,
)
from broker.staff.enquiry_workflow import EnquiryExport, EnquiryOrder, Refused
from broker.storage.errors import StorageError

FORMAT = "form"
"""The field that names the format of the file."""

MEDIA_TYPES = {"csv": "text/csv; charset=utf-8", "json": "application/json"}
MAX_FORM_BYTES = 8 * 1024

TITLE = "Enquiries as a file"
UNKNOWN_SEARCH = Message(
    title="This file cannot be made", text="Please go back to the list, load it again, and choose a file there."
)
NOT_EXPORTED = "The file could not be made"
BACK = (routes.STAFF_ENQUIRIES, "Back to the list")


class EnquiryProvider(StaffProvider, Protocol):
    """Gives the services of staff accounts and of their work on enquiries, once the server runs."""

    @property
    def enquiry_admin(self) -> EnquiryAdmin: ...


class EnquiryFiles:
    """Answers the form that asks for a file."""

    def __init__(self, provider: EnquiryProvider, *, firm: str) -> None:
        self._provider, self._pages = provider, StaffPages(firm=firm)

    def posts(self) -> dict[str, Post]:
        return {routes.STAFF_FORMS["enquiries-file"]: Post(answer=self._file, max_bytes=MAX_FORM_BYTES)}

    async def _file(self, form: FormData, sender: Sender) -> Answer:
        try:
            session = await current_session(self._provider, sender.headers)
        except StorageError:
            return self._problem(503, DATABASE_AWAY)
        if session is None:
            return redirect(sign_in_path(routes.STAFF_ENQUIRIES))
        fields = {name: value for name, value in form.items() if isinstance(value, str)}
        search, file_format = search_in(fields), fields.get(FORMAT, "")
        if file_format not in MEDIA_TYPES or not _is_understood(fields, search):
            return self._problem(400, UNKNOWN_SEARCH)
        query = wanted(search, text=text_in(fields.get(TEXT)), who=session.name)
        admin = self._provider.enquiry_admin
        export = await admin.export(query, search.order, form=file_format.upper(), who=session.name)
        if isinstance(export, Refused):
            return self._problem(503, Message(title=NOT_EXPORTED, text=f"{export.words}."))
        name = export_name(admin.now, file_format)
        headers = {"content-type": MEDIA_TYPES[file_format], "content-disposition": f'attachment; filename="{name}"'}
        # Thousands of enquiries take a second, for which other requests do not wait.
        return Answer(status=200, headers=headers, body=await asyncio.to_thread(_body, export, file_format))

    def _problem(self, status: int, message: Message) -> Answer:
        return self._pages.problem(TITLE, message, status=status, link=BACK)


def _body(export: EnquiryExport, file_format: str) -> bytes:
    if file_format == "json":
        return enquiries_json(export).encode()
    return BYTE_ORDER_MARK + enquiries_csv(export).encode()


def _is_understood(fields: Mapping[str, str], search: EnquirySearch) -> bool:
    """Tell whether every filter of the form was understood; a file with fewer filters would pass for the right one."""
    understood = {ORDER: EnquiryOrder.PROMISE.value, **parameters_of(search)}
    filters = (STATE, KIND, ORDER, WHOSE, OVERDUE)
    return all(fields[name] == understood.get(name) for name in filters if fields.get(name))
