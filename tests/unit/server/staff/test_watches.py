"""The staff page of watches whose owner agreed to a call."""

from datetime import UTC, datetime

import html5lib
import pytest

from broker.mail.mail import MAIL_RETURNED
from broker.watches.service import WatchService
from broker.watches.watch import StaffWatch, Tell, Told, WatchState
from tests.unit.server.staff_web import Browser, heading
from tests.unit.watches.watching import Watching, watch, watching

PAGE = "/staff/watches/"


@pytest.fixture
def watches(browser: Browser) -> Watching:
    browser.sign_in()
    return watching(browser.testbed.database, browser.testbed.calendar)


def test_watches_to_call_are_listed_by_month_and_the_view_is_recorded(browser: Browser, watches: Watching) -> None:
    empty = browser.get(PAGE).text
    assert "There is none just now." in empty

    async def begin() -> None:
        call = {"mayCall": "yes", "telephone": "07700 900123 ext 45"}
        for email, end, more in (
            ("late@quill.example", "2027-03-31", call),
            ("soon@quill.example", "2026-12-25", call),
            ("also@quill.example", "2026-12-01", call),
            ("silent@quill.example", "2026-12-25", {}),
        ):
            await watches.started(email=email, end=end, lender="1", **more)
        links = await watches.links()
        for link in links:
            await watches.service.confirm(link)
        await watches.started(email="unconfirmed@quill.example", **call)
        await watches.service.pause(links[0])
        await watches.come_back("soon@quill.example")

    browser.do(begin)
    page = browser.get(PAGE).text
    html5lib.HTMLParser(strict=True).parse(page)
    assert heading(page) == "Watches"
    december, _, march = page.partition("Deals that end in March 2027: 1")
    assert "Deals that end in December 2026: 2" in december
    assert december.index("also@quill.example") < december.index("soon@quill.example")
    assert ("late@quill.example" in march, "Paused" in march, "Paused" in december) == (True, True, False)
    assert page.count(MAIL_RETURNED) == 1
    assert f"soon@quill.example</a><br>{MAIL_RETURNED}" in page
    assert 'href="tel:+447700900123"' in page
    assert "07700 900123 ext. 45" in page
    assert "£187,400 of £310,000, 1.60% until 25 December 2026, Alder." in page
    assert "Switching now saves more than £500" in page
    assert ("silent@" in page, "unconfirmed@" in page) == (False, False)
    said = "ada read the watches of visitors who agreed to a call"
    assert browser.do(browser.testbed.audit_sentences)[-2:] == [f"{said} (0)", f"{said} (3)"]


def test_day_of_a_mail_is_that_of_the_uk(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    told = Told(tell=Tell.WINDOW, at=datetime(2026, 6, 30, 23, 20, tzinfo=UTC))
    found = StaffWatch(
        watch=watch(), state=WatchState.ACTIVE, email="a@b.example", telephone="+447700900123", told=(told,)
    )

    async def callable_watches(_: WatchService) -> tuple[StaffWatch, ...]:
        return (found,)

    monkeypatch.setattr(WatchService, "callable_watches", callable_watches)
    browser.sign_in()
    assert ", sent on 1 July 2026" in browser.get(PAGE).text


def test_page_needs_a_session(browser: Browser) -> None:
    assert browser.get(PAGE).headers["location"] == "/staff/sign-in/?to=/staff/watches/"
