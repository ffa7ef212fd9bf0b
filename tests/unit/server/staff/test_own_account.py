import re

import html5lib
import pytest

from tests.unit.server.staff_web import Browser, heading
from tests.unit.staff.staff_testbed import ADA, OTHER, PASSWORD

ACCOUNT = "/staff/account/"


@pytest.fixture(autouse=True)
def signed_in(browser: Browser) -> None:
    browser.sign_in()


def alerts(page: str) -> list[str]:
    return re.findall(r'role="(?:alert|status)">.*?<strong>(.*?)</strong>', page)


def test_page_is_whole_and_names_who_is_signed_in(browser: Browser) -> None:
    page = browser.get(ACCOUNT).text
    html5lib.HTMLParser(strict=True).parse(page)
    assert (heading(page), f"<strong>{ADA}</strong>" in page) == ("Your account", True)
    others = ["account/passkey", "sign-out-everywhere", "account/look"]
    assert re.findall(r'action="/staff/([^"]+)"', page) == ["sign-out", "password", "codes", *others]


def test_changed_password_keeps_this_browser_signed_in_and_no_other(browser: Browser) -> None:
    elsewhere, before = browser.do(browser.testbed.token), browser.cookies["staff"]
    answer = browser.post("/staff/password", old=PASSWORD, new=OTHER, again=OTHER)
    assert answer.headers["location"] == f"{ACCOUNT}?done=password"
    assert browser.cookies["staff"] not in (before, elsewhere)
    alert = "Your password is changed, and you are signed out everywhere else"
    assert alerts(browser.get(answer.headers["location"]).text) == [alert]
    assert [browser.do(browser.testbed.name, token) for token in (before, elsewhere)] == ["", ""]


def test_wrong_password_is_said_beside_its_field(browser: Browser) -> None:
    answer = browser.post("/staff/password", old="wrong", new=OTHER, again=OTHER)
    html5lib.HTMLParser(strict=True).parse(answer.text)
    assert answer.status_code == 422
    field = 'name="old" type="password" value="" autocomplete="current-password" required aria-invalid="true"'
    assert f'id="old" {field}' in answer.text
    assert OTHER not in answer.text


def test_codes_are_set_up_with_a_picture_or_by_hand_until_one_is_right(browser: Browser) -> None:
    page = browser.post("/staff/codes", act="begin", password=PASSWORD)
    html5lib.HTMLParser(strict=True).parse(page.text)
    assert (page.status_code, page.headers["cache-control"]) == (200, "no-store")
    assert heading(page.text) == "Set up one-time codes"
    assert re.search(r"<strong>(?:[A-Z2-7]{4} ){7}[A-Z2-7]{4}</strong>", page.text)
    assert "<svg" in page.text.partition('role="img"')[2]
    again = browser.post("/staff/codes", act="confirm", code="12345").text
    first, second = (re.findall(r"<strong>([A-Z2-7 ]{39})</strong>", html) for html in (page.text, again))
    assert first == second
    assert "This is not the code that is shown now" in again


def test_recovery_codes_are_shown_once(browser: Browser) -> None:
    _, page = browser.set_up_codes()
    html5lib.HTMLParser(strict=True).parse(page)
    codes = re.findall(r"<strong>((?:[A-Z2-9]{4}-){3}[A-Z2-9]{4})</strong>", page)
    after = browser.get(ACCOUNT).text
    assert (len(set(codes)), [code for code in codes if code in after]) == (10, [])
    assert "You have 10 recovery codes left" in after


def test_codes_are_turned_off_with_the_password_alone(browser: Browser) -> None:
    browser.set_up_codes()
    assert browser.post("/staff/codes", act="remove", password="wrong").status_code == 422
    answer = browser.post("/staff/codes", act="remove", password=PASSWORD)
    assert alerts(browser.get(answer.headers["location"]).text) == ["One-time codes are off"]


def test_odd_form_changes_nothing_and_says_why(browser: Browser) -> None:
    for fields in ({}, {"act": "confirm", "code": "123456"}, {"act": "x", "password": "y"}):
        answer = browser.post("/staff/codes", **fields)
        assert (answer.status_code, len(alerts(answer.text))) == (422, 1), fields


def test_sessions_of_the_account_are_listed_and_ended(browser: Browser) -> None:
    elsewhere = browser.do(browser.testbed.token)
    page = browser.get(ACCOUNT).text
    other = re.search(r'name="session" value="(\d+)">', page)
    assert other
    assert page.count("this one") == 1
    answer = browser.post("/staff/account/sessions", session=other[1])
    assert answer.headers["location"] == f"{ACCOUNT}?done=ended"
    assert browser.do(browser.testbed.name, elsewhere) == ""
    assert browser.get(ACCOUNT).status_code == 200
    for number in (other[1], "", "one", "0"):
        assert browser.post("/staff/account/sessions", session=number).headers["location"] == f"{ACCOUNT}?done=gone"


def test_theme_and_keys_are_kept_with_the_account(browser: Browser) -> None:
    browser.post("/staff/account/look", theme="dark")
    assert (browser.cookies["desk_theme"], browser.cookies["desk_keys"]) == ("dark", "off")
    page = browser.get(ACCOUNT).text
    assert '<option value="dark" selected>' in page
    browser.client.cookies.clear()
    browser.sign_in()
    assert (browser.cookies["desk_theme"], browser.cookies["desk_keys"]) == ("dark", "off")
    browser.post("/staff/account/look", theme="purple", keys="on")
    assert not {"desk_theme", "desk_keys"} & set(browser.cookies)
    set_again = browser.sign_in().headers.get_list("set-cookie")
    assert [cookie for cookie in set_again if cookie.startswith("desk_")] == []
