"""The forms of enquiries, posted plainly: stored, then thanked for; or shown again with what is wrong.

Whatever was entered stands in the page that comes back, and nowhere else. The log names what was wrong, never what was
entered.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from starlette.datastructures import FormData
from starlette.types import Scope

from broker import routes
from broker.domain.enquiries.contact_details import NAME, TELEPHONE, WHEN, Problem
from broker.domain.enquiries.enquiry import ANSWERS, EMAIL, MARKETING, MESSAGE, PRIVACY, EnquiryKind
from broker.domain.enquiries.stored_records import HIDDEN, TICKET, StorageError
from broker.domain.questionnaire.journey import ANSWERS_NOT_FOUND
from broker.presenters.enquiry_form import CAME_FROM, KIND, TEXT_VERSION, form_values
from broker.presenters.marks import Values
from broker.presenters.questionnaire import page_of, rows
from broker.services.enquiries.enquiries import AWAY, TOO_MANY_TRIES, EnquiryService, Refusal, Thanks
from broker.services.enquiries.submissions import NOT_OURS, Sent
from broker.services.journeys import JourneyService, VisitorJourney
from broker.web.forms.enquiry_cookie import thanks_cookie
from broker.web.forms.posts import Post, Sender
from broker.web.forms.question_posts import token_cookie, token_in
from broker.web.serving.filled_pages import FormPages
from broker.web.serving.headers import is_https
from broker.web.serving.releases import LiveExport
from broker.web.serving.response import Answer, Handler

FIELDS = (NAME, TELEPHONE, EMAIL, WHEN, MESSAGE, PRIVACY, HIDDEN, TICKET)
"""Fields of the form that the service judges, beside the channels of marketing, of which there may be several."""

STATUSES = {AWAY: 503, TOO_MANY_TRIES: 429}
"""What is answered to a refusal for another reason than what was entered."""

_VERSION = re.compile(r"[0-9A-Za-z.-]{1,20}")

log = logging.getLogger(__name__)


class Cases(Protocol):
    """What the forms are answered with (`services.Services`)."""

    @property
    def enquiries(self) -> EnquiryService:
        """Return the enquiries."""
        ...

    @property
    def journeys(self) -> JourneyService:
        """Return the journeys."""
        ...


def contact_post(cases: Cases, live: LiveExport) -> Post:
    """Return what answers the form that asks for a call or sends a message."""
    forms = FormPages(live=live)

    async def answer(form: FormData, sender: Sender) -> Answer:
        kind = EnquiryKind.CONTACT if form.get(KIND) == EnquiryKind.CONTACT else EnquiryKind.CALLBACK
        sent = sent_in(form, sender, kind=kind, page=routes.CONTACT)
        outcome = await _submitted(cases, sent)
        if isinstance(outcome, Thanks):
            return thanked(outcome, site_url=live.export.site_url)
        values = form_values({**sent.given, KIND: kind, CAME_FROM: sent.came_from}, outcome.problems)
        return _again(forms, "contact", values, sender=sender, refusal=outcome)

    return Post(answer=answer)


def answers_post(cases: Cases, live: LiveExport) -> Post:
    """Return what answers the form that sends the answers of a questionnaire."""
    forms = FormPages(live=live)

    async def answer(form: FormData, sender: Sender) -> Answer:
        token = token_in(sender.headers)
        sent = replace(sent_in(form, sender, kind=EnquiryKind.QUESTIONNAIRE, page=routes.CHECK_ANSWERS), token=token)
        outcome = await _submitted(cases, sent)
        if isinstance(outcome, Thanks):
            secure = is_https(live.export.site_url)
            done = thanked(outcome, site_url=live.export.site_url)
            return replace(done, cookies=(*done.cookies, token_cookie("", secure=secure)))
        held = await _held(cases, token)
        if held is None or not held.journey.is_complete:
            return _unsent(forms, outcome, held, sender=sender)
        answers = [{"label": row.label, "words": row.words, "href": row.href} for row in rows(held.journey)]
        form_again = form_values({**sent.given, CAME_FROM: sent.came_from}, outcome.problems)
        values: Values = {**form_again, "answers": answers}
        return _again(forms, "check", values, sender=sender, refusal=outcome)

    return Post(answer=answer)


def form_ticket(cases: Cases) -> Handler:
    """Return what answers who begins to fill in a form: with the ticket that it goes with."""

    async def answer(scope: Scope) -> Answer | None:
        if scope["path"] != routes.FORM_TICKET:
            return None
        headers = {"content-type": "text/plain; charset=utf-8", "cache-control": "no-store"}
        return Answer(status=200, headers=headers, body=cases.enquiries.forms.ticket().encode())

    return answer


def sent_in(form: FormData, sender: Sender, *, kind: EnquiryKind, page: str) -> Sent:
    """Return what a form sent, as the service takes it; a file in place of a text is nothing."""
    texts = {name: value for name in (*FIELDS, CAME_FROM, TEXT_VERSION) if isinstance(value := form.get(name), str)}
    given = {name: texts[name] for name in FIELDS if name in texts}
    channels = [value for value in form.getlist(MARKETING) if isinstance(value, str)]
    return Sent(
        kind=kind,
        given={**given, MARKETING: channels},
        page=page,
        text_version=texts.get(TEXT_VERSION, ""),
        address=sender.address,
        came_from=texts.get(CAME_FROM, ""),
    )


def thanked(thanks: Thanks, *, site_url: str) -> Answer:
    """Return the answer that leads to the page of thanks, with the cookie that shows what was sent there."""
    cookie = thanks_cookie(thanks.link, secure=is_https(site_url))
    return Answer(status=303, headers={"location": routes.THANK_YOU}, cookies=(cookie,))


def status_of(problems: Sequence[Problem]) -> int:
    """Return the status of a refusal: 503 where nothing can be kept, 429 for too often, else 422."""
    return next((STATUSES[each.reason] for each in problems if each.reason in STATUSES), 422)


async def _submitted(cases: Cases, sent: Sent) -> Thanks | Refusal:
    """Have an enquiry stored; a form that does not say which wording of consent was read is none of ours."""
    if not _VERSION.fullmatch(sent.text_version):
        return Refusal.saying(NOT_OURS)
    return await cases.enquiries.submit(sent)


async def _held(cases: Cases, token: str) -> VisitorJourney | None:
    try:
        return await cases.journeys.find(token)
    except StorageError as error:
        log.error("answers to be shown again: %s", error)
        return None


def _again(forms: FormPages, name: str, values: Values, *, sender: Sender, refusal: Refusal) -> Answer:
    """Return the page of a form once more, with all that was entered and what is wrong with it."""
    status = status_of(refusal.problems)
    fields = ", ".join(each.field or "as a whole" for each in refusal.problems)
    log.info("form %s refused, %s: %s", name, status, fields)
    return forms.page(name, values, headers=sender.headers, status=status)


def _unsent(forms: FormPages, refusal: Refusal, held: VisitorJourney | None, *, sender: Sender) -> Answer:
    """Return the page that says why answers cannot go at all, with the way on."""
    reasons = [each.reason for each in refusal.problems if each.field in ("", ANSWERS)]
    status = status_of(refusal.problems)
    href = page_of(held.journey.current) if held else routes.CHECK_ANSWERS if status == 503 else routes.QUESTIONNAIRE
    go_on = "Go on with the questions" if held else "Try again" if status == 503 else "Begin the questions"
    values = {"reason": f"{reasons[0] if reasons else ANSWERS_NOT_FOUND}.", "href": href, "go-on": go_on}
    return forms.page("unsent", values, headers=sender.headers, status=status)
