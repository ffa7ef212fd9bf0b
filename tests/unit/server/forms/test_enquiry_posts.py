import logging

import pytest
from starlette.datastructures import FormData

from broker import routes
from broker.enquiries.enquiry import EnquiryKind, StoredEnquiry
from broker.enquiries.service import AWAY, HIDDEN_FILLED, NOT_OURS, TOO_MANY_TRIES, Limits
from broker.server.forms.enquiry_forms import REWORDED, answers_post, contact_post, form_token, thank_you_handler
from broker.server.forms.question_forms import journey_cookie
from broker.server.releases import LiveExport
from broker.settings import Settings
from broker.storage.errors import StorageError
from tests.unit.enquiries.enquiring import Calendar, answered, running
from tests.unit.server.enquiry_pages import HOSTILE, VERSION, form, sender, text


async def test_enquiry_is_stored_and_leads_to_the_page_of_thanks(settings: Settings, live: LiveExport) -> None:
    async with running(settings) as services:
        post = contact_post(services, live)
        first, again = [await post.answer(form(), sender()) for _ in range(2)]
        cookie = first.cookies[0].partition(";")[0]
        page = thank_you_handler(
            services, live, next_call=lambda stored: f"Soon, {stored.enquiry.contact.name}.", sends_mail=False
        )
        headers = [(b"cookie", cookie.encode()), (b"if-none-match", b"*")]
        shown = await page({"type": "http", "path": routes.THANK_YOU, "headers": headers})
    assert (first.status, first.headers["location"]) == (303, "/thankyou/")
    assert again.status == 303
    assert first.cookies[0].endswith("; Max-Age=3600; Path=/thankyou/; HttpOnly; SameSite=Lax")
    assert shown is not None
    assert (shown.status, shown.headers["cache-control"], "etag" in shown.headers) == (200, "no-store", False)
    assert shown.headers["x-robots-tag"] == "noindex"


CHECKED = '<b checked="true">'
REFUSED = {
    "fields": (form(name=HOSTILE, telephone="1", privacy=""), ["enquiry-telephone", "enquiry-privacy-yes"]),
    "a robot": (form(company_website="x"), [HIDDEN_FILLED]),
    "no wording": (form(text_version=""), [NOT_OURS]),
    "wording of another day": (form(text_version="NEVER-EXISTED"), [REWORDED.reason, "enquiry-privacy-yes"]),
    "no message": (form(kind="contact", message="", came_from="/a/"), ["enquiry-message", "<i>/a/</i>", CHECKED]),
    "nothing": (FormData([("text_version", VERSION)]), ["enquiry-name", "enquiry-telephone", "enquiry-privacy-yes"]),
}
"""Forms that are refused, and what their page holds: the kind and the page before stay in the form."""


@pytest.mark.parametrize(("posted", "shown"), REFUSED.values(), ids=REFUSED)
async def test_form_that_cannot_be_accepted_is_shown_again(
    settings: Settings, live: LiveExport, posted: FormData, shown: list[str]
) -> None:
    async with running(settings) as services:
        answer = await contact_post(services, live).answer(posted, sender())
    page = text(answer)
    assert (answer.status, answer.headers["cache-control"], answer.cookies) == (422, "no-store", ())
    assert [each for each in shown if each not in page] == []
    assert "<script>alert" not in page
    assert "{" not in page
    for name in ("telephone", "email"):
        assert f"<i>{posted.get(name) or ''}</i>" in page


async def test_too_many_forms_have_to_wait(settings: Settings, live: LiveExport) -> None:
    async with running(settings, limits=Limits(sent_without_token=1)) as services:
        post = contact_post(services, live)
        first, second = [await post.answer(form(name=f"Name {letter}"), sender()) for letter in "AB"]
    assert (first.status, second.status, second.headers["retry-after"]) == (303, 429, "3600")
    assert TOO_MANY_TRIES in text(second)
    assert "<i>Name B</i>" in text(second)


async def test_database_that_is_away_keeps_all_that_was_entered(
    settings: Settings, live: LiveExport, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def away(*_: object, **_options: object) -> None:
        raise StorageError("the database cannot be used: ConnectionRefusedError")

    with caplog.at_level(logging.INFO):
        async with running(settings) as services:
            monkeypatch.setattr("broker.storage.database.Database.write", away)
            answer = await contact_post(services, live).answer(form(name="Zebedee Q"), sender())
    assert (answer.status, answer.headers["retry-after"]) == (503, "60")
    assert AWAY in text(answer)
    assert "<i>Zebedee Q</i>" in text(answer)
    logged = " ".join(record.getMessage() for record in caplog.records)
    assert "ConnectionRefusedError" in logged
    assert not [word for word in ("Zebedee", "07700", "quill", "Wallop") if word in logged]


async def test_answers_are_sent_once_and_their_cookie_ends(settings: Settings, live: LiveExport) -> None:
    async with running(settings) as services:
        journey = await answered(services)
        sent_by = sender(f"journey={journey.token}")
        both = [await answers_post(services, live).answer(form(), sent_by) for _ in range(2)]
        link = both[0].cookies[0].partition("=")[2].partition(";")[0]
        found = await services.enquiries.thanked(link)
    assert [(each.status, each.cookies[1]) for each in both] == [(303, journey_cookie("", secure=False))] * 2
    assert isinstance(found, StoredEnquiry)
    assert (found.enquiry.kind, bool(found.enquiry.lines)) == (EnquiryKind.QUESTIONNAIRE, True)


async def test_problem_is_shown_beside_the_answers(settings: Settings, live: LiveExport) -> None:
    async with running(settings) as services:
        journey = await answered(services)
        answer = await answers_post(services, live).answer(form(name=""), sender(f"journey={journey.token}"))
    assert answer.status == 422
    assert "enquiry-name" in text(answer)
    assert text(answer).count("<u>answer</u>") == 2
    assert f"{routes.QUESTIONNAIRE}?change=yes" in text(answer)


@pytest.mark.parametrize("begun", [True, False], ids=["not complete", "gone"])
async def test_incomplete_answers_redirect_to_the_questions(settings: Settings, live: LiveExport, begun: bool) -> None:
    async with running(settings) as services:
        journey = await services.journeys.begin()
        token = journey.token if begun else "x" * 43
        answer = await answers_post(services, live).answer(form(), sender(f"journey={token}"))
    words = "Answer the questions that are left first. Carry on with the questions" if begun else "Start the questions"
    assert answer.status == 422
    assert f"{words} {routes.QUESTIONNAIRE}<" in text(answer)


async def test_form_that_is_begun_gets_a_token_that_no_cache_keeps(settings: Settings, live: LiveExport) -> None:
    calendar = Calendar()
    async with running(settings, calendar) as services:
        handler, post = form_token(services), contact_post(services, live)
        first, second = [await handler({"path": routes.FORM_TOKEN}) for _ in range(2)]
        assert first and second
        posted = form(token=first.body.decode())
        assert (await post.answer(posted, sender())).status == 422
        calendar.forward(seconds=2)
        assert (await post.answer(posted, sender())).status == 303
    assert (first.status, first.headers["cache-control"]) == (200, "no-store")
    assert first.body != second.body


SHOWN = "/contact/?minutes=40&by=telephone#call-times"


async def test_button_that_shows_other_times_keeps_what_was_typed_and_sends_nothing(
    settings: Settings, live: LiveExport
) -> None:
    async with running(settings) as services:
        posted = form(name="Zebedee Q", telephone="1", privacy="", show=SHOWN)
        answer = await contact_post(services, live).answer(posted, sender())
        sent = await contact_post(services, live).answer(form(name="Zebedee Q"), sender())
        assert sent.status == 303
        held = await answered(services)
        cookie = journey_cookie(held.token, secure=False).partition(";")[0]
        checked = await answers_post(services, live).answer(posted, sender(cookie=cookie))
        assert await services.journeys.find(held.token)
    for page in (answer, checked):
        assert (page.status, page.cookies) == (200, ())
        assert "<i>1</i>" in text(page)
        assert "<u>problem</u>" not in text(page)
