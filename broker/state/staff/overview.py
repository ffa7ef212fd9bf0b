"""State of the first page of the staff area: open work, health of the sources, and their refresh."""

import logging
from typing import Any, ClassVar

import reflex as rx

from broker.cases.case import Refused
from broker.clock import utc_now
from broker.enquiries.contact_details import parse_word
from broker.services import current
from broker.staff.overview_view import (
    COUNTED,
    CountLink,
    SourceReport,
    count_links,
    overdue_words,
    refreshed_words,
    source_report,
)
from broker.staff.roles import Right
from broker.staff.source_health import SOURCE_NAMES, Source
from broker.state.staff.access import IDLE, LOADED, LOADING, StaffState
from broker.storage.errors import StorageError

log = logging.getLogger(__name__)

NOT_ASKED_FOR = "The database did not answer, and nothing is published. Try again in a minute."
ASKED_FOR = "Asked for: it begins within a minute, and this page says how it goes when you look again."

NOT_DELETED = "The database did not answer, and nothing may have been deleted. Look again, then try once more."


class OverviewState(StaffState):
    """State of the page: `reading` are the sources that this tab refreshes, `result` the result of the last one.

    `problem` says why the `counts` are unknown. `overdue` is what the server has not deleted automatically, empty for
    nothing. `publish_result` is the result of the last request to publish.
    """

    right: ClassVar[Right] = Right.PROMOTIONS
    status: str = IDLE
    counts: tuple[CountLink, ...] = ()
    problem: str = ""
    found: SourceReport = SourceReport()
    reading: rx.Field[list[str]] = rx.field(default_factory=list)
    result: str = ""
    overdue: str = ""
    publish_result: str = ""

    @rx.event
    async def open(self) -> Any:
        self.result = self.publish_result = ""
        if self.status == IDLE:
            self.status = LOADING
        yield
        await self._look()

    @rx.event
    async def look_again(self) -> None:
        if self.status == LOADED:
            await self._look()

    @rx.event(background=True)
    async def refresh(self, source: str) -> None:
        """Refresh a source, once however many requests arrive meanwhile; the page stays usable."""
        wanted = parse_word(source, Source)
        async with self:
            if wanted is None or wanted in self.reading:
                return
            self.reading = [*self.reading, wanted.value]
            self.result = f"{SOURCE_NAMES[wanted]}: being read"
            who = self.staff_name
        try:
            done = await current().health.refresh(wanted, who=who)
            report = source_report(await current().health.report())
            async with self:
                self.result = f"{done.words}." if isinstance(done, Refused) else refreshed_words(done.health)
                self.found = report
        finally:
            async with self:
                self.reading = [each for each in self.reading if each != wanted]

    @rx.event
    async def publish_now(self) -> None:
        """Publish the content, as a message of the content service does."""
        try:
            await current().publishing.publish_now(who=self.staff_name)
            self.publish_result = ASKED_FOR
        except StorageError as error:
            log.warning("publishing could not be asked for: %s", error)
            self.publish_result = NOT_ASKED_FOR
        await self._look()

    @rx.event
    async def delete_overdue(self) -> None:
        """Delete overdue data, which this member of staff has looked at."""
        failed = ""
        try:
            await current().retention.delete_overdue(who=self.staff_name)
        except StorageError as error:
            log.error("what is overdue could not be deleted: %s", error)
            failed = NOT_DELETED
        await self._look()
        self.overdue = failed or self.overdue

    async def _look(self) -> None:
        counts = await current().case_lists.counts(COUNTED, who=self.staff_name)
        if isinstance(counts, Refused):
            self.counts, self.problem = (), counts.words
        else:
            self.counts, self.problem = count_links(counts), ""
        self.found = source_report(await current().health.report())
        try:
            overdue = await current().retention.overdue()
            self.overdue = overdue_words(overdue.enquiries, overdue.journeys, overdue.watches, now=utc_now())
        except StorageError:
            self.overdue = ""
        self.status = LOADED
