"""Forms of enquiries: a valid one is stored, an invalid one is shown again with its errors."""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from starlette.datastructures import FormData, Headers
from starlette.types import Scope

from broker import routes
from broker.appointments.appointment import SLOT, parse_slot
from broker.appointments.appointment_view import appointment_words, thanks_values
from broker.appointments.times_view import TimesPage
from broker.documents.attachment import ATTACH, RESULT
from broker.enquiries.contact_details import NAME, TELEPHONE, WHEN, CallTime, Problem
from broker.enquiries.enquiry import (
    ANSWERS,
    EMAIL,
    HIDDEN,
    MARKETING,
    MESSAGE,
    PRIVACY,
    TOKEN,
    AdviceKept,
    EnquiryKind,
    StoredEnquiry,
)
from broker.enquiries.form_view import CAME_FROM, KIND, TEXT_VERSION, TIMES, form_values
from broker.enquiries.service import (
    AWAY,
    NO_LINK,
    NOT_FOUND,
    NOT_OURS,
    TOO_MANY_TRIES,
    EnquiryCredentials,
    EnquiryReceipt,
    EnquiryRefused,
    Submission,
)
from broker.enquiries.summary import (
    ASK,
    BEGIN,
    CREDENTIALS,
    DELETE,
    LINK,
    STEP,
    deleted_values,
    found_values,
    kept_values,
    problem_values,
    search_values,
    sent_lines,
)
from broker.markup import parse_page
from broker.questionnaire.journey import ANSWERS_NOT_FOUND
from broker.questionnaire.journeys import VisitorJourney
from broker.questionnaire.step_view import answer_rows, page_of
from broker.server.forms.call_times import SHOW, CallTimes
from broker.server.forms.posts import Post, Sender
from broker.server.forms.question_forms import journey_cookie, journey_token
from broker.server.metrics import ENQUIRIES
from broker.server.releases import LiveExport
from broker.server.rendered_pages import RenderedPages
from broker.server.response import Answer, Handler, is_https, plain_text
from broker.server.result_pdfs import attachment_at, result_values
from broker.server.templating import Templates
from broker.services import Services
from broker.storage.errors import StorageError

_COOKIE_NAME, _COOKIE_SECONDS = "thanks", 60 * 60

MAX_COOKIE_LENGTH = 1_000
"""Characters of the cookie; a longer one is ignored."""


def enquiry_cookie(link: str, *, secure: bool) -> str:
    """Return the Set-Cookie value that stores the link to an enquiry; an empty link deletes the cookie."""
    seconds = _COOKIE_SECONDS if link else 0
    value = f"{_COOKIE_NAME}={link}; Max-Age={seconds}; Path={routes.THANK_YOU}; HttpOnly; SameSite=Lax"
    return f"{value}; Secure" if secure else value


def enquiry_link(request: Headers) -> str:
    """Return the link in the cookie of a request, empty for none or an overlong one."""
    pairs = (pair.strip().partition("=") for line in request.getlist("cookie") for pair in line.split(";"))
    value = next((value for name, _, value in pairs if name == _COOKIE_NAME), "")
    return value if len(value) <= MAX_COOKIE_LENGTH else ""


FIELDS = (NAME, TELEPHONE, EMAIL, WHEN, SLOT, MESSAGE, PRIVACY, RESULT, HIDDEN, TOKEN)
"""Fields of the form with one value; the channels of marketing may be several."""

STATUSES = {AWAY: 503, TOO_MANY_TRIES: 429}
"""Status of a refusal for other reasons than the entries."""

REWORDED = Problem(
    field=PRIVACY,
    reason="We changed what we say about your data after you opened this page. Please read it and tick the box again",
)

log = logging.getLogger(__name__)


def contact_post(services: Services, live: LiveExport) -> Post:
    """Return the handler of the form that asks for a call or sends a message."""
    pages, times = RenderedPages(live=live), CallTimes(services, live)

    async def answer(form: FormData, sender: Sender) -> Answer:
        kind = EnquiryKind.CONTACT if form.get(KIND) == EnquiryKind.CONTACT else EnquiryKind.CALLBACK
        given = _parse_form(form, sender, kind=kind, page=routes.CONTACT)
        sent = replace(given, attachment=await attachment_at(given.given.get(RESULT)))
        if form.get(ATTACH) or form.get(SHOW):
            return pages.answer("contact", await values(sent, show=form.get(SHOW)), headers=sender.headers)
        outcome = await _submit(services, sent, live)
        if isinstance(outcome, EnquiryReceipt):
            return _redirect_to_thanks(outcome, site_url=live.export.site_url)
        return _invalid(pages, "contact", await values(sent, outcome), sender=sender, refusal=outcome)

    async def values(
        sent: Submission, refusal: EnquiryRefused | None = None, *, show: object = None
    ) -> dict[str, object]:
        address = str(sent.given.get(RESULT, ""))
        parameters = routes.parameters_in(f"{RESULT}={address.replace('?', '&', 1)}") if address else {}
        page, slot = TimesPage(path=routes.CONTACT, parameters=parameters), parse_slot(sent.given.get(SLOT))
        if isinstance(show, str):
            return {**_contact_values(_without_slot(sent)), TIMES: await times.of_button(page, show, slot)}
        return {**_contact_values(sent, refusal), TIMES: await times.of_refusal(page, slot, refusal)}

    return Post(answer=answer)


def answers_post(services: Services, live: LiveExport) -> Post:
    """Return the handler of the form that sends the answers of a questionnaire."""
    pages, times = RenderedPages(live=live), CallTimes(services, live)

    async def answer(form: FormData, sender: Sender) -> Answer:
        token = journey_token(sender.headers)
        sent = _parse_form(form, sender, kind=EnquiryKind.QUESTIONNAIRE, page=routes.CHECK_ANSWERS)
        page, slot = TimesPage(path=routes.CHECK_ANSWERS), parse_slot(sent.given.get(SLOT))
        if isinstance(show := form.get(SHOW), str):
            held = await _find_journey(services, token)
            if held and held.journey.is_complete:
                values = form_values({**_given(_without_slot(sent), None), CAME_FROM: sent.came_from}, ())
                values |= {TIMES: await times.of_button(page, show, slot), "answers": answer_rows(held.journey)}
                return pages.answer("check", values, headers=sender.headers)
        outcome = await _submit(services, replace(sent, token=token), live)
        if isinstance(outcome, EnquiryReceipt):
            redirect = _redirect_to_thanks(outcome, site_url=live.export.site_url)
            ended = journey_cookie("", secure=is_https(live.export.site_url))
            return replace(redirect, cookies=(*redirect.cookies, ended))
        held = await _find_journey(services, token)
        if held is None or not held.journey.is_complete:
            return _unsent(pages, outcome, held, sender=sender)
        values = form_values({**_given(sent, outcome), CAME_FROM: sent.came_from}, outcome.problems)
        values[TIMES] = await times.of_refusal(page, slot, outcome)
        return _invalid(
            pages, "check", {**values, "answers": answer_rows(held.journey)}, sender=sender, refusal=outcome
        )

    return Post(answer=answer)


def form_token(services: Services) -> Handler:
    """Return the handler of a form's token, requested when a visitor starts the form."""

    async def answer(_: Scope) -> Answer:
        return plain_text(200, services.enquiries.forms.token())

    return answer


def _parse_form(form: FormData, sender: Sender, *, kind: EnquiryKind, page: str) -> Submission:
    """Parse a posted form; a file instead of a text is ignored."""
    texts = {name: value for name in (*FIELDS, CAME_FROM, TEXT_VERSION) if isinstance(value := form.get(name), str)}
    fields = {name: texts[name] for name in FIELDS if name in texts}
    if parse_slot(fields.get(WHEN)):  # one group of radio buttons has both
        fields |= {SLOT: fields[WHEN], WHEN: CallTime.ANY}
    channels = [value for value in form.getlist(MARKETING) if isinstance(value, str)]
    return Submission(
        kind=kind,
        given={**fields, MARKETING: channels},
        page=page,
        text_version=texts.get(TEXT_VERSION, ""),
        address=sender.address,
        came_from=texts.get(CAME_FROM, ""),
    )


def _redirect_to_thanks(thanks: EnquiryReceipt, *, site_url: str) -> Answer:
    """Return the redirect to the thank-you page, with the cookie that shows the enquiry there."""
    cookie = enquiry_cookie(thanks.link, secure=is_https(site_url))
    return Answer(status=303, headers={"location": routes.THANK_YOU}, cookies=(cookie,))


def _status_of(problems: Sequence[Problem]) -> int:
    """Return the status of a refusal: 503 if nothing can be stored, 429 for too many attempts, else 422."""
    return next((STATUSES[each.reason] for each in problems if each.reason in STATUSES), 422)


async def _submit(services: Services, sent: Submission, live: LiveExport) -> EnquiryReceipt | EnquiryRefused:
    """Store an enquiry if its consent is to the current text; a form without a text version is not ours."""
    if not sent.text_version:
        return EnquiryRefused.saying(NOT_OURS)
    if sent.text_version != _consent_version(live.export.templates):
        return EnquiryRefused(problems=(REWORDED,))
    outcome = await services.enquiries.submit(sent)
    if isinstance(outcome, EnquiryReceipt):
        ENQUIRIES.labels(sent.kind).inc()
    return outcome


@lru_cache(maxsize=4)
def _consent_version(templates: Templates) -> str:
    """Return the version of the consent text on the site's forms; empty for an export without the form."""
    name = routes.edge_template("contact")
    if name not in templates:
        return ""
    return next(iter(parse_page(templates.source(name)).xpath("//input[@name=$name]/@value", name=TEXT_VERSION)), "")


def _contact_values(sent: Submission, refusal: EnquiryRefused | None = None) -> dict[str, object]:
    """Return the form's values with the entries, the attachment and the errors."""
    given = _given(sent, refusal)
    values = form_values({**given, KIND: sent.kind, CAME_FROM: sent.came_from}, refusal.problems if refusal else ())
    return values | result_values(sent.attachment, sent.given.get(RESULT))


def _without_slot(sent: Submission) -> Submission:
    """Return a form whose time, if one was chosen, is chosen among the times alone."""
    return replace(sent, given={**sent.given, SLOT: ""})


def _given(sent: Submission, refusal: EnquiryRefused | None) -> Mapping[str, object]:
    """Return the entries to show again, without consent to a text that has changed."""
    given = {**sent.given, WHEN: sent.given.get(SLOT) or sent.given.get(WHEN)}
    return {**given, PRIVACY: "", MARKETING: []} if refusal and REWORDED in refusal.problems else given


async def _find_journey(services: Services, token: str) -> VisitorJourney | None:
    try:
        return await services.journeys.find(token)
    except StorageError as error:
        log.error("answers could not be read: %s", error)
        return None


def _invalid(
    pages: RenderedPages, name: str, values: Mapping[str, object], *, sender: Sender, refusal: EnquiryRefused
) -> Answer:
    status = _status_of(refusal.problems)
    fields = ", ".join(each.field or "as a whole" for each in refusal.problems)
    log.info("form %s refused, %s: %s", name, status, fields)
    return pages.answer(name, values, headers=sender.headers, status=status)


def _unsent(pages: RenderedPages, refusal: EnquiryRefused, held: VisitorJourney | None, *, sender: Sender) -> Answer:
    """Return the page that explains why answers were not sent, with a link to continue."""
    reasons = [each.reason for each in refusal.problems if each.field in ("", ANSWERS)]
    status = _status_of(refusal.problems)
    href = page_of(held.journey.current) if held else routes.CHECK_ANSWERS if status == 503 else routes.QUESTIONNAIRE
    go_on = "Carry on with the questions" if held else "Try again" if status == 503 else "Start the questions"
    values = {"reason": f"{reasons[0] if reasons else ANSWERS_NOT_FOUND}.", "href": href, "go_on": go_on}
    return pages.answer("unsent", values, headers=sender.headers, status=status)


STORED = "We have your enquiry, and an adviser will call you. We cannot show it just now: please load this page again."


def thank_you_handler(
    services: Services, live: LiveExport, *, next_call: Callable[[StoredEnquiry], str], sends_mail: bool
) -> Handler:
    """Return the handler of the thank-you page with the enquiry of the browser's cookie; None for the exported page.

    `next_call` returns the sentence with the time of our call. Where the site `sends_mail`, the page says so.
    """
    pages = RenderedPages(live=live)

    async def answer(scope: Scope) -> Answer | None:
        headers = Headers(scope=scope)
        link = enquiry_link(headers)
        if not link:
            return None
        enquiry = await services.enquiries.thanked(link)
        if isinstance(enquiry, StoredEnquiry):
            booked = await services.appointments.of_enquiry(enquiry.reference)
            sent = sent_lines(enquiry, booked=appointment_words(booked) if booked else "")
            values = thanks_values(booked) | {"reference": enquiry.reference, "sent": sent}
            values["email"] = enquiry.enquiry.contact.email if sends_mail else ""
            return pages.answer("thank-you", {"next_call": next_call(enquiry), **values}, headers=headers)
        if _status_of(enquiry.problems) == 503:
            values = {"next_call": STORED, "reference": "", "email": "", **thanks_values(None)}
            return pages.answer("thank-you", values, headers=headers, status=503)
        return None

    return answer


def your_enquiry_handler(services: Services, live: LiveExport) -> Handler:
    """Return the handler of a mail's link, which shows its enquiry; None without one, for the exported page.

    It changes nothing: programs that look for harmful mail open its links.
    """
    pages = RenderedPages(live=live)

    async def answer(scope: Scope) -> Answer | None:
        link = routes.parameters_in(scope.get("query_string", b"").decode("latin-1")).get(LINK, "")
        if not link:
            return None
        headers, credentials = Headers(scope=scope), {LINK: link}
        enquiry = await services.enquiries.find(EnquiryCredentials(address="", **credentials))
        if isinstance(enquiry, StoredEnquiry):
            values = await _enquiry_values(services, enquiry, credentials)
            return pages.answer("your-enquiry", values, headers=headers)
        status = _status_of(enquiry.problems)
        values = problem_values(enquiry.problems, {})
        return pages.answer("your-enquiry", values, headers=headers, status=404 if status == 422 else status)

    return answer


def your_enquiry_post(services: Services, live: LiveExport) -> Post:
    """Return the handler of the form that shows an enquiry, asks for confirmation, and deletes it."""
    pages = RenderedPages(live=live)

    async def answer(form: FormData, sender: Sender) -> Answer:
        credentials = {name: value for name in CREDENTIALS if isinstance(value := form.get(name), str)}
        proof = EnquiryCredentials(address=sender.address, **credentials)
        step, headers = form.get(STEP), sender.headers
        if step == BEGIN:
            return pages.answer("your-enquiry", search_values(credentials), headers=headers)
        outcome = await services.enquiries.delete(proof) if step == DELETE else None
        if isinstance(outcome, AdviceKept) or (outcome is not None and _is_deleted(outcome)):
            values = kept_values(outcome.until) if isinstance(outcome, AdviceKept) else deleted_values()
            page = pages.answer("your-enquiry", values, headers=headers)
            return replace(page, cookies=(enquiry_cookie("", secure=is_https(live.export.site_url)),))
        enquiry = await services.enquiries.find(proof)
        if isinstance(enquiry, EnquiryRefused):
            values = problem_values(enquiry.problems, credentials)
            return pages.answer("your-enquiry", values, headers=headers, status=_status_of(enquiry.problems))
        values = await _enquiry_values(services, enquiry, credentials, asked=step == ASK)
        return pages.answer("your-enquiry", values, headers=headers)

    return Post(answer=answer)


async def _enquiry_values(
    services: Services, enquiry: StoredEnquiry, credentials: Mapping[str, str], *, asked: bool = False
) -> dict[str, object]:
    """Return the page of an enquiry with its appointment; `asked` if the visitor is to confirm its deletion."""
    booked = await services.appointments.of_enquiry(enquiry.reference)
    progress = await services.cases.progress(enquiry.reference)
    if booked is None:
        return found_values(enquiry, credentials, asked=asked, progress=progress)
    change, words = (
        routes.appointment_link(booked.link) if booked.appointment.is_live else "",
        appointment_words(booked),
    )
    return found_values(enquiry, credentials, asked=asked, progress=progress, booked=words, change=change)


def _is_deleted(outcome: bool | EnquiryRefused) -> bool:
    """Return whether the enquiry is deleted, also where it was before, as by a second press."""
    if not isinstance(outcome, EnquiryRefused):
        return True
    return any(each.reason in (NOT_FOUND, NO_LINK) for each in outcome.problems)
