from urllib.parse import quote

import pytest
from starlette.types import Scope

from broker import routes, services
from broker.cases.case_list import CasePage, Listing
from broker.documents.attachment import NOT_ATTACHED, SENT_WITHOUT, adviser_address
from broker.documents.document import Document
from broker.enquiries.enquiry import _MAX_ATTACHMENT_BYTES, Attachment, StoredEnquiry, attachment
from broker.rates.product import RatesError
from broker.server.forms.call_times import CallTimes
from broker.server.forms.enquiry_forms import contact_post, thank_you_handler
from broker.server.releases import LiveExport
from broker.server.response import Handler
from broker.server.result_pdfs import contact_page, document_at
from broker.services import Services
from broker.settings import Settings
from tests.services import closed_services
from tests.unit.enquiries.enquiring import running
from tests.unit.rates.sources import ListSource, many
from tests.unit.server.enquiry_pages import HOSTILE, form, sender, text

PDF = f"{routes.calculator('repayment')}result.pdf"
WORDS = "Monthly repayment: You would pay each month £1,206.92"
NAMED = f"{PDF}?loan=187500"


def contact(query: str) -> Scope:
    return {"type": "http", "path": routes.CONTACT, "query_string": query.encode(), "headers": []}


def without_times(live: LiveExport) -> Handler:
    """Return the handler of the contact page of a site whose advisers have no times."""
    return contact_page(live, CallTimes(closed_services(), live))


async def stored(opened: Services, live: LiveExport, result: str) -> StoredEnquiry:
    answer = await contact_post(opened, live).answer(form(result=result), sender())
    assert answer.status == 303
    found = await opened.enquiries.thanked(answer.cookies[0].partition("=")[2].partition(";")[0])
    assert isinstance(found, StoredEnquiry)
    return found


async def test_contact_page_shows_the_result_of_its_address(live: LiveExport) -> None:
    answer = await without_times(live)(contact(f"result={quote(PDF)}&loan=187,500&term=25&other={quote(HOSTILE)}"))
    assert answer is not None
    assert (answer.status, answer.headers["cache-control"], answer.headers["x-robots-tag"]) == (
        200,
        "no-store",
        "noindex",
    )
    assert f"<s>{NAMED}</s><s>{WORDS}</s><s></s>" in text(answer)
    assert f"<i>{routes.calculator('repayment')}?loan=187500</i>" in text(answer)
    assert "other" not in text(answer)


@pytest.mark.parametrize(
    ("name", "query", "words"),
    [
        ("result.pdf", "amount=150000", "Mortgage deals: 7 deals, lowest rate first. Showing 1 to 5 of 7"),
        ("comparison.pdf", "compare=p000,p003", "Deals side by side"),
    ],
)
async def test_list_and_comparison_are_results(
    live: LiveExport, monkeypatch: pytest.MonkeyPatch, name: str, query: str, words: str
) -> None:
    monkeypatch.setattr(services, "_installed", [])
    services.install(closed_services(ListSource(many(7))))
    pdf = f"{routes.RATES}{name}"
    address = adviser_address(f"{pdf}?{query}")
    assert address == f"/contact/?result={pdf}&{query}#callback"
    answer = await without_times(live)(contact(address.partition("?")[2].partition("#")[0]))
    assert answer is not None
    assert f"<s>{pdf}?" in text(answer)
    assert f"</s><s>{words}" in text(answer)


async def test_contact_page_without_a_result_is_the_exported_one(live: LiveExport) -> None:
    assert await without_times(live)(contact("")) is None
    assert await without_times(live)(contact("other=1&result=")) is None


BAD = {
    "foreign path": "https://example.com/result.pdf",
    "page without one": "/contact/",
    "script": HOSTILE,
    "no result": f"{PDF}?loan=abc",
    "huge": f"{PDF}?loan={'9' * 50_000}",
    "broken": f"{PDF}?loan=%00%ff%ed%a0%80",
}


@pytest.mark.parametrize("address", BAD.values(), ids=BAD)
async def test_refused_attachment_is_left_out_and_the_visitor_is_told_why(
    settings: Settings, live: LiveExport, address: str
) -> None:
    path, _, query = address.partition("?")
    shown = await without_times(live)(contact(f"result={quote(path)}&{query}"))
    assert shown is not None
    assert (shown.status, "<script" in text(shown)) == (200, False)
    assert f"<s></s><s></s><s>{NOT_ATTACHED}</s>" in text(shown)
    async with running(settings) as opened:
        found = await stored(opened, live, address)
        answer = await contact_post(opened, live).answer(form(result=address), sender())
        thanks = thank_you_handler(opened, live, next_call=lambda _: "Soon.", sends_mail=False)
        cookie = answer.cookies[0].partition(";")[0].encode()
        page = await thanks({"type": "http", "path": routes.THANK_YOU, "headers": [(b"cookie", cookie)]})
    assert found.enquiry.attachment == Attachment()
    assert page is not None
    assert SENT_WITHOUT in text(page)


async def test_result_is_stored_as_the_server_works_it_out(settings: Settings, live: LiveExport) -> None:
    async with running(settings) as opened:
        found = await stored(opened, live, NAMED)
        without = await stored(opened, live, "")
    assert found.enquiry.attachment is not None
    document = found.enquiry.attachment.document
    assert document is not None
    assert document.result is not None
    assert (document.result.figure, document.address) == ("£1,206.92", f"{routes.calculator('repayment')}?loan=187500")
    assert without.enquiry.attachment is None


@pytest.mark.parametrize("path", [routes.BUYING_PLAN, routes.REMORTGAGE_PLAN])
async def test_plan_is_stored_whole(
    settings: Settings, live: LiveExport, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    monkeypatch.setattr(services, "_installed", [])
    services.install(closed_services(ListSource(many(7))))
    plan = await document_at(path + routes.RESULT_PDF)
    assert plan is not None
    assert {part.kind for section in plan.sections for part in section.parts} >= {"lines", "steps", "table"}
    async with running(settings) as opened:
        found = await stored(opened, live, path + routes.RESULT_PDF)
    assert found.enquiry.attachment == Attachment(document=plan)


async def test_form_with_an_error_keeps_its_result(settings: Settings, live: LiveExport) -> None:
    async with running(settings) as opened:
        answer = await contact_post(opened, live).answer(form(name="", result=NAMED), sender())
    assert answer.status == 422
    assert f"<s>{NAMED}</s><s>{WORDS}</s><s></s>" in text(answer)


async def test_form_typed_before_is_shown_with_the_result_and_not_sent(settings: Settings, live: LiveExport) -> None:
    async with running(settings) as opened:
        answer = await contact_post(opened, live).answer(form(name="Ada", result=NAMED, attach="yes"), sender())
        kept = await opened.case_lists.page(Listing(), who="ada")
    assert isinstance(kept, CasePage)
    assert (answer.status, kept.count, "problem" in text(answer)) == (200, 0, False)
    assert f"<s>{NAMED}</s><s>{WORDS}</s><s></s>" in text(answer)
    assert "<i>Ada</i>" in text(answer)


@pytest.mark.parametrize("error", [RatesError("away"), ZeroDivisionError()], ids=["rates", "ours"])
async def test_source_that_fails_never_loses_the_enquiry(
    settings: Settings, live: LiveExport, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    async def failing(_: str) -> None:
        raise error

    monkeypatch.setattr("broker.server.result_pdfs.document_at", failing)
    async with running(settings) as opened:
        found = await stored(opened, live, NAMED)
    assert found.enquiry.attachment == Attachment()


def test_document_that_is_too_large_is_not_attached() -> None:
    fits = Document(title="é" * (_MAX_ATTACHMENT_BYTES // 2 - 500), address="/", file_name="a.pdf")
    too_large = Document(title="é" * (_MAX_ATTACHMENT_BYTES // 2), address="/", file_name="a.pdf")
    assert (attachment(fits), attachment(too_large)) == (Attachment(document=fits), Attachment())
