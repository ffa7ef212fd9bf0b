"""Questions at the edge: their pages, their form posts without scripts, and the cookie of a journey."""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from urllib.parse import parse_qs, urlsplit

from starlette.datastructures import FormData, Headers
from starlette.types import Scope

from broker import routes
from broker.enquiries.contact_details import Problem
from broker.questionnaire import step_view as words
from broker.questionnaire.flow import Step
from broker.questionnaire.flows import RETENTION, QuestionnaireFlows
from broker.questionnaire.forms import ANSWER, CODE, DIGEST, JOURNEY_COOKIE, STEP, answer_in, journey_token_in
from broker.questionnaire.journey import Journey, Refused, replay
from broker.questionnaire.journeys import (
    ANSWERS_UNAVAILABLE,
    JourneyNotFound,
    JourneyService,
    QuestionChanged,
    VersionConflict,
)
from broker.questionnaire.question_page import NO_FIELD, StepDeals, question_values, stored_fields
from broker.questionnaire.rate_query import rate_search
from broker.questionnaire.step_view import CHANGE, page_after, page_of
from broker.rates.best_deals import best_deals
from broker.rates.product import RatesError
from broker.server.exported_site import ExportedFile, is_notice_closed
from broker.server.forms.posts import Post, Sender, text_fields
from broker.server.releases import LiveExport
from broker.server.rendered_pages import RenderedPages, file_answer
from broker.server.response import Answer, Handler, is_https
from broker.services import Services
from broker.storage.errors import StorageError

NOT_STORED_TEXT = "We could not save this answer just now. Please try again in a minute, or call us"
NOT_STORED = Problem(field=NO_FIELD, reason=NOT_STORED_TEXT)
NO_COOKIE = (
    "We can’t find your earlier answers. Either you sent or deleted them, or your browser blocks the cookie that keeps "
    "them. In that case, allow cookies for this site, then start again."
)
CHANGED = Problem(field=NO_FIELD, reason="This question has changed since you opened it. Please check your answer")

log = logging.getLogger(__name__)


def journey_token(headers: Headers) -> str:
    """Return the journey's token in a request's cookies, empty for none."""
    return journey_token_in(";".join(headers.getlist("cookie")))


def journey_cookie(token: str, *, secure: bool) -> str:
    """Return the Set-Cookie value of a token, which lasts as long as its answers; an empty token deletes it."""
    value = f"{JOURNEY_COOKIE}={token}; Max-Age={int(RETENTION.total_seconds()) if token else 0}"
    return f"{value}; Path=/; HttpOnly; SameSite=Lax" + ("; Secure" if secure else "")


def journey_cookie_post(journeys: Callable[[], JourneyService], live: LiveExport) -> Post:
    """Return the handler that sets a journey's cookie, 204, or deletes it, 200; 410 for an invalid code."""

    async def answer(form: FormData, _: Sender) -> Answer:
        token = journeys().cookies.token(form.get(CODE))
        if token is None:
            return Answer(status=410, headers={})
        cookie = journey_cookie(token, secure=is_https(live.export.site_url))
        return Answer(status=204 if token else 200, headers={}, cookies=(cookie,))

    return Post(answer=answer)


async def journey_cookie_check(scope: Scope) -> Answer:
    """Return 204 if the browser has a journey's cookie, else 404."""
    status = 204 if journey_token(Headers(scope=scope)) else 404
    return Answer(status=status, headers={"cache-control": "no-store"})


def question_post(journeys: Callable[[], JourneyService], live: LiveExport) -> Post:
    """Return the handler of a question's form: 303 to the next page, 422 with errors, 503 if nothing can be stored.

    The answer replaces any earlier one: a form was not sent by a page that waits for a connection.
    """
    pages = RenderedPages(live=live)

    async def answer(form: FormData, sender: Sender) -> Answer:
        fields = text_fields(form)
        step, service = fields.get(STEP, ""), journeys()
        digest = fields.get(DIGEST, "")
        try:
            token = journey_token(sender.headers)
            outcome = await service.answer(token, step, answer=answer_in(fields), digest=digest, address=sender.address)
        except StorageError as error:
            log.error("an answer could not be stored: %s", error)
            asked = service.flows.with_question(step, digest).steps.get(step)
            return _invalid(pages, asked, fields, problems=(NOT_STORED,), sender=sender)
        if isinstance(outcome, JourneyNotFound):
            return redirect(routes.QUESTIONNAIRE) if token else _no_cookie(pages, sender)
        if isinstance(outcome, QuestionChanged):
            return _invalid(pages, outcome.step, fields, problems=(CHANGED,), sender=sender, journey=outcome.journey)
        if isinstance(outcome, Refused):
            journey = outcome.journey
            if outcome.off_path:
                return redirect(page_of(journey.current))
            problems = [Problem(field=each.input or ANSWER, reason=each.reason) for each in outcome.invalid]
            return _invalid(pages, journey.flow.steps[step], fields, problems=problems, sender=sender, journey=journey)
        held = outcome.stored if isinstance(outcome, VersionConflict) else outcome
        next_page = redirect(page_after(held.journey, step, changing=_is_changing(sender.headers)))
        return replace(next_page, cookies=(journey_cookie(held.token, secure=is_https(live.export.site_url)),))

    return Post(answer=answer)


def _is_changing(headers: Headers) -> bool:
    """Return whether the form's page was opened to change an answer, by its Referer."""
    try:
        return CHANGE in parse_qs(urlsplit(headers.get("referer", "")).query)
    except ValueError:
        return False


def redirect(path: str) -> Answer:
    """Return an uncached redirect (303)."""
    return Answer(status=303, headers={"location": path, "cache-control": "no-store"})


def _no_cookie(pages: RenderedPages, sender: Sender) -> Answer:
    """Return the page for an answer without a journey's cookie; a redirect would loop."""
    log.info("answer without the cookie of a journey, 422")
    values = {"reason": NO_COOKIE, "href": routes.QUESTIONNAIRE, "go_on": "Start the questions"}
    return pages.answer("unsent", values, headers=sender.headers, status=422)


def _invalid(
    pages: RenderedPages,
    step: Step | None,
    fields: Mapping[str, str],
    *,
    problems: Sequence[Problem],
    sender: Sender,
    journey: Journey | None = None,
) -> Answer:
    """Return the page of a question with its errors; for an unknown step, the page that the answer was not sent."""
    status = 503 if NOT_STORED in problems else 422
    if step is None:
        values = {"reason": f"{NOT_STORED_TEXT}.", "href": routes.QUESTIONNAIRE, "go_on": "Try again"}
        return pages.answer("unsent", values, headers=sender.headers, status=status)
    log.info("answer of %s refused, %s: %s", step.id, status, ", ".join(each.field for each in problems))
    on_path = journey if journey and step.id in journey.path else None
    values = question_values(step, fields, problems=problems, changing=_is_changing(sender.headers), journey=on_path)
    return pages.answer("question", values, headers=sender.headers, status=status)


def question_handlers(services: Services, live: LiveExport, *, flows: QuestionnaireFlows) -> dict[str, Handler]:
    """Return the handler of questions, by the path of each compiled one and by the folder of all."""
    pages = QuestionPages(services=services, live=live, flows=flows)
    return dict.fromkeys((*map(routes.question, flows.built.steps), f"{routes.QUESTIONNAIRE}*"), pages.answer)


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionPages:
    """Pages of questions: the exported page of a compiled question, else rendered with the visitor's answers."""

    services: Services
    live: LiveExport
    flows: QuestionnaireFlows

    async def answer(self, scope: Scope) -> Answer | None:
        """Return a question, or a redirect to the visitor's current one; 503 if that cannot be read.

        None is for the exported file.
        """
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
        """Return the exported page, uncached by proxies: another visitor's flow may have another question there."""
        is_closed = is_notice_closed(";".join(request.getlist("cookie")))
        return file_answer(self.live.export.closed(file) if is_closed else file, request)

    async def _rendered(self, journey: Journey, step: Step, *, scope: Scope, is_held: bool) -> Answer:
        """Return a question with its answer, or a redirect if it is not on the visitor's path."""
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
        return StepDeals(deals=deals, basis=words.search_basis(search), remarks=search.remarks)

    def _unavailable(self, path: str, request: Headers) -> Answer:
        values = {"reason": f"{ANSWERS_UNAVAILABLE}.", "href": path, "go_on": "Try again"}
        return RenderedPages(live=self.live).answer("unsent", values, headers=request, status=503)
