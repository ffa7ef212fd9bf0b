import re

import html5lib
import pytest

from broker import routes
from broker.staff.account_admin import MadeLink
from broker.staff.people import EMAIL, NAME, ROLE
from tests.unit.server.staff_web import Browser, heading
from tests.unit.staff.staff_testbed import ADA, OTHER, PASSWORD

FORM = {NAME: "Ben Template", EMAIL: "b.template@example.com", ROLE: "adviser"}


@pytest.fixture
def token(browser: Browser) -> str:
    async def invite() -> str:
        made = await browser.testbed.admin.admin.invite(FORM, who=ADA)
        assert isinstance(made, MadeLink)
        return made.token

    return browser.do(invite)


def test_link_asks_for_a_password_as_often_as_it_is_opened(browser: Browser, token: str) -> None:
    for _ in range(3):
        page = browser.get(routes.staff_link(token))
        html5lib.HTMLParser(strict=True).parse(page.text)
        assert (page.status_code, heading(page.text)) == (200, "Set up signing in")
        assert "<strong>ben.template</strong>" in page.text
        assert page.headers["cache-control"] == "no-store"


def test_chosen_password_signs_in_and_goes_on_to_codes(browser: Browser, token: str) -> None:
    answer = browser.post("/staff/link", link=token, new=OTHER, again=OTHER)
    assert (answer.status_code, heading(answer.text)) == (200, "Set up one-time codes")
    assert re.search(r"<strong>(?:[A-Z2-7]{4} ){7}[A-Z2-7]{4}</strong>", answer.text)
    assert "ben.template" in browser.get(routes.STAFF_ACCOUNT).text
    assert browser.get(routes.STAFF_ENQUIRIES).status_code == 200
    used = browser.post("/staff/link", link=token, new=PASSWORD, again=PASSWORD)
    assert (used.status_code, used.text.count("This link no longer works")) == (410, 1)


def test_refused_password_is_said_and_the_link_stays(browser: Browser, token: str) -> None:
    page = browser.post("/staff/link", link=token, new=OTHER, again=PASSWORD)
    html5lib.HTMLParser(strict=True).parse(page.text)
    assert (page.status_code, OTHER in page.text) == (422, False)
    assert browser.get(routes.staff_link(token)).status_code == 200


@pytest.mark.parametrize("link", ["", "x", "x" * 5000, "\u202e"])
def test_unknown_link_says_so(browser: Browser, link: str) -> None:
    assert browser.get(routes.staff_link(link)).status_code == 410
    assert browser.post("/staff/link", link=link, new=OTHER, again=OTHER).status_code == 410


def test_link_is_used_from_a_page_of_ours_alone(browser: Browser, token: str) -> None:
    sent = browser.post("/staff/link", link=token, new=OTHER, again=OTHER, origin="https://elsewhere.example")
    assert sent.status_code == 403
    assert browser.get(routes.staff_link(token)).status_code == 200
