"""What is kept of a visitor, at the edge: on the page of thanks, and where it is seen and deleted (decision 33)."""

from __future__ import annotations

from collections.abc import Callable

from starlette.datastructures import FormData, Headers
from starlette.types import Scope

from broker import routes
from broker.domain.enquiries.stored_records import StoredEnquiry
from broker.presenters.enquiry_summary import sent
from broker.presenters.your_enquiry import (
    ASK,
    DELETE,
    DIGITS,
    LINK,
    REFERENCE,
    STEP,
    found_values,
    gone_values,
    lines,
    problem_values,
)
from broker.services.enquiries.enquiries import NO_LINK, NOT_FOUND, Proof, Refusal
from broker.web.forms.enquiry_cookie import thanks_cookie, thanks_link
from broker.web.forms.enquiry_posts import Cases, status_of
from broker.web.forms.posts import Post, Sender
from broker.web.serving.filled_pages import FormPages
from broker.web.serving.headers import is_https
from broker.web.serving.releases import LiveExport
from broker.web.serving.response import Answer, Handler

STORED = "Your enquiry is stored, and an adviser will call you. We cannot show it just now: load this page again."


def thanks_page(cases: Cases, live: LiveExport, *, next_call: Callable[[StoredEnquiry], str]) -> Handler:
    """Return what answers for the page of thanks: what was sent, for the browser that sent it, else as exported.

    `next_call` says when somebody is called.
    """
    forms = FormPages(live=live)

    async def answer(scope: Scope) -> Answer | None:
        headers = Headers(scope=scope)
        link = thanks_link(headers)
        if scope["path"] != routes.THANK_YOU or not link:
            return None
        found = await cases.enquiries.find(Proof(address="", link=link))
        if isinstance(found, StoredEnquiry):
            known = {"reference": found.reference, "link": link, "sent": lines(sent(found))}
            return forms.page("thank-you", {"next-call": next_call(found), "known": [known]}, headers=headers)
        if status_of(found.problems) == 503:
            return forms.page("thank-you", {"next-call": STORED}, headers=headers, status=503)
        return None

    return answer


def your_enquiry_post(cases: Cases, live: LiveExport) -> Post:
    """Return what answers the form that shows an enquiry, asks whether to delete it, and deletes it."""
    forms = FormPages(live=live)

    async def answer(form: FormData, sender: Sender) -> Answer:
        shown = {name: value for name in (REFERENCE, DIGITS, LINK) if isinstance(value := form.get(name), str)}
        proof = Proof(address=sender.address, **shown)
        step = form.get(STEP)
        if step == DELETE and _is_gone(await cases.enquiries.delete(proof)):
            gone = forms.page("your-enquiry", gone_values(), headers=sender.headers)
            secure = is_https(live.export.site_url)
            return Answer(
                status=gone.status, headers=gone.headers, body=gone.body, cookies=(thanks_cookie("", secure=secure),)
            )
        found = await cases.enquiries.find(proof)
        if isinstance(found, Refusal):
            status = status_of(found.problems)
            values = {**shown, **problem_values(found.problems)}
            return forms.page("your-enquiry", values, headers=sender.headers, status=status)
        return forms.page("your-enquiry", {**shown, **found_values(found, asked=step == ASK)}, headers=sender.headers)

    return Post(answer=answer)


def _is_gone(outcome: bool | Refusal) -> bool:
    """Tell whether nothing is kept any longer: deleted now, or before, as where the button is pressed twice."""
    if not isinstance(outcome, Refusal):
        return True
    return any(each.reason in (NO_LINK, NOT_FOUND) for each in outcome.problems)
