"""The door around the staff area: what nobody sees without a session, and how what staff see is sent."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from broker.services.staff.sessions import REMEMBERED
from broker.web.staff.access import local_staff_path
from tests.unit.services.staffing import ADA, PASSWORD, SITE
from tests.unit.web.staff_web import SCRIPT, SHARED_SCRIPT, STAFF_PAGE, STAFF_SCRIPT, Browser, heading, staff_web

STAFF_HEADERS = {
    "cache-control": "no-store",
    "x-robots-tag": "noindex",
    "referrer-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "x-content-type-options": "nosniff",
}


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[Browser]:
    """A browser at a site with a staff area."""
    with staff_web(tmp_path) as browser:
        yield browser


@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize(
    ("path", "to"),
    [
        ("/updateLenders/", "?to=/updateLenders/"),
        ("/updateLenders", "?to=/updateLenders/"),
        (STAFF_PAGE, f"?to={STAFF_PAGE}"),
        ("/staff/enquiries/?ref=HG-7K3M", "?to=/staff/enquiries/%3Fref%3DHG-7K3M"),
        ("/staff/", ""),
        ("/staff/account/", "?to=/staff/account/"),
        ("/staff/nobody-knows/", "?to=/staff/nobody-knows/"),
        ("/staff/%2e%2e/etc/", ""),
        ("/staff//evil.example/", ""),
    ],
)
def test_page_leads_nobody_to_the_sign_in(browser: Browser, method: str, path: str, to: str) -> None:
    answer = browser.client.request(method, path)
    assert (answer.status_code, answer.headers["location"], answer.text) == (303, f"/staff/sign-in/{to}", "")
    assert STAFF_HEADERS.items() <= dict(answer.headers).items()


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", SCRIPT),
        ("GET", STAFF_SCRIPT),
        ("GET", SHARED_SCRIPT),
        ("POST", "/_upload"),
        ("POST", "/updateLenders/"),
        ("POST", "/staff/password"),
        ("POST", "/staff/codes"),
        ("POST", "/staff/sign-out-everywhere"),
        ("DELETE", "/staff/enquiries/"),
    ],
)
def test_scripts_uploads_and_forms_are_refused_to_nobody(browser: Browser, method: str, path: str) -> None:
    answer = browser.client.request(method, path, headers={"origin": SITE})
    assert (answer.status_code, answer.headers["cache-control"]) == (403, "no-store")
    assert "not signed in" in answer.text


def test_upload_is_read_by_nobody_without_a_session(browser: Browser) -> None:
    assert browser.get("/_upload").status_code == 303


def test_rest_of_the_site_is_open(browser: Browser) -> None:
    assert [browser.get(path).status_code for path in ("/", "/about-us/", "/assets/root-1.js")] == [200, 200, 200]
    assert "cross-origin-resource-policy" not in browser.get("/").headers


def test_staff_see_their_pages_and_nobody_keeps_them(browser: Browser) -> None:
    browser.sign_in()
    for path in ("/updateLenders/", STAFF_PAGE):
        answer = browser.get(path)
        assert answer.status_code == 200
        assert STAFF_HEADERS.items() <= dict(answer.headers).items()
        policy = answer.headers["content-security-policy"]
        assert policy.startswith("default-src 'none'; script-src 'self' 'sha256-")
    script = browser.get(SCRIPT)
    assert (script.text, script.headers["cache-control"]) == (
        "export const lenders = 1;",
        "private, max-age=31536000, immutable",
    )
    assert browser.client.post("/_upload", headers={"origin": SITE}).json() == {"uploaded": "/_upload"}


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"origin": "http://localhost:3001"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"sec-fetch-site": "none"},
        {"origin": "https://evil.example", "sec-fetch-site": "same-origin"},
    ],
)
@pytest.mark.parametrize("path", ["/staff/sign-in", "/staff/sign-out", "/staff/password", "/_upload"])
def test_form_that_does_not_say_it_is_ours_is_refused(browser: Browser, path: str, headers: dict[str, str]) -> None:
    browser.sign_in()
    fields = {"name": ADA, "password": PASSWORD, "old": PASSWORD}
    answer = browser.client.post(path, data=fields, headers=headers)
    assert (answer.status_code, "set-cookie" in answer.headers) == (403, False)
    assert browser.get(STAFF_PAGE).status_code == 200


@pytest.mark.parametrize("headers", [{"origin": SITE}, {"sec-fetch-site": "same-origin"}])
def test_form_of_ours_is_taken(browser: Browser, headers: dict[str, str]) -> None:
    answer = browser.client.post("/staff/sign-in", data={"name": ADA, "password": PASSWORD}, headers=headers)
    assert answer.status_code == 303


def test_link_from_elsewhere_asks_again_from_here(browser: Browser) -> None:
    browser.sign_in()
    browser.client.cookies.clear()
    answer = browser.get(STAFF_PAGE, **{"sec-fetch-site": "cross-site"})
    assert (answer.status_code, answer.headers["cache-control"]) == (200, "no-store")
    assert f'<meta http-equiv="refresh" content="0;url={STAFF_PAGE}">' in answer.text
    assert browser.get(STAFF_PAGE, **{"sec-fetch-site": "same-origin"}).status_code == 303


def test_disabled_account_is_out_within_three_seconds(browser: Browser) -> None:
    browser.sign_in()
    assert browser.get(STAFF_PAGE).status_code == 200
    browser.do(browser.room.accounts.disable, ADA)
    browser.room.calendar.forward(seconds=REMEMBERED.total_seconds())
    assert browser.get(STAFF_PAGE).status_code == 303


def test_away_database_opens_no_door(browser: Browser) -> None:
    browser.sign_in()
    browser.room.calendar.forward(seconds=10)
    browser.do(_break, browser)
    answer = browser.get(STAFF_PAGE)
    assert (answer.status_code, heading(answer.text)) == (503, "Staff")
    assert browser.get("/staff/sign-in/").status_code == 503
    assert browser.sign_in().status_code == 503
    assert browser.get("/").status_code == 200


async def _break(browser: Browser) -> None:
    await browser.room.database.engine.dispose()
    Path(browser.room.database.url.database or "").write_bytes(b"no database")


@pytest.mark.parametrize(
    ("named", "path"),
    [
        ("/updateLenders/", "/updateLenders/"),
        ("/staff/enquiries/", "/staff/enquiries/"),
        ("/staff/enquiries/HG-7K3M-Q2XD/", "/staff/enquiries/HG-7K3M-Q2XD/"),
        ("/staff/enquiries/?state=new&page=2", "/staff/enquiries/?state=new&page=2"),
        ("/", "/staff/"),
        ("", "/staff/"),
        (None, "/staff/"),
        ("//evil.example/", "/staff/"),
        ("https://evil.example/staff/", "/staff/"),
        ("/staff/\\evil.example/", "/staff/"),
        ("/staff/../", "/staff/"),
        ("/staff/?a=b\r\nSet-Cookie: c=d", "/staff/"),
        ("/staffroom/", "/staff/"),
        ("/staff/sign-in/", "/staff/"),
        ("/staff/sign-in/?to=/staff/", "/staff/"),
        ("javascript:alert(1)", "/staff/"),
    ],
)
def test_way_back_is_a_path_of_the_staff_area(named: object, path: str) -> None:
    assert local_staff_path(named) == path
