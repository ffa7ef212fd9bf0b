"""Pages of questions for the flow that a visitor's journey began with, or else the current one.

A question that is compiled as the flow has it is the exported page; any other is rendered from the template of all
questions, with the visitor's answers in it.
"""

import logging
from dataclasses import dataclass
from urllib.parse import parse_qs

from starlette.datastructures import Headers
from starlette.types import Scope

from broker import routes
from broker.domain.enquiries.stored_records import StorageError
from broker.domain.questionnaire.flow import Step
from broker.domain.questionnaire.journey import Journey, replay
from broker.domain.questionnaire.rate_query import rate_search
from broker.domain.rates.product import RatesError
from broker.presenters import questionnaire as words
from broker.presenters.question_page import StepDeals, question_values, stored_fields
from broker.presenters.questionnaire import CHANGE, page_of
from broker.presenters.rates.best_deals import best_deals
from broker.server.cookie_notice import is_accepted
from broker.server.exported_site import ExportedFile
from broker.server.file_answers import file_answer
from broker.server.forms.question_posts import journey_token, redirect
from broker.server.releases import LiveExport
from broker.server.rendered_pages import RenderedPages
from broker.server.response import Answer, Handler
from broker.services import Services
from broker.services.journeys import ANSWERS_UNAVAILABLE
from broker.services.questionnaire_flows import QuestionnaireFlows

log = logging.getLogger(__name__)


def question_handlers(services: Services, live: LiveExport, *, flows: QuestionnaireFlows) -> dict[str, Handler]:
    """Return the handler of questions, by the path of each compiled one, and by their folder for all others."""
    pages = QuestionPages(services=services, live=live, flows=flows)
    return dict.fromkeys((*map(routes.question, flows.built.steps), f"{routes.QUESTIONNAIRE}*"), pages.answer)


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionPages:
    """Answers requests for questions; None leaves one to the exported files."""

    services: Services
    live: LiveExport
    flows: QuestionnaireFlows

    async def answer(self, scope: Scope) -> Answer | None:
        """Return the page of a question, or a redirect to the visitor's own; 503 where that is not known."""
        path, request, export = scope["path"], Headers(scope=scope), self.live.export
        file, token = export.files.get(path), journey_token(request)
        if f"{path}/" in export.files or (file and not token and self.flows.current is self.flows.built):
            return None
        try:
            held = await self.services.journeys.find(token)
        except StorageError as error:
            log.warning("a question is shown without the visitor's answers: %s", error)
            return None if file else self._unavailable(path, request)
        journey = held.journey if held else replay(self.flows.current, routes.question_at(path), {})
        step = journey.flow.steps.get(routes.question_at(path))
        if step is None:
            return redirect(page_of(journey.current)) if file else None
        if not path.endswith("/"):
            return redirect(routes.question(step.id))
        if file and self.flows.is_compiled(step):
            return self._compiled(file, request)
        return await self._rendered(journey, step, scope=scope, is_held=held is not None)

    def _compiled(self, file: ExportedFile, request: Headers) -> Answer:
        """Return the exported page, which no proxy keeps: another visitor's flow may have another one there."""
        is_closed = is_accepted(";".join(request.getlist("cookie")))
        return file_answer(self.live.export.closed(file) if is_closed else file, request)

    async def _rendered(self, journey: Journey, step: Step, *, scope: Scope, is_held: bool) -> Answer:
        """Return a question with its answer; or lead to the visitor's own question from one that is not theirs."""
        go_on = ""
        if step.id not in journey.path:
            if step.id not in journey.flow.entries:
                return redirect(page_of(journey.current) if is_held else routes.QUESTIONNAIRE)
            go_on = page_of(journey.current) if journey.done else ""
            journey = replay(journey.flow, step.id, journey.answers)
        request = Headers(scope=scope)
        values = question_values(
            step,
            stored_fields(journey.answered(step.id)),
            changing=CHANGE in parse_qs(scope.get("query_string", b"").decode("latin-1")),
            journey=journey,
            go_on=go_on,
            found=StepDeals() if step.is_question else await self._deals(journey, step.id),
        )
        return RenderedPages(live=self.live).answer("question", values, headers=request)

    async def _deals(self, journey: Journey, step: str) -> StepDeals:
        search = rate_search(journey, step)
        try:
            answer = await self.services.rates.search(search.query) if search else None
        except RatesError as error:
            log.warning("the deals of a questionnaire could not be read: %s", error)
            answer = None
        if search is None or answer is None:
            return StepDeals(message=words.DEALS_AWAY)
        deals = best_deals(answer, logos=self.services.lenders.logos())
        if not deals.deals:
            return StepDeals(message=words.NO_DEALS)
        return StepDeals(deals=deals, basis=words.basis(search), remarks=search.remarks)

    def _unavailable(self, path: str, request: Headers) -> Answer:
        values = {"reason": f"{ANSWERS_UNAVAILABLE}.", "href": path, "go_on": "Try again"}
        return RenderedPages(live=self.live).answer("unsent", values, headers=request, status=503)
