"""A question answered by a plain form post: before the scripts of its page have started, or without them.

What is kept and what is refused is the same as over the socket; the browser is sent on to the next question. A plain
post never waited for a connection, so it takes the place of any answer before it.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs, urlsplit

from starlette.datastructures import FormData, Headers

from broker import routes
from broker.domain.enquiries.contact_details import Problem
from broker.domain.enquiries.stored_records import StorageError
from broker.domain.questionnaire.flow import Step
from broker.domain.questionnaire.forms import ANSWER, JOURNEY_COOKIE, STEP, answer_in
from broker.domain.questionnaire.journey import Refused
from broker.presenters.question_errors import WHOLE, asked_again
from broker.presenters.questionnaire import CHANGE, page_after, page_of
from broker.services.journeys import RETENTION, JourneyNotFound, JourneyService, VersionConflict
from broker.web.forms.posts import Post, Sender
from broker.web.serving.filled_pages import FormPages
from broker.web.serving.headers import is_https
from broker.web.serving.releases import LiveExport
from broker.web.serving.response import Answer

AWAY = "We could not keep this answer just now. Please try again in a minute, or call us"

NOT_KEPT = Problem(field=WHOLE, reason=AWAY)
"""What is told where no answer can be kept."""

log = logging.getLogger(__name__)


def token_in(headers: Headers) -> str:
    """Return the visitor's token in a request's cookies; an empty text where there is none."""
    jar = SimpleCookie()
    try:
        jar.load(";".join(headers.getlist("cookie")))
    except CookieError:
        return ""
    return jar[JOURNEY_COOKIE].value if JOURNEY_COOKIE in jar else ""


def token_cookie(token: str, *, secure: bool) -> str:
    """Return the Set-Cookie value that keeps a token as long as its answers; an empty one deletes it."""
    kept = f"{JOURNEY_COOKIE}={token}; Max-Age={int(RETENTION.total_seconds()) if token else 0}; Path=/; SameSite=Lax"
    return f"{kept}; Secure" if secure else kept


def given_answer(journeys: Callable[[], JourneyService], live: LiveExport) -> Post:
    """Return what answers a question's form: 303 to the next page, or the question again with what was given to it.

    That is 422 with the reasons, or 503 where nothing can be kept.
    """
    pages = FormPages(live=live)

    async def answer(form: FormData, sender: Sender) -> Answer:
        given = {name: value for name, value in form.items() if isinstance(value, str)}
        step = given.get(STEP, "")
        asking = journeys()
        try:
            taken = await asking.answer(token_in(sender.headers), step, answer=answer_in(given))
        except StorageError as error:
            log.error("an answer to be kept: %s", error)
            return _again(pages, asking.flow.steps.get(step), given, problems=(NOT_KEPT,), sender=sender)
        if isinstance(taken, JourneyNotFound):
            return _to(routes.QUESTIONNAIRE)
        if isinstance(taken, Refused):
            if taken.off_path:
                return _to(page_of(taken.journey.current))
            problems = [Problem(field=each.input or ANSWER, reason=each.reason) for each in taken.invalid]
            return _again(pages, asking.flow.steps[step], given, problems=problems, sender=sender)
        held = taken.stored if isinstance(taken, VersionConflict) else taken
        after = _to(page_after(held.journey, step, changing=_is_changing(sender.headers)))
        return replace(after, cookies=(token_cookie(held.token, secure=is_https(live.export.site_url)),))

    return Post(answer=answer)


def _is_changing(headers: Headers) -> bool:
    """Tell whether the form stood on a page at which an answer was to be changed, by what the browser says."""
    try:
        return CHANGE in parse_qs(urlsplit(headers.get("referer", "")).query)
    except ValueError:
        return False


def _to(path: str) -> Answer:
    return Answer(status=303, headers={"location": path})


def _again(
    pages: FormPages, step: Step | None, given: Mapping[str, str], *, problems: Sequence[Problem], sender: Sender
) -> Answer:
    """Return the page of a question once more; of a step that there is not, the page that says what happened."""
    status = 503 if NOT_KEPT in problems else 422
    if step is None:
        words = {"reason": f"{AWAY}.", "href": routes.QUESTIONNAIRE, "go-on": "Try again"}
        return pages.page("unsent", words, headers=sender.headers, status=status)
    log.info("answer of %s refused, %s: %s", step.id, status, ", ".join(each.field for each in problems))
    values = asked_again(step, given, problems=problems, changing=_is_changing(sender.headers))
    return pages.page("question", values, headers=sender.headers, status=status)
