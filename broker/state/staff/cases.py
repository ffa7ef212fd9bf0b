"""State of the list of cases: the filters in its address, the search words, and the ticks.

The words may be a name: they stay in the state on the server, out of the address.
"""

from collections.abc import Awaitable
from dataclasses import replace
from typing import Any, ClassVar

import reflex as rx
from reflex.event import EventSpec

from broker.cases.case import ManyChanged, Refused, Undone
from broker.cases.case_list import OPTIONAL, PAGE_SIZE, CaseFilter, CasePage, Column, Listing, fits, listing_in
from broker.cases.case_view import left_undone
from broker.cases.list_view import (
    TEXT,
    CaseRow,
    ListView,
    address_of,
    case_row,
    filters_of,
    form_of,
    hidden_words,
    list_view,
    narrowed,
    other_list,
    query_of,
    tab_views,
    text_in,
    ticked_words,
)
from broker.cases.lists import OwnFilters
from broker.enquiries.contact_details import parse_word
from broker.lending.money import counted
from broker.services import current
from broker.staff.roles import Right
from broker.staff.times import uk_moment
from broker.state.staff.access import (
    EMPTY,
    FAILED,
    IDLE,
    LOADED,
    LOADING,
    StaffState,
    page_address,
    sign_in_again,
    still_signed_in,
)
from broker.state.staff.case import news
from broker.state.staff.form import text_field
from broker.state.staff.menu import MenuState

ACCOUNT, REASON, DAY, TIME, NAME = "account", "reason", "day", "time", "name"
"""Fields of the forms of ticked cases and of saved filters."""

NOBODY = "-"
"""What the form to hand over sends for nobody; empty where nothing was chosen."""

FIND = "find"
"""Field of the top bar."""

NO_TIME, NO_ACCOUNT = "Choose a day and a time", "Choose who gets the cases"


class EnquiriesState(StaffState):
    """The list on screen; `version` changes whenever `form` replaces the values of the form's fields.

    A submitted form is not replaced, so what is typed during the request stays. `result` says what was done, or that
    nothing was unless `is_done`, `refused` why something was not. `fresh` counts cases that came since the list was
    read, in words.
    """

    right: ClassVar[Right] = Right.CASES

    status: str = IDLE
    problem: str = ""
    version: str = "0"
    form: rx.Field[dict[str, str]] = rx.field(default_factory=dict)
    found: ListView = ListView()
    rows: tuple[CaseRow, ...] = ()
    hidden: tuple[str, ...] = ()
    hidden_class: str = ""
    accounts: tuple[str, ...] = ()
    ticked: tuple[str, ...] = ()
    ticked_words: str = ""
    ticked_sum: str = ""
    result: str = ""
    results: str = ""
    can_undo: bool = False
    is_done: bool = False
    refused: str = ""
    fresh: str = ""
    address: str = ""

    _counted: int = 0
    _listing: Listing = Listing()
    _own: OwnFilters = OwnFilters()
    _fresh: rx.Field[set[str]] = rx.field(default_factory=set)
    _ticks: rx.Field[dict[str, tuple[int, int]]] = rx.field(default_factory=dict)
    """Version and pounds of each ticked case, as it was when it was ticked."""

    @rx.event
    async def open(self) -> Any:
        """Show the list of the address; another one than before has no ticks."""
        listing = listing_in(self.router.url.query_parameters)
        self._listing = replace(listing, wanted=replace(listing.wanted, text=self._listing.wanted.text))
        self.address = address_of(self._listing)
        if not self._is_shown_again():
            self._untick()
            self._say()
        self._show(form_of(self._listing))
        if self.status in (IDLE, FAILED):
            self.status = LOADING
        yield
        accounts = await current().cases.accounts()
        self.accounts = () if isinstance(accounts, Refused) else accounts
        await self._read()

    @rx.event(background=True)
    async def watch(self) -> Any:
        """Show what others change, until the tab goes or leaves the page: Reflex ends what a page's load began."""
        async for changed in news():
            if not changed:
                continue
            async with self:
                if not await still_signed_in(self):
                    yield sign_in_again(self)
                    return
                await self._follow(changed)
            async with self:  # the rows are on screen by then
                await self._count()

    @rx.event
    async def narrow(self, field: str, value: str) -> EventSpec:
        """Filter by one value more; the address follows."""
        given = (field, value) if isinstance(field, str) and isinstance(value, str) else ("", "")
        listing = narrowed(self._listing, *given)
        self.form = form_of(listing)
        return rx.redirect(address_of(listing))

    @rx.event
    async def search(self, text: str) -> EventSpec | None:
        """Search by words, from the first page; they are in no address."""
        return await self._search_for(text)

    @rx.event
    async def submit(self, typed: dict[str, Any]) -> EventSpec | None:
        """Search by the words of the form, for somebody who presses Enter."""
        return await self._search_for(text_field(typed, TEXT))

    @rx.event
    async def find(self, typed: dict[str, Any]) -> EventSpec | None:
        """List every open case with the words of the top bar of any page."""
        self._listing = Listing(wanted=CaseFilter(text=text_in(text_field(typed, FIND))))
        self._untick()
        self._show(form_of(self._listing))
        address = address_of(self._listing)
        if page_address(self) != address:
            return rx.redirect(address)
        await self._read()
        return None

    @rx.event
    async def clear(self) -> EventSpec:
        """Remove the search words and all filters but the tab."""
        listing = replace(self._listing, wanted=CaseFilter(tab=self._listing.wanted.tab), page=1)
        same = listing == replace(self._listing, wanted=replace(self._listing.wanted, text=""))
        self._listing = listing
        self._show(form_of(listing))
        if same:
            await self._read()
        return rx.redirect(address_of(listing))

    @rx.event
    async def look_again(self) -> None:
        """Read the same list again; what is typed and ticked stays."""
        if self.status not in (IDLE, LOADING):
            await self._read()

    @rx.event
    def tick(self, reference: str) -> None:
        """Tick a case of the page, or untick it."""
        if isinstance(reference, str) and reference in self._ticks:
            self._set_ticks({each: tick for each, tick in self._ticks.items() if each != reference})
        elif row := next((row for row in self.rows if row.reference == reference), None):
            self._set_ticks({**self._ticks, row.reference: (row.version, row.pounds)})

    @rx.event
    def tick_all(self) -> None:
        """Tick every case of the page; if all are, untick them."""
        page = {row.reference: (row.version, row.pounds) for row in self.rows}
        self._set_ticks({} if page.keys() <= self._ticks.keys() else {**self._ticks, **page})

    @rx.event
    def untick(self) -> None:
        self._untick()

    @rx.event
    async def hand_over(self, form: dict[str, Any]) -> Any:
        """Give the ticked cases to an account, or to nobody."""
        chosen = text_field(form, ACCOUNT)
        if not chosen:
            self._say(refused=NO_ACCOUNT)
            return None
        account = "" if chosen == NOBODY else chosen
        done = current().cases.hand_over(self._versions(), account, who=self.staff_name)
        return await self._change(done, f"handed to {account or 'nobody'}")

    @rx.event
    async def close_cases(self, form: dict[str, Any]) -> Any:
        """Close the ticked cases with a reason."""
        done = current().cases.close(self._versions(), text_field(form, REASON), who=self.staff_name)
        return await self._change(done, "closed")

    @rx.event
    async def change_due(self, form: dict[str, Any]) -> Any:
        """Set when the ticked cases are due, in UK time."""
        at = uk_moment(text_field(form, DAY), text_field(form, TIME))
        if at is None:
            self._say(refused=NO_TIME)
            return None
        done = current().cases.set_due(self._versions(), at, who=self.staff_name)
        return await self._change(done, f"due {at:%-d %B, %H:%M}")

    @rx.event
    async def undo(self) -> Any:
        """Undo one's last change, of all cases that it changed."""
        done = await current().cases.undo(who=self.staff_name)
        if isinstance(done, Refused):
            self._say(refused=done.words)
        else:
            self._say(". ".join(filter(None, (_done_words("undone", done), left_undone(done)))))
        await self._read()
        return MenuState.count

    @rx.event
    def dismiss(self) -> None:
        """Take away what was said of the last action."""
        self._say()

    @rx.event
    async def save_filter(self, form: dict[str, Any]) -> None:
        """Save the filter and order on screen under a name."""
        query = query_of(self._listing)
        await self._keep(current().case_lists.save_filter(text_field(form, NAME), query, who=self.staff_name), "Saved")

    @rx.event
    async def rename_filter(self, form: dict[str, Any]) -> None:
        """Give the saved filter on screen another name."""
        lists = current().case_lists
        await self._keep(lists.rename_filter(self.found.saved, text_field(form, NAME), who=self.staff_name), "Renamed")

    @rx.event
    async def delete_filter(self) -> None:
        """Remove the saved filter on screen; the list stays."""
        await self._keep(current().case_lists.delete_filter(self.found.saved, who=self.staff_name), "Removed")

    @rx.event
    async def toggle_column(self, name: str) -> None:
        """Hide a column for this account, or show it again."""
        column = parse_word(name, Column)
        if column and column in OPTIONAL:
            hidden = self._own.hidden ^ {column}
            await self._keep(current().case_lists.hide_columns(hidden, who=self.staff_name), "")

    async def _follow(self, changed: frozenset[str]) -> None:
        """Show changed cases in their places, and count those that are not on the page but belong to it.

        Of a full page these are new cases alone; of a search none, as only the index knows them.
        """
        lists, wanted = current().case_lists, self._listing.wanted
        heads = await lists.heads_after(current().cases.changes.position, changed)
        if self.status not in (LOADED, EMPTY) or isinstance(heads, Refused):
            return
        now, found = lists.now, {head.reference: head for head in heads}
        shown = {row.reference for row in self.rows}
        if shown & found.keys():
            self.rows = tuple(
                case_row(found[row.reference], now) if row.reference in found else row for row in self.rows
            )
        is_full = len(self.rows) >= PAGE_SIZE
        self._fresh |= {
            head.reference
            for head in heads
            if head.reference not in shown
            and not wanted.text
            and (head.version == 1 or not is_full)
            and fits(head, wanted, who=self.staff_name, now=now)
        }
        self.fresh = f"{len(self._fresh):,} new" if self._fresh else ""

    async def _count(self) -> None:
        """Count the cases of each tab again; counts that cannot be read stay as they are."""
        saved = self._own.filters
        position = current().cases.changes.position
        counts = await current().case_lists.counts_after(position, filters_of(saved), who=self.staff_name)
        if self.status in (LOADED, EMPTY) and not isinstance(counts, Refused):
            self.found = replace(self.found, tabs=tab_views(counts, saved, self._listing))

    async def _search_for(self, text: object) -> EventSpec | None:
        words = text_in(text)
        if words == self._listing.wanted.text:
            return None
        was = self._listing
        self._listing = replace(was, wanted=replace(was.wanted, text=words), page=1)
        self._untick()
        self.form = form_of(self._listing)
        if was.page > 1:
            return rx.redirect(address_of(self._listing))
        await self._read()
        return None

    def _versions(self) -> dict[str, int]:
        return {reference: version for reference, (version, _) in self._ticks.items()}

    async def _change(self, change: Awaitable[ManyChanged | Refused], what: str) -> Any:
        """Change the ticked cases, say what was left out, and untick those that were changed.

        Return the event that counts the numbers of the menu again: a colleague's menu is counted as a page opens.
        """
        done = await change
        if isinstance(done, Refused):
            self._say(refused=done.words)
            return None
        self._untick()
        self._say(_done_words(what, done), undoable=bool(done.references), is_done=bool(done.references))
        await self._read()
        return MenuState.count

    async def _keep(self, change: Awaitable[Refused | None], done: str) -> None:
        refused = await change
        self._say(refused=refused.words) if refused else self._say(done)
        await self._read()

    def _say(self, result: str = "", *, refused: str = "", undoable: bool = False, is_done: bool = True) -> None:
        self._counted += 1
        self.is_done = is_done
        self.result, self.results, self.refused = result, str(self._counted), refused
        self.can_undo = undoable

    def _untick(self) -> None:
        self._set_ticks({})

    def _set_ticks(self, ticks: dict[str, tuple[int, int]]) -> None:
        self._ticks, self.ticked = ticks, tuple(ticks)
        self.ticked_words, self.ticked_sum = ticked_words(len(ticks), sum(pounds for _, pounds in ticks.values()))

    def _show(self, form: dict[str, str]) -> None:
        """Replace the values of the form's fields."""
        if form != self.form:
            self.version, self.form = str(int(self.version) + 1), form

    async def _read(self) -> None:
        """Read the page of the address; past the end of the list its last one."""
        lists, who = current().case_lists, self.staff_name
        own = await lists.own_filters(who)
        page = await lists.page(self._listing, who=who)
        if isinstance(page, CasePage) and page.count and not page.heads:
            self._listing = replace(self._listing, page=(page.count - 1) // PAGE_SIZE + 1)
            page = await lists.page(self._listing, who=who)
        elsewhere = 0
        if self._listing.wanted.text and isinstance(page, CasePage) and not page.count:
            others = await lists.page(other_list(self._listing), who=who)
            elsewhere = others.count if isinstance(others, CasePage) else 0
        saved = () if isinstance(own, Refused) else own.filters
        counts = await lists.counts(filters_of(saved), who=who)
        for part in (own, page, counts):
            if isinstance(part, Refused):
                self.status, self.problem, self.found, self.rows = FAILED, part.words, ListView(), ()
                return
        assert isinstance(page, CasePage)
        assert isinstance(own, OwnFilters)
        assert not isinstance(counts, Refused)
        self._own, self.hidden = own, tuple(own.hidden)
        self.hidden_class = hidden_words(own.hidden)
        self.found = list_view(page, counts, listing=self._listing, saved=saved, elsewhere=elsewhere)
        self.rows = tuple(case_row(head, lists.now) for head in page.heads)
        self.status, self.problem, self.fresh = LOADED if page.heads else EMPTY, "", ""
        self._fresh = set()


def _done_words(what: str, done: ManyChanged | Undone) -> str:
    """Return what was done to how many cases, and each that was left out with why."""
    left = "; ".join(f"{reference}: {why}" for reference, why in done.left.items())
    changed = counted(len(done.references), "case") if done.references else "No case"
    return f"{changed} {what}" + (f". Left out: {left}" if left else "")
