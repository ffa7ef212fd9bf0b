"""State of the page of lenders and logos."""

from collections.abc import Sequence
from typing import ClassVar

import reflex as rx

from broker.clock import utc_now
from broker.documents.document import shown_name
from broker.lenders.logos.admin import LogoAdmin
from broker.lenders.logos.list_view import (
    FETCHING,
    FetchView,
    LenderLine,
    VersionLine,
    fetch_view,
    lender_line,
    ordered,
    tally,
    version_lines,
)
from broker.lenders.logos.logo import logo_address
from broker.lenders.logos.outcomes import last_undoable, logo_report, merged, not_sent, read_reports, told
from broker.lenders.logos.refresh import Fetch
from broker.lenders.logos.reports import LenderRow, LogoReport, LogoResult
from broker.lenders.logos.upload import FileFault, refused
from broker.services import current
from broker.staff.roles import Right
from broker.state.staff.access import StaffState

MAX_NUMBER = 1_000_000_000
"""Bound of lenders' ids and versions' numbers; a larger one comes from no page of ours."""


class StaffLogosState(StaffState):
    """State of the page.

    `status` is loading, loaded, or emptied where the list of lenders could not be fetched. `chosen` is the lender whose
    versions are open, 0 for none. `sending` names a file on its way. `reports` are what came of files and changes,
    latest first, until they are put away, and `told` sums them up; `news` is the latest until it is closed.
    """

    right: ClassVar[Right] = Right.LOGOS
    status: str = "loading"
    lines: tuple[LenderLine, ...] = ()
    counts: str = ""
    lenders: FetchView = FetchView()
    logos: FetchView = FetchView()
    chosen: int = 0
    versions: tuple[VersionLine, ...] = ()
    sending: str = ""
    reports: tuple[LogoReport, ...] = ()
    told: str = ""
    news: tuple[LogoReport, ...] = ()

    @rx.event
    async def open(self) -> None:
        """Show all known lenders, and the progress of the two calls."""
        admin = _admin()
        self.lenders, self.logos = _view(admin.refreshed.lenders), _view(admin.refreshed.logos)
        self._list(await admin.rows())
        await self._read_versions()

    @rx.event(background=True)
    async def fetch_lenders(self) -> None:
        """Fetch the list of lenders again (call 9): a failed one is empty, and says so."""
        async with self:
            self.lenders, who = FETCHING, self.staff_name
        fetch, rows = await _admin().refresh_lenders(who=who)
        async with self:
            self.lenders = _view(fetch)
            self._list(rows)
            if fetch.problem:
                self.status = "emptied"

    @rx.event(background=True)
    async def fetch_logos(self) -> None:
        """Fetch the logos again (call 10): the result names each that failed."""
        async with self:
            self.logos, who = FETCHING, self.staff_name
        fetch = await _admin().refresh_logos(who=who)
        rows = await _admin().rows()
        async with self:
            self.logos = _view(fetch)
            if self.status != "emptied":
                self._list(rows)

    @rx.event
    async def choose(self, lender_id: int) -> None:
        if _are_numbers(lender_id):
            self.chosen = 0 if lender_id == self.chosen else lender_id
            await self._read_versions()

    @rx.event
    async def remove(self, lender_id: int, number: int) -> None:
        """Replace a lender's logo by its monogram; `number` is the version that the page showed."""
        if _are_numbers(lender_id, number):
            await self._show([await _admin().remove(lender_id, who=self.staff_name, made_to=number)])

    @rx.event
    async def put_back(self, lender_id: int, to: int, number: int) -> None:
        """Restore an earlier version, which also undoes the last change."""
        if _are_numbers(lender_id, to, number):
            await self._show([await _admin().undo(lender_id, to=to, who=self.staff_name, made_to=number)])

    @rx.event
    def begun(self, _lender: str, name: str) -> None:
        self.sending = shown_name(name) if isinstance(name, str) else ""

    @rx.event
    async def sent(self, lender: str, name: str, problem: str, text: str) -> None:
        """Show the result of a file; `text` is the edge's response, and `problem` why there is none."""
        if not all(isinstance(each, str) for each in (lender, name, problem, text)):
            return
        self.sending = ""
        await self._show(_reports_of(lender, shown_name(name), problem=problem, text=text))

    @rx.event
    async def undo_last(self) -> None:
        """Undo the newest change of the last ten minutes; nothing without one."""
        if last := last_undoable(self.reports, utc_now()):
            report = await _admin().undo(last.lender_id, to=last.undo_to, who=self.staff_name, made_to=last.number)
            await self._show([report])

    @rx.event
    def close_news(self) -> None:
        self.news = ()

    @rx.event
    def put_away(self) -> None:
        self.reports, self.told, self.news = (), "", ()

    async def _show(self, reports: Sequence[LogoReport]) -> None:
        self.reports = merged(self.reports, reports)
        self.told, self.news = told(self.reports), merged((), reports)[:1]
        await self._look_again()

    async def _look_again(self) -> None:
        """Read the list again; one that could not be fetched stays empty."""
        if self.status != "emptied":
            self._list(await _admin().rows())
        await self._read_versions()

    def _list(self, rows: Sequence[LenderRow]) -> None:
        self.lines = ordered(map(lender_line, rows))
        self.counts, self.status = tally(self.lines), "loaded"

    async def _read_versions(self) -> None:
        found = await _admin().versions(self.chosen) if self.chosen else ()
        self.versions = version_lines(found, logo_address)


def _admin() -> LogoAdmin:
    return current().logos


def _are_numbers(*given: object) -> bool:
    """Return whether values from a page are valid ids of lenders and versions."""
    return all(type(each) is int and 0 <= each < MAX_NUMBER for each in given)


def _reports_of(lender: str, name: str, problem: str, text: str) -> tuple[LogoReport, ...]:
    """Return the reports of a file: those of the edge, or why there are none."""
    if problem == "too-large":
        fault = FileFault.TOO_LARGE if lender else FileFault.ZIP_TOO_LARGE
        return (logo_report(LogoResult.REFUSED, refused(name, fault).sentence, file_name=name),)
    if not problem and (reports := read_reports(text)):
        return reports
    return (not_sent(problem or "unknown", name=name, text=text),)


def _view(fetch: Fetch) -> FetchView:
    return fetch_view(
        fetching=fetch.fetching,
        done=fetch.done,
        at=fetch.at,
        sentence=fetch.sentence,
        problem=fetch.problem,
        failures=[each.sentence for each in fetch.failures],
        strangers=fetch.strangers,
    )
