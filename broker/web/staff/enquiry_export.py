"""The list of enquiries as a file for staff, CSV or JSON, with answers and notes.

It is a form that posts to the edge, not a download over the socket, whose messages are small and held in the page; and
no link, since what is looked for may be a name, and an address is kept in histories and logs.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Protocol

from starlette.datastructures import FormData

from broker import routes
from broker.domain.enquiries.stored_records import StorageError
from broker.domain.staff.enquiry_workflow import EnquiryExport, EnquiryOrder, Refused
from broker.presenters.staff.enquiry_export import enquiries_csv, enquiries_json, export_name
from broker.presenters.staff.enquiry_search import (
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
from broker.services.staff.enquiry_admin import EnquiryAdmin
from broker.web.forms.posts import Post, Sender
from broker.web.serving.rates_csv import BYTE_ORDER_MARK
from broker.web.serving.response import Answer
from broker.web.staff.access import AWAY, AWAY_MORE, Staffed, sign_in_address, who
from broker.web.staff.pages import answer, note, page

FORM = "form"
"""The field that names the form of the file."""

MEDIA = {"csv": "text/csv; charset=utf-8", "json": "application/json"}
MAX_BYTES = 8 * 1024

TITLE = "Enquiries as a file"
UNKNOWN, UNKNOWN_MORE = (
    "This file cannot be made",
    "Please go back to the list, load it again, and choose a file there.",
)
NOT_NOW = "The file could not be made"


class DeskStaffed(Staffed, Protocol):
    """Who is signed in, and the enquiries (`services.casework.Casework`)."""

    @property
    def desk(self) -> EnquiryAdmin:
        """Return where staff work on enquiries."""
        ...


class EnquiryFiles:
    """Answers the form that asks for a file."""

    def __init__(self, staffed: DeskStaffed, *, firm: str) -> None:
        """Keep where enquiries are, and the name of the firm."""
        self._staffed, self._firm = staffed, firm

    def posts(self) -> dict[str, Post]:
        """Return what answers the form, by the path it is sent to."""
        return {routes.STAFF_FORMS["enquiries-file"]: Post(answer=self._file, most=MAX_BYTES)}

    async def _file(self, sent: FormData, sender: Sender) -> Answer:
        """Answer somebody who is signed in; the door has asked before, and this asks again."""
        try:
            session = await who(self._staffed, sender.headers)
        except StorageError:
            return self._told(503, AWAY, AWAY_MORE)
        if session is None:
            location = sign_in_address(routes.STAFF_ENQUIRIES)
            return Answer(status=303, headers={"location": location, "cache-control": "no-store"})
        given = {name: value for name, value in sent.items() if isinstance(value, str)}
        search, form = search_in(given), given.get(FORM, "")
        if form not in MEDIA or not _is_understood(given, search):
            return self._told(400, UNKNOWN, UNKNOWN_MORE)
        asked = wanted(search, text=text_in(given.get(TEXT)), who=session.name)
        found = await self._staffed.desk.export(asked, search.order, form=form.upper(), who=session.name)
        if isinstance(found, Refused):
            return self._told(503, NOT_NOW, f"{found.words}.")
        name = export_name(self._staffed.desk.now, form)
        headers = {"content-type": MEDIA[form], "content-disposition": f'attachment; filename="{name}"'}
        # Thousands of enquiries take a second, which visitors do not wait for.
        return Answer(status=200, headers=headers, body=await asyncio.to_thread(_body, found, form))

    def _told(self, status: int, title: str, words: str) -> Answer:
        back = f'<p><a class="btn" href="{routes.STAFF_ENQUIRIES}">Back to the list</a></p>'
        return answer(page(TITLE, note(title, words) + back, firm=self._firm), status=status)


def _body(found: EnquiryExport, form: str) -> bytes:
    return enquiries_json(found).encode() if form == "json" else BYTE_ORDER_MARK + enquiries_csv(found).encode()


def _is_understood(given: Mapping[str, str], search: EnquirySearch) -> bool:
    """Tell whether all that narrows a file was taken; a wider one would pass for the right one."""
    taken = {ORDER: EnquiryOrder.PROMISE.value, **parameters_of(search)}
    asked = (STATE, KIND, ORDER, WHOSE, OVERDUE)
    return all(given[name] == taken.get(name) for name in asked if given.get(name))
