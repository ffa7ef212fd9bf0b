"""State of saved answers: create a link to them, resume from it, delete them."""

import reflex as rx
from reflex.event import EventSpec

from broker import routes
from broker.domain.enquiries.stored_records import StorageError
from broker.presenters.questionnaire import DELETED, NOT_DONE, page_of
from broker.services import current
from broker.services.journeys import ANSWERS_UNAVAILABLE, JourneyNotFound, TwoJourneys
from broker.state.questionnaire import QuestionnaireState


class SavedAnswersState(QuestionnaireState):
    """The link that was made on the page at `made_on`, or why there is none (`not_done`)."""

    link: str = ""
    not_done: str = ""
    made_on: str = ""

    @rx.event
    async def save(self) -> None:
        """Create a link to the answers, good for 30 days in any browser."""
        self.made_on, self.link, self.not_done = self.path, "", ""
        try:
            made = await current().journeys.link(self._token())
        except StorageError:
            self.not_done = NOT_DONE
            return
        if isinstance(made, JourneyNotFound):
            self.not_done = made.message
        else:
            self.link = f"{self.router.url.origin}{routes.SAVED_ANSWERS}#{made}"

    @rx.event
    async def resume(self) -> EventSpec | None:
        """Resume the answers of this page's link; ask first where the browser has answers of its own."""
        return await self._resumed(replace=False)

    @rx.event
    async def resume_anyway(self) -> EventSpec | None:
        """Resume the answers of the link in place of the browser's own."""
        return await self._resumed(replace=True)

    @rx.event
    async def forget(self) -> EventSpec | None:
        """Delete the answers of this browser, and confirm on a page that shows none of them."""
        self.made_on, self.link, self.not_done = self.path, "", ""
        try:
            await current().journeys.forget(self._token())
        except StorageError:
            self.not_done = NOT_DONE
            return None
        self._bind("")
        return self._lead(routes.SAVED_ANSWERS, DELETED)

    async def _resumed(self, *, replace: bool) -> EventSpec | None:
        self._begin()
        if self.notice:
            return None
        journeys, link = current().journeys, self.router.url.fragment
        try:
            found = await journeys.resume(link, own=self._token(), replace=replace)
        except StorageError:
            self.problem = ANSWERS_UNAVAILABLE
            return None
        if isinstance(found, JourneyNotFound):
            self.problem = found.message
            return None
        if isinstance(found, TwoJourneys):
            self.notice, self.go_on = found.message, page_of(found.own.journey.current)
            self.is_other_flow = self._is_other_flow(found.own)
            return None
        self._keep(found)
        return self._load(page_of(found.journey.current), found.journey.flow, replace=True)
