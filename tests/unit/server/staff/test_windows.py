"""The staff pages of when lenders let their own borrowers book."""

import asyncio
import html
import re
from contextlib import suppress

import html5lib
import pytest

from broker.lenders.directory import LenderDirectory
from broker.lenders.window_admin import CONFLICT, WindowAdmin
from broker.lenders.window_store import WindowStore
from broker.lending.transfer_window import TransferWindow
from tests.unit.server.staff_web import LENDERS, Browser, heading

PAGE, FORM = "/staff/windows/", "/staff/windows"

TYPED = {
    "lender": "1",
    "number": "0",
    "opens": "90 days",
    "swap": "You may change it until 14 days before it starts.",
    "source": "Alder’s broker desk",
    "checked": "2026-01-05",
}

WORDS = (
    "Alder lets you book from 90 days before your deal ends. You may change it until 14 days before it starts. From "
    "Alder’s broker desk, checked on 5 January 2026."
)


@pytest.fixture(autouse=True)
def signed_in(browser: Browser) -> None:
    browser.sign_in()


def errors(page: str) -> list[str]:
    return [html.unescape(text) for text in re.findall(r'<p class="err"[^>]*><i[^>]*></i>(.*?)</p>', page)]


def values(page: str) -> dict[str, str]:
    found = re.findall(r'<input class="[^"]*" id="(\w+)" name="\w+" type="\w+" value="([^"]*)"', page)
    return {name: html.unescape(value) for name, value in found}


def plan_says(browser: Browser, lender: int = 1) -> TransferWindow:
    return browser.windows.directory.window(lender)


def test_list_has_what_plans_say_of_each_lender(browser: Browser) -> None:
    page = browser.get(PAGE).text
    html5lib.HTMLParser(strict=True).parse(page)
    assert heading(page) == "When lenders let borrowers book"
    assert "Sources disagree on how early Alder lets you book: 4 months or 90 days" in page
    assert page.index("Alder") < page.index("Nothing held") < page.index("We hold no dates for Birch")


def test_correction_is_counted_shown_with_its_date_and_logged(browser: Browser) -> None:
    form = browser.get(f"{PAGE}?lender=1").text
    html5lib.HTMLParser(strict=True).parse(form)
    assert values(form) == {"opens": "4 months", "swap": "You may change it.", "source": "", "checked": ""}
    answer = browser.post(FORM, **TYPED)
    assert (answer.status_code, answer.headers["location"]) == (303, f"{PAGE}?done=1")
    window = plan_says(browser)
    assert (window.months, window.days, window.later_days, window.words) == (0, 90, 90, WORDS)
    listed = browser.get(answer.headers["location"]).text
    assert "Alder is saved" in listed
    assert "Checked by us" in listed
    again = values(browser.get(f"{PAGE}?lender=1").text)
    assert again == {name: TYPED[name] for name in ("opens", "swap", "source", "checked")}
    last = browser.do(browser.testbed.audit_sentences)[-1]
    sentence = "corrected how early lender 1 lets its own borrowers book (Alder, 90 days, Alder’s broker desk)"
    assert last == f"ada {sentence}"


def test_withdrawn_correction_leaves_the_values_of_the_file(browser: Browser) -> None:
    before = plan_says(browser)
    browser.post(FORM, **TYPED)
    assert browser.post(FORM, lender="1", number="1", act="withdraw").status_code == 303
    assert plan_says(browser) == before
    assert browser.do(browser.testbed.audit_sentences)[-1].startswith(
        "ada withdrew the correction of how early lender 1"
    )
    unknown = {**TYPED, "number": "2", "opens": "Unknown", "swap": "Ask"}
    assert browser.post(FORM, **unknown).status_code == 303
    assert plan_says(browser).words.startswith("We don’t know how early Alder lets you book.")
    assert " Ask. From Alder’s broker desk" in plan_says(browser).words


def test_wrong_fields_keep_what_was_typed_and_store_nothing(browser: Browser) -> None:
    typed = {"opens": "4 mnths", "swap": " ", "source": "x" * 81, "checked": "2099-01-01"}
    answer = browser.post(FORM, **{**TYPED, **typed})
    html5lib.HTMLParser(strict=True).parse(answer.text)
    assert answer.status_code == 422
    assert errors(answer.text) == [
        "Write it like 4 months, 13 weeks or 90 days; or unknown",
        "Say whether a booked deal may be changed before it starts",
        "Use 80 characters or fewer",
        "Enter the day you asked: today or earlier",
    ]
    assert values(answer.text) == typed
    assert plan_says(browser).words.startswith("Sources disagree")


def test_change_by_another_meanwhile_is_said_and_nothing_is_lost(browser: Browser) -> None:
    browser.post(FORM, **TYPED)
    answer = browser.post(FORM, **{**TYPED, "opens": "3 months"})
    assert (answer.status_code, CONFLICT in html.unescape(answer.text)) == (422, True)
    assert values(answer.text)["opens"] == "3 months"
    assert WORDS in html.unescape(answer.text)
    number = re.search(r'name="number" value="(\d+)"', answer.text)
    assert number
    assert browser.post(FORM, **{**TYPED, "opens": "3 months", "number": number[1]}).status_code == 303
    assert plan_says(browser).months == 3


def test_correction_is_read_by_other_servers(browser: Browser) -> None:
    browser.post(FORM, **TYPED)
    other = WindowAdmin(WindowStore(browser.testbed.database), LenderDirectory(LENDERS))

    async def learn_once() -> None:
        async def stop(_seconds: float) -> None:
            raise asyncio.CancelledError

        with suppress(asyncio.CancelledError):
            await other.learn_periodically(stop)

    browser.do(learn_once)
    assert other.directory.window(1).words == WORDS


@pytest.mark.parametrize("lender", ["", "x", "99", "0", "9" * 40])
def test_unknown_lender_is_a_page_with_the_way_back(browser: Browser, lender: str) -> None:
    for answer in (browser.get(f"{PAGE}?lender={lender}x"), browser.post(FORM, **{**TYPED, "lender": lender})):
        assert (answer.status_code, "There is no such lender" in answer.text) == (404, True)
