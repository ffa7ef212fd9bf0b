"""State of the page of lenders and logos."""

from collections.abc import Sequence

import reflex as rx

from broker.documents.document import shown_name
from broker.lenders.logos.admin import LogoAdmin
from broker.lenders.logos.list_view import (
    FETCHING,
    FetchView,
    LenderLine,
    VersionLine,
    fetch_view,
    lender_line,
    tally,
    version_lines,
)
from broker.lenders.logos.logo import logo_address
from broker.lenders.logos.outcomes import (
    Outcome,
    ZipOutcome,
    not_sent,
    outcome,
    read_outcome,
    refused_after,
    updated_zip,
    with_undo_of,
)
from broker.lenders.logos.refresh import Fetch
from broker.lenders.logos.reports import LenderRow, LogoReport
from broker.lenders.logos.upload import FileFault, refused
from broker.services import current
from broker.state.staff.access import StaffState

MAX_NUMBER = 1_000_000_000
"""Lenders' ids and versions' numbers are below it: what is not came from no page of ours."""


class StaffLogosState(StaffState):
    """What the page shows.

    `status` is loading, loaded, or emptied where the list of lenders could not be fetched. `chosen` is the lender whose
    versions are open, 0 for none. `sending` names a file that is on its way; `done` and `bulk` tell what came of the
    last change and of the last zip file.
    """

    status: str = "loading"
    lines: tuple[LenderLine, ...] = ()
    counts: str = ""
    lenders: FetchView = FetchView()
    logos: FetchView = FetchView()
    chosen: int = 0
    versions: tuple[VersionLine, ...] = ()
    sending: str = ""
    done: Outcome = Outcome()
    bulk: ZipOutcome = ZipOutcome()

    @rx.event
    async def open(self) -> None:
        """Show all lenders as they are known, and how far the two calls are."""
        admin = _admin()
        self.lenders, self.logos = _view(admin.refreshed.lenders), _view(admin.refreshed.logos)
        self._list(await admin.rows())
        await self._learn_versions()

    @rx.event(background=True)
    async def fetch_lenders(self) -> None:
        """Fetch the list of lenders anew (call 9): one that fails is empty, and says so."""
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
        """Fetch the logos anew (call 10): what comes back names each that failed."""
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
        """Open a lender's versions, or close those that are open."""
        if _are_numbers(lender_id):
            self.chosen = 0 if lender_id == self.chosen else lender_id
            await self._learn_versions()

    @rx.event
    async def remove(self, lender_id: int, number: int) -> None:
        """Have a lender's monogram stand; `number` is the version that was seen."""
        if _are_numbers(lender_id, number):
            await self._made(await _admin().remove(lender_id, who=self.staff_name, made_to=number))

    @rx.event
    async def put_back(self, lender_id: int, to: int, number: int) -> None:
        """Have an earlier version stand again, which also undoes what was done last."""
        if _are_numbers(lender_id, to, number):
            await self._made(await _admin().undo(lender_id, to=to, who=self.staff_name, made_to=number))

    @rx.event
    def begun(self, _lender: str, name: str) -> None:
        self.sending = shown_name(name) if isinstance(name, str) else ""

    @rx.event
    async def sent(self, lender: str, name: str, problem: str, text: str) -> None:
        """Tell what came of a file that the page sent, or did not send; `text` is what the edge answered."""
        if not all(isinstance(each, str) for each in (lender, name, problem, text)):
            return
        self.sending = ""
        told = _told(lender, shown_name(name), problem=problem, text=text)
        if isinstance(told, ZipOutcome) and told.files:
            self.bulk, self.done = told, Outcome()
        elif isinstance(told, ZipOutcome):
            self.bulk = refused_after(self.bulk, told)
        else:
            self.done, self.bulk = with_undo_of(self.done, told), updated_zip(self.bulk, told)
        await self._look_again()

    @rx.event
    def put_away(self) -> None:
        self.done = Outcome()

    @rx.event
    def put_report_away(self) -> None:
        self.bulk = ZipOutcome()

    async def _made(self, report: LogoReport) -> None:
        self.done = outcome(report, logo_address)
        self.bulk = updated_zip(self.bulk, self.done)
        await self._look_again()

    async def _look_again(self) -> None:
        """Show what is there now; a list that could not be fetched stays empty."""
        if self.status != "emptied":
            self._list(await _admin().rows())
        await self._learn_versions()

    def _list(self, rows: Sequence[LenderRow]) -> None:
        self.lines = tuple(lender_line(row) for row in rows)
        self.counts, self.status = tally(self.lines), "loaded"

    async def _learn_versions(self) -> None:
        found = await _admin().versions(self.chosen) if self.chosen else ()
        self.versions = version_lines(found, logo_address)


def _admin() -> LogoAdmin:
    return current().logos


def _are_numbers(*given: object) -> bool:
    """Tell whether what a page gave are numbers of lenders and versions."""
    return all(type(each) is int and 0 <= each < MAX_NUMBER for each in given)


def _told(lender: str, name: str, problem: str, text: str) -> Outcome | ZipOutcome:
    """Return what came of a file: as the edge told it, or why there is no such answer."""
    if problem == "too-large":
        fault = FileFault.TOO_LARGE if lender else FileFault.ZIP_TOO_LARGE
        return Outcome(what="Refused", tone="bad", sentence=refused(name, fault).sentence, file_name=name)
    if not problem and (told := read_outcome(text)):
        return told
    return not_sent(problem or "unknown", name=name, text=text)


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
