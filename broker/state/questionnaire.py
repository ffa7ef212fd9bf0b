"""State of a questionnaire page, read from the stored journey whenever a page opens (decision 31).

The database holds the answers, under the token in the visitor's cookie: a reload, a second tab, a lost connection or a
restarted server shows them as they are. No script reads that cookie, and a socket cannot set one: the page exchanges
`cookie_code` for it.
"""

import logging
import re
import secrets
from typing import Any

import reflex as rx
from reflex.event import EventSpec
from reflex.state import BaseState, StateUpdate

from broker import routes
from broker.questionnaire import step_view as words
from broker.questionnaire.flow import Flow, Step
from broker.questionnaire.forms import (
    DEALT,
    DIGEST,
    QUESTION_CHANGED,
    STEP,
    VERSION,
    answer_in,
    journey_token_in,
    question_digest,
    version_in,
)
from broker.questionnaire.journey import ANSWERS_NOT_FOUND, OFF_PATH, Journey, Refused, replay
from broker.questionnaire.journeys import (
    ANSWER_NOT_STORED,
    ANSWERS_UNAVAILABLE,
    JourneyNotFound,
    QuestionChanged,
    TwoJourneys,
    VersionConflict,
    VisitorJourney,
)
from broker.questionnaire.rate_query import rate_search
from broker.questionnaire.step_view import (
    CHANGE,
    DELETED,
    NOT_DONE,
    AnswerRow,
    Progress,
    back_to,
    field_of,
    page_after,
    page_of,
)
from broker.rates.best_deals import BestDeals, best_deals
from broker.rates.product import RatesError
from broker.services import current
from broker.storage.errors import StorageError

log = logging.getLogger(__name__)

_YEARS = re.compile("[0-9]{1,2}")


class QuestionnaireState(rx.State):
    """What the page at `path` shows of the journey.

    `opened` changes with every opening of a page, `dealt` with every answer that was kept or refused; both are empty
    before the first. `problem` is what is wrong with the answer as a whole, `problems` with each of its inputs.
    `elsewhere` is a page to load from the server, since it is not compiled as the journey's flow has it, in place of
    this one in the history where `elsewhere_replaces`. `is_other_flow` is whether that flow is not the built one: links
    to questions then load them from the server, too.
    `_last_step` is the last answered step with the page after it, `_last_socket` the socket that was sent there, and
    `_has_arrived` whether that page was opened. `_owner` is the socket that has the answers, and their token.
    """

    cookie_code: str = ""
    elsewhere: str = ""
    elsewhere_replaces: bool = False
    is_other_flow: bool = False
    path: str = ""
    opened: str = ""
    dealt: str = ""
    version: int = 0
    chosen: str = ""
    figures: rx.Field[dict[str, str]] = rx.field(default_factory=dict)
    problems: rx.Field[dict[str, str]] = rx.field(default_factory=dict)
    problem: str = ""
    notice: str = ""
    go_on: str = ""
    way: Progress = Progress()
    back: str = ""
    answers: tuple[AnswerRow, ...] = ()
    deals: BestDeals = BestDeals()
    basis: str = ""
    remarks: tuple[str, ...] = ()
    deals_status: str = ""
    _message: tuple[str, str] = ("", "")
    _last_step: tuple[str, str] = ("", "")
    _last_socket: str = ""
    _has_arrived: bool = False
    _own_answer: tuple[str, int, int] = ("", 0, 0)
    _term: int = 0
    _owner: tuple[str, str] = ("", "")

    @rx.event
    async def open(self) -> Any:
        """Show this page's question with its answer, or redirect to the next question."""
        is_return, token = not self.path, self._token()
        self._begin()
        self.opened = secrets.token_hex(4)
        self._has_arrived = self._has_arrived or self.path == self._last_step[1]
        if not self._has_arrived and self._last_socket != self.router.session.session_id:
            self._last_step = ("", "")  # what led there was lost with its socket
        step = "" if self.path == routes.CHECK_ANSWERS else routes.question_at(self.path)
        try:
            held = await current().journeys.open(token, step, address=self.router.session.client_ip)
        except StorageError:
            self.notice, self.chosen, self.figures, self.way = ANSWERS_UNAVAILABLE, "", {}, Progress()
            self.back, self.answers = "", ()
            return None
        if held is None:
            return self._redirect(routes.QUESTIONNAIRE, words.NOT_BEGUN)
        if token and held.token != token:
            self.notice = ANSWERS_NOT_FOUND
        return self._show(held, step, is_return=is_return)

    @rx.event
    async def answer(self, form: dict[str, Any]) -> EventSpec | None:
        """Store the answer of a form and redirect to the next page; show the reasons where it is refused."""
        given = form if isinstance(form, dict) else {}
        step, changing = str(given.get(STEP)), CHANGE in self.router.url.query_parameters
        shown = self._begin()
        knows_last, self.dealt = given.get(DEALT) == self.dealt, secrets.token_hex(4)
        try:
            seen, address = self._seen(step, version_in(given)), self.router.session.client_ip
            taken = await current().journeys.answer(
                self._token(), step, answer=answer_in(given), digest=given.get(DIGEST), seen=seen, address=address
            )
        except StorageError:
            self.problem = ANSWER_NOT_STORED
            return None
        if isinstance(taken, VisitorJourney):
            is_new = self._token() not in ("", taken.token)
            self._own_answer = (step, version_in(given) or 0, taken.version)
            onwards = self._next_page(taken, step, changing=changing, knows_last=knows_last, shown=shown)
            if is_new:
                self._message = (self._last_step[1], ANSWERS_NOT_FOUND)
            return onwards
        if isinstance(taken, QuestionChanged):
            self.problem = QUESTION_CHANGED
            return None
        if isinstance(taken, JourneyNotFound):
            # The cookie may be another tab's now: the next page reads it again.
            return self._redirect(routes.QUESTIONNAIRE, taken.message)
        return (
            self._show_conflict(taken.stored, step) if isinstance(taken, VersionConflict) else self._show_refusal(taken)
        )

    @rx.event
    def take_term(self, years: str) -> Any:
        """Search deals over the visitor's own term; an empty text is none. Search again if deals are shown."""
        before, self._term = self._term, int(years) if isinstance(years, str) and _YEARS.fullmatch(years) else 0
        return QuestionnaireState.read_deals if self.deals_status and self._term != before else None

    @rx.event(background=True, supersedes=True)
    async def read_deals(self) -> None:
        """Search the deals for the answers before this page."""
        async with self:
            self.deals, self.basis, self.remarks, self.deals_status = BestDeals(), "", (), "loading"
            token, step = self._token(), routes.question_at(routes.slashed(self.router.url.path))
            term = self._term
        try:
            held = await current().journeys.find(token)
            search = rate_search(held.journey, step, term=term) if held else None
            answer = await current().rates.search(search.query) if search else None
        except (RatesError, StorageError) as error:
            log.warning("the deals of a questionnaire could not be read: %s", error)
            search = answer = None
        async with self:
            if self._owner != (self.router.session.session_id, token):
                return  # another socket has this tab now, and its page reads the deals again
            if search is None or answer is None:
                self.deals_status = "failed"
                return
            self.deals = best_deals(answer, logos=current().lenders.logos())
            self.basis, self.remarks = words.search_basis(search), search.remarks
            self.deals_status = "loaded" if self.deals.deals else "empty"

    @rx.event
    def renew_cookie(self) -> None:
        """Have the page set the cookie of its journey again, after the browser refused it."""
        self.cookie_code = current().journeys.cookies.code(self._token())

    def _begin(self) -> str:
        """Record which page this is and show its message; return the page before."""
        before, path = self.path, routes.slashed(self.router.url.path)
        self._message = self._message if self._message[0] == path else ("", "")
        self.path, self.notice = path, self._message[1]
        self.problem, self.problems, self.go_on = "", {}, ""
        return before

    def _token(self) -> str:
        socket, token = self._owner
        is_same = socket == self.router.session.session_id
        return token if is_same else journey_token_in(self.router.headers.cookie)

    def _seen(self, step: str, version: int | None) -> int | None:
        """Return the version that an answer must match: this tab's own last answer to the step is not newer."""
        return self._own_answer[2] if self._own_answer[:2] == (step, version) else version

    def _keep(self, held: VisitorJourney) -> None:
        self.version, self.is_other_flow = held.version, self._is_other_flow(held)
        self._bind(held.token)

    def _is_other_flow(self, held: VisitorJourney) -> bool:
        return held.journey.flow is not current().journeys.flows.built

    def _bind(self, token: str) -> None:
        """Bind this tab's socket to a token, and have the page set the cookie that a later socket brings."""
        bound = (self.router.session.session_id, token)
        if self._owner != bound:
            self._owner, self.cookie_code = bound, current().journeys.cookies.code(token)

    def _redirect(self, path: str, sentence: str, flow: Flow | None = None) -> EventSpec | None:
        self._message = (path, sentence)
        return self._load(path, flow or current().journeys.flows.current, replace=True)

    def _load(self, path: str, flow: Flow, *, replace: bool = False) -> EventSpec | None:
        """Load a page: within the site where it is compiled as the flow has it, else from the server."""
        step = flow.steps.get(routes.question_at(path))
        if step is None or current().journeys.flows.is_compiled(step):
            return rx.redirect(path, replace=replace)
        self.elsewhere, self.elsewhere_replaces = path, replace
        return None

    def _next_page(
        self, held: VisitorJourney, step: str, *, changing: bool, knows_last: bool, shown: str
    ) -> EventSpec | None:
        """Lead on from an answered step, once.

        The second answer of a double click, or one sent again after a lost connection, was on its way before the page
        `knows_last` of the first: it changes no page, as a page that is loading already, or `shown`, would be in the
        history twice. Nor does it when the visitor has been at that page and came back. An answer from the page that
        the last one led to leads on even before the server has handled the opening of that page.
        """
        self._keep(held)
        if shown not in ("", self.path) and (self._has_arrived or self.path != self._last_step[1]):
            self.path = shown
            return None
        before, self._last_step = self._last_step, (step, page_after(held.journey, step, changing=changing))
        self._last_socket = self.router.session.session_id
        self._has_arrived = self._has_arrived and before == self._last_step
        return (
            None if before == self._last_step and not knows_last else self._load(self._last_step[1], held.journey.flow)
        )

    def _show(self, held: VisitorJourney, step: str, *, is_return: bool) -> Any:
        self._keep(held)
        journey, flow = held.journey, held.journey.flow
        is_on_path = step in journey.path if step else journey.is_complete
        if not is_on_path and step not in flow.entries:
            return self._redirect(page_of(journey.current), OFF_PATH if step else words.FIRST_THE_REST, flow)
        if step and self._is_other_version(flow.steps[step]):
            return None
        if journey.done and (not is_on_path or (is_return and step == journey.entry)):
            self.notice, self.go_on = words.WELCOME_BACK if is_on_path else words.GO_ON, page_of(journey.current)
        elif not is_on_path:
            journey = replay(flow, step, journey.answers)
        self._fill(journey, step)
        asks_rates = bool(step) and not flow.steps[step].is_question
        return [QuestionnaireState.read_deals] if asks_rates else None

    def _is_other_version(self, step: Step) -> bool:
        """Return whether this page is compiled otherwise than the journey's flow has it: it is loaded again, once."""
        if current().journeys.flows.is_compiled(step):
            return False
        version = question_digest(step)
        if self.router.url.query_parameters.get(VERSION) == version:
            self.notice = QUESTION_CHANGED
            return False
        self.elsewhere, self.elsewhere_replaces = f"{self.path}?{VERSION}={version}", True
        return True

    def _fill(self, journey: Journey, step: str) -> None:
        answered = journey.answered(step)
        value = answered.value if answered else ""
        self.chosen = value if isinstance(value, str) else ""
        self.figures = {key: str(each) for key, each in value.items()} if isinstance(value, dict) else {}
        self.way, self.back = words.progress_at(journey.flow, journey, step=step), back_to(journey, step)
        self.answers = words.answer_rows(journey, before=step) if step in journey.path or not step else ()

    def _show_conflict(self, held: VisitorJourney, step: str) -> EventSpec | None:
        """Say that the question was answered elsewhere meanwhile; the late answer stays on the page."""
        self._keep(held)
        if step not in held.journey.path:
            return self._redirect(page_of(held.journey.current), OFF_PATH, held.journey.flow)
        self._fill(held.journey, step)
        self.problem = words.NEWER
        return None

    def _show_refusal(self, refused: Refused) -> EventSpec | None:
        """Say what is wrong with an answer, or redirect from a question off the visitor's path."""
        if refused.off_path:
            return self._redirect(page_of(refused.journey.current), OFF_PATH, refused.journey.flow)
        first = refused.invalid[0]
        self.problems = {each.input: each.reason for each in refused.invalid}
        field = field_of(refused.journey.flow.steps[first.step], first.input)
        return rx.set_focus(field) if field and self.path == routes.question(first.step) else None


def empty_unless_owned(state: QuestionnaireState) -> None:
    """Empty a state that another socket takes over without the cookie of its journey; the answers stay stored."""
    socket, token = state._owner
    is_same = socket == state.router.session.session_id
    if not is_same:
        state.elsewhere = ""  # that page is here
    if token and not is_same and journey_token_in(state.router.headers.cookie) != token:
        state.reset()


class JourneyAccessCheck(rx.Middleware):
    """Empties the questionnaire of a tab when a socket takes it over without the cookie of its journey."""

    async def preprocess(
        self,
        app: rx.App,  # noqa: ARG002 - Reflex calls with these names
        state: BaseState,
        event: rx.event.Event,  # noqa: ARG002 - Reflex calls with these names
    ) -> StateUpdate | None:
        """Check whose socket this is before any event is handled; the event always goes on."""
        held = state._get_root_state().substates.get(QuestionnaireState.get_name())
        if isinstance(held, QuestionnaireState):
            empty_unless_owned(held)
        return None


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
        """Resume the answers of this page's link; ask first where the browser has its own."""
        return await self._resume(replace=False)

    @rx.event
    async def resume_anyway(self) -> EventSpec | None:
        return await self._resume(replace=True)

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
        return self._redirect(routes.SAVED_ANSWERS, DELETED)

    async def _resume(self, *, replace: bool) -> EventSpec | None:
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
