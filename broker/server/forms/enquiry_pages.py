"""Pages that show an enquiry: the thank-you page, and the page to see and delete it (decision 33)."""

from collections.abc import Callable
from dataclasses import replace

from starlette.datastructures import FormData, Headers
from starlette.types import Scope

from broker.domain.enquiries.stored_records import StoredEnquiry
from broker.presenters.enquiry_summary import sent
from broker.presenters.your_enquiry import (
    ASK,
    BEGIN,
    CREDENTIALS,
    DELETE,
    STEP,
    deleted_values,
    found_values,
    problem_values,
    search_values,
)
from broker.server.forms.enquiry_cookie import enquiry_cookie, enquiry_link
from broker.server.forms.enquiry_posts import Cases, status_of
from broker.server.forms.posts import Post, Sender
from broker.server.headers import is_https
from broker.server.releases import LiveExport
from broker.server.rendered_pages import RenderedPages
from broker.server.response import Answer, Handler
from broker.services.enquiries.enquiries import NOT_FOUND, EnquiryCredentials, EnquiryRefused

STORED = "We have your enquiry, and an adviser will call you. We cannot show it just now: please load this page again."


def thank_you_handler(cases: Cases, live: LiveExport, *, next_call: Callable[[StoredEnquiry], str]) -> Handler:
    """Return the handler of the thank-you page: the enquiry for the browser that sent it, else the exported page.

    `next_call` returns the sentence that says when we call.
    """
    pages = RenderedPages(live=live)

    async def answer(scope: Scope) -> Answer | None:
        headers = Headers(scope=scope)
        link = enquiry_link(headers)
        if not link:
            return None
        enquiry = await cases.enquiries.thanked(link)
        if isinstance(enquiry, StoredEnquiry):
            values = {"reference": enquiry.reference, "sent": sent(enquiry)}
            return pages.answer("thank-you", {"next_call": next_call(enquiry), **values}, headers=headers)
        if status_of(enquiry.problems) == 503:
            return pages.answer("thank-you", {"next_call": STORED, "reference": ""}, headers=headers, status=503)
        return None

    return answer


def your_enquiry_post(cases: Cases, live: LiveExport) -> Post:
    """Return the handler of the form that shows an enquiry, asks whether to delete it, and deletes it."""
    pages = RenderedPages(live=live)

    async def answer(form: FormData, sender: Sender) -> Answer:
        credentials = {name: value for name in CREDENTIALS if isinstance(value := form.get(name), str)}
        proof = EnquiryCredentials(address=sender.address, **credentials)
        step, headers = form.get(STEP), sender.headers
        if step == BEGIN:
            return pages.answer("your-enquiry", search_values(credentials), headers=headers)
        if step == DELETE and _is_deleted(await cases.enquiries.delete(proof)):
            page = pages.answer("your-enquiry", deleted_values(), headers=headers)
            return replace(page, cookies=(enquiry_cookie("", secure=is_https(live.export.site_url)),))
        enquiry = await cases.enquiries.find(proof)
        if isinstance(enquiry, EnquiryRefused):
            values = problem_values(enquiry.problems, credentials)
            return pages.answer("your-enquiry", values, headers=headers, status=status_of(enquiry.problems))
        return pages.answer("your-enquiry", found_values(enquiry, credentials, asked=step == ASK), headers=headers)

    return Post(answer=answer)


def _is_deleted(outcome: bool | EnquiryRefused) -> bool:
    """Return whether the enquiry is gone: deleted now, or before, as when the button is pressed twice."""
    if not isinstance(outcome, EnquiryRefused):
        return True
    return any(each.reason == NOT_FOUND for each in outcome.problems)
