import pytest
from starlette.datastructures import FormData

from broker import routes
from broker.cases.case import Changed, Outcome
from broker.cases.changes import CallRecord
from broker.enquiries.confirmation import mail_links
from broker.enquiries.enquiry import StoredEnquiry
from broker.server.forms.enquiry_forms import (
    STORED,
    contact_post,
    enquiry_cookie,
    thank_you_handler,
    your_enquiry_handler,
    your_enquiry_post,
)
from broker.server.releases import LiveExport
from broker.services import Services
from broker.settings import Settings
from broker.storage.encryption import secret_keys_for
from broker.storage.errors import StorageError
from tests.unit.enquiries.enquiring import BEGINNING, running
from tests.unit.server.enquiry_pages import HOSTILE, form, sender, text

PLAIN = (b"accept-encoding", b"identity")


async def test_page_of_thanks_is_as_exported_without_its_cookie(settings: Settings, live: LiveExport) -> None:
    async with running(settings) as services:
        page = thank_you_handler(services, live, next_call=lambda _: "", sends_mail=False)
        for path, cookie in (("/thankyou/", b""), ("/thankyou/", b"thanks=forged"), ("/thankyou/x", b"thanks=a")):
            assert await page({"type": "http", "path": path, "headers": [(b"cookie", cookie)]}) is None, cookie


async def page_of(services: Services, live: LiveExport, step: str, fields: dict[str, str]) -> str:
    answer = await your_enquiry_post(services, live).answer(FormData([*fields.items(), ("step", step)]), sender())
    cookies = " cookie ended" if answer.cookies == (enquiry_cookie("", secure=False),) else ""
    return f"{answer.status} {text(answer)}{cookies}"


async def test_enquiry_is_seen_and_deleted_after_one_more_question(settings: Settings, live: LiveExport) -> None:
    async with running(settings) as services:
        stored = await contact_post(services, live).answer(form(), sender())
        link = stored.cookies[0].partition("=")[2].partition(";")[0]
        found = await services.enquiries.thanked(link)
        assert isinstance(found, StoredEnquiry)
        fields = {"reference": found.reference.lower(), "digits": "0123"}
        steps = ("", "show", "ask", "delete", "delete", "show")
        shown, again, asked, deleted, twice, after = [await page_of(services, live, step, fields) for step in steps]
    assert shown == again
    assert "Name: Zebedee Quillfeather" in shown
    assert ("<u>asked</u>" in shown, "<u>asked</u>" in asked, "Zebedee" in asked) == (False, True, True)
    assert deleted == twice
    assert deleted.startswith("200 ")
    assert ("<u>deleted</u>" in deleted, "Zebedee" in deleted, deleted.endswith("cookie ended")) == (True, False, True)
    assert after.startswith("422 ")
    assert ("<u>searched</u>" in after, "Zebedee" in after) == (True, False)


async def test_link_of_a_mail_shows_the_enquiry_and_deletes_it_only_after_the_question(
    settings: Settings, live: LiveExport
) -> None:
    async with running(settings) as services:
        stored = await contact_post(services, live).answer(form(), sender())
        receipt = stored.cookies[0].partition("=")[2].partition(";")[0]
        found = await services.enquiries.thanked(receipt)
        assert isinstance(found, StoredEnquiry)
        token = mail_links(secret_keys_for(settings)).write(found.reference, made=BEGINNING)
        handler = your_enquiry_handler(services, live)

        async def opened(query: str) -> tuple[int, bool]:
            scope = {"type": "http", "path": routes.YOUR_ENQUIRY, "query_string": query.encode(), "headers": [PLAIN]}
            answer = await handler(scope)
            return (answer.status, "Zebedee" in text(answer)) if answer else (0, False)

        link = routes.enquiry_link(token).partition("?")[2]
        assert [await opened(link) for _ in range(3)] == [(200, True)] * 3
        queries = ("", "link=", f"link={receipt}", f"{link[:40]}", link.replace(token[30:34], "AAAA"))
        assert [await opened(query) for query in queries] == [(0, False), (0, False), *[(404, False)] * 3]
        asked, deleted, twice = [
            await page_of(services, live, step, {"link": token}) for step in ("ask", "delete", "delete")
        ]
        assert ("<u>asked</u>" in asked, "Zebedee" in asked, deleted == twice) == (True, True, True)
        assert "<u>deleted</u>" in deleted
        assert await opened(link) == (404, False)


async def test_page_says_until_when_advice_is_kept_and_not_that_it_is_deleted(
    settings: Settings, live: LiveExport
) -> None:
    async with running(settings) as services:
        stored = await contact_post(services, live).answer(form(), sender())
        found = await services.enquiries.thanked(stored.cookies[0].partition("=")[2].partition(";")[0])
        assert isinstance(found, StoredEnquiry)
        fields = {"reference": found.reference, "digits": "0123"}
        record = CallRecord(outcome=Outcome.ADVICE_GIVEN)
        assert isinstance(await services.cases.record(found.reference, record, version=1, who="ada"), Changed)
        asked, kept, again = [await page_of(services, live, step, fields) for step in ("ask", "delete", "show")]
    assert ("<u>asked</u>" in asked, "until 31 March 2029" in asked) == (True, True)
    assert kept.startswith("200 ")
    assert ("<u>deleted</u>" in kept, "<u>kept</u>" in kept, "until 31 March 2029" in kept) == (False, True, True)
    assert ("Zebedee" in kept, kept.endswith("cookie ended"), "Zebedee" in again) == (False, True, True)


@pytest.mark.parametrize(("email", "sends"), [("", True), ("a@b.example", True), ("a@b.example", False)])
async def test_page_of_thanks_says_that_a_mail_is_sent_where_one_is(
    settings: Settings, live: LiveExport, email: str, sends: bool
) -> None:
    async with running(settings) as services:
        stored = await contact_post(services, live).answer(form(email=email, marketing=[]), sender())
        cookie = stored.cookies[0].partition(";")[0].encode()
        page = thank_you_handler(services, live, next_call=lambda _: "", sends_mail=sends)
        answer = await page({"type": "http", "path": routes.THANK_YOU, "headers": [(b"cookie", cookie), PLAIN]})
    assert answer
    assert ("<u>mail</u>a@b.example" in text(answer), "<u>mail</u>" in text(answer)) == (bool(email) and sends,) * 2


async def test_wrong_digits_show_nothing_but_what_was_typed(settings: Settings, live: LiveExport) -> None:
    async with running(settings) as services:
        page = await page_of(services, live, "show", {"reference": HOSTILE, "digits": "9999"})
    assert page.startswith("422 ")
    assert "&lt;script&gt;" in page
    assert "<script>alert" not in page


async def test_page_of_thanks_says_that_it_is_stored_where_it_cannot_be_read(
    settings: Settings, live: LiveExport, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def away(*_: object) -> None:
        raise StorageError("the database cannot be used: TimeoutError")

    async with running(settings) as services:
        stored = await contact_post(services, live).answer(form(), sender())
        cookie = stored.cookies[0].partition(";")[0].encode()
        monkeypatch.setattr("broker.storage.database.Database.read", away)
        page = thank_you_handler(services, live, next_call=lambda _: "", sends_mail=False)
        answer = await page({"type": "http", "path": routes.THANK_YOU, "headers": [(b"cookie", cookie), PLAIN]})
    assert answer
    assert (answer.status, STORED in text(answer)) == (503, True)
