"""State of the list of enquiries: the search in its address, and the search words.

The words may be a name: they stay in the state on the server, out of the address.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar

import reflex as rx
from reflex.event import EventSpec

from broker.cases.case import EnquiryPage, Refused
from broker.cases.list_view import (
    PAGE_SIZE,
    TEXT,
    EnquiryList,
    EnquirySearch,
    address_of,
    enquiry_list,
    form_of,
    search_in,
    searched,
    text_in,
    wanted,
)
from broker.services import current
from broker.staff.roles import Right
from broker.staff.times import clock
from broker.state.staff.access import EMPTY, FAILED, IDLE, LOADED, LOADING, StaffState, page_address

FIND = "find"
"""Field of the words in the top bar of every page."""


class EnquiriesState(StaffState):
    """The list on screen; `version` changes whenever `form` replaces the values of the form fields.

    A submitted form is not replaced, so what is typed during the request stays.
    """

    right: ClassVar[Right] = Right.CASES
    status: str = IDLE
    problem: str = ""
    version: str = "0"
    form: rx.Field[dict[str, str]] = rx.field(default_factory=dict)
    found: EnquiryList = EnquiryList()
    read_at: str = ""

    _search: EnquirySearch = EnquirySearch()
    _text: str = ""

    @rx.event
    async def open(self) -> Any:
        self._search = search_in(self.router.url.query_parameters)
        form = form_of(self._search, self._text)
        if form != self.form:
            self._show(form)
        if self.status in (IDLE, FAILED):
            self.status = LOADING
        yield
        await self._read()

    @rx.event
    async def submit(self, typed: dict[str, Any]) -> EventSpec | None:
        """Search by the form; all but the search words goes into the address."""
        given = typed if isinstance(typed, Mapping) else {}
        search, text = searched(self._search, given), text_in(given.get(TEXT))
        self.form = form_of(search, text)
        return await self._look_for(search, text)

    @rx.event
    async def find(self, typed: dict[str, Any]) -> EventSpec | None:
        """List every case with the words of the top bar of any page."""
        given = typed if isinstance(typed, Mapping) else {}
        self._search, self._text = EnquirySearch(order=self._search.order), text_in(given.get(FIND))
        self._show(form_of(self._search, self._text))
        address = address_of(self._search)
        if page_address(self) != address:
            return rx.redirect(address)
        await self._read()
        return None

    @rx.event
    async def clear(self) -> EventSpec | None:
        """Remove all filters and empty the form."""
        search = EnquirySearch(order=self._search.order)
        self._show(form_of(search, ""))
        return await self._look_for(search, "")

    @rx.event
    async def look_again(self) -> None:
        """Read the same list again; the form stays as it is."""
        if self.status not in (IDLE, LOADING):
            await self._read()

    def _show(self, form: dict[str, str]) -> None:
        """Replace the values of the form fields."""
        self.version, self.form = str(int(self.version) + 1), form

    async def _look_for(self, search: EnquirySearch, text: str) -> EventSpec | None:
        self._text = text
        if search != self._search:
            return rx.redirect(address_of(search))
        await self._read()
        return None

    async def _read(self) -> None:
        """Read the page in the address; past the end of the list its last one."""
        admin = current().cases
        asked = wanted(self._search, text=self._text, who=self.staff_name)
        page = await self._page()
        if isinstance(page, EnquiryPage) and page.count and not page.heads:
            self._search = replace(self._search, page=(page.count - 1) // PAGE_SIZE + 1)
            page = await self._page()
        counts = await admin.counts()
        for part in (page, counts):
            if isinstance(part, Refused):
                self.status, self.problem, self.found = FAILED, part.words, EnquiryList()
                return
        assert isinstance(page, EnquiryPage)
        assert not isinstance(counts, Refused)
        self.found = enquiry_list(page, counts, search=self._search, text=self._text, wanted=asked, now=admin.now)
        self.status, self.problem, self.read_at = LOADED if page.heads else EMPTY, "", clock(admin.now)

    async def _page(self) -> EnquiryPage | Refused:
        search = self._search
        asked = wanted(search, text=self._text, who=self.staff_name)
        return await current().cases.page(asked, search.order, offset=search.offset, limit=PAGE_SIZE)
