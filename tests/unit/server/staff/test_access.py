import re
from pathlib import Path

from broker.server.staff.access import local_staff_path
from tests.unit.server.staff_web import SCRIPT, SHARED_SCRIPT, STAFF_PAGE, STAFF_SCRIPT, Browser, heading
from tests.unit.staff.staff_testbed import ADA, PASSWORD, SITE

STAFF_HEADERS = {
    "cache-control": "no-store",
    "x-robots-tag": "noindex",
    "referrer-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "x-content-type-options": "nosniff",
}


PAGES = {
    "/updateLenders/": "?to=/updateLenders/",
    "/updateLenders": "?to=/updateLenders/",
    STAFF_PAGE: f"?to={STAFF_PAGE}",
    "/staff/enquiries/?ref=HG-7K3M": "?to=/staff/enquiries/%3Fref%3DHG-7K3M",
    "/staff/": "",
    "/staff/account/": "?to=/staff/account/",
    "/staff/nobody-knows/": "?to=/staff/nobody-knows/",
    "/%73taff%2faccount%2f": "?to=/staff/account/",
}
"""Paths of the staff area, and the query of the sign-in that returns to each."""

FORMS = {
    "GET": (SCRIPT, STAFF_SCRIPT, SHARED_SCRIPT),
    "POST": ("/updateLenders/", "/staff/password", "/staff/codes", "/staff/sign-out-everywhere"),
    "DELETE": ("/staff/enquiries/",),
}


def test_page_redirects_to_the_sign_in_without_a_session(browser: Browser) -> None:
    for method in ("GET", "HEAD"):
        for path, query in PAGES.items():
            answer = browser.client.request(method, path)
            location = f"/staff/sign-in/{query}"
            assert (answer.status_code, answer.headers["location"], answer.text) == (303, location, ""), (method, path)
            assert STAFF_HEADERS.items() <= dict(answer.headers).items(), (method, path)


def test_scripts_and_forms_are_refused_without_a_session(browser: Browser) -> None:
    for method, path in ((method, path) for method, paths in FORMS.items() for path in paths):
        answer = browser.client.request(method, path, headers={"origin": SITE})
        assert (answer.status_code, answer.headers["cache-control"]) == (403, "no-store"), path
        assert "not signed in" in answer.text, path


def test_rest_of_the_site_needs_no_session(browser: Browser) -> None:
    assert [browser.get(path).status_code for path in ("/", "/about-us/", "/assets/root-1.js")] == [200, 200, 200]
    assert "cross-origin-resource-policy" not in browser.get("/").headers


def test_staff_see_their_pages_and_no_cache_stores_them(browser: Browser) -> None:
    browser.sign_in()
    for path in ("/updateLenders/", STAFF_PAGE):
        answer = browser.get(path)
        assert answer.status_code == 200
        assert STAFF_HEADERS.items() <= dict(answer.headers).items()
        policy = answer.headers["content-security-policy"]
        assert policy.startswith("default-src 'none'; script-src 'self' 'sha256-")
    script = browser.get(SCRIPT)
    assert script.text == "export const lenders = 1;"
    assert script.headers["cache-control"] == "private, max-age=31536000, immutable"


FOREIGN: tuple[dict[str, str], ...] = (
    {},
    {"origin": "https://evil.example"},
    {"origin": "null"},
    {"origin": "http://localhost:3001"},
    {"sec-fetch-site": "cross-site"},
    {"sec-fetch-site": "same-site"},
    {"sec-fetch-site": "none"},
    {"origin": "https://evil.example", "sec-fetch-site": "same-origin"},
)


def test_page_has_the_menu_where_it_stands_in_it_and_the_chosen_theme(browser: Browser) -> None:
    door = browser.get("/staff/sign-in/").text
    assert ("desk-menu" in door, "data-theme" in door) == (False, False)
    browser.sign_in()
    browser.client.cookies.set("desk_theme", "dark")
    for path, here in (("/staff/diary/hours/", "/staff/diary/"), ("/staff/mail/", "/staff/mail/")):
        page = browser.get(path).text
        assert re.findall(r'href="([^"]*)" aria-current="page"', page) == [here], path
        assert ('data-theme="dark"' in page, f"signed in as {ADA}" in page) == (True, True), path


def test_form_of_this_origin_is_accepted_and_of_another_refused(browser: Browser) -> None:
    browser.sign_in()
    fields = {"name": ADA, "password": PASSWORD, "old": PASSWORD}
    for path in ("/staff/sign-in", "/staff/sign-out", "/staff/password"):
        for headers in FOREIGN:
            answer = browser.client.post(path, data=fields, headers=headers)
            assert (answer.status_code, "set-cookie" in answer.headers) == (403, False), (path, headers)
    assert browser.get(STAFF_PAGE).status_code == 200
    for headers in ({"origin": SITE}, {"sec-fetch-site": "same-origin"}):
        answer = browser.client.post("/staff/sign-in", data={"name": ADA, "password": PASSWORD}, headers=headers)
        assert answer.status_code == 303, headers


def test_link_from_another_site_loads_the_page_again(browser: Browser) -> None:
    browser.sign_in()
    browser.client.cookies.clear()
    answer = browser.get(STAFF_PAGE, **{"sec-fetch-site": "cross-site"})
    assert (answer.status_code, answer.headers["cache-control"]) == (200, "no-store")
    assert f'<meta http-equiv="refresh" content="0;url={STAFF_PAGE}">' in answer.text
    assert browser.get(STAFF_PAGE, **{"sec-fetch-site": "same-origin"}).status_code == 303


def test_unreachable_database_gives_no_access(browser: Browser) -> None:
    browser.sign_in()
    browser.testbed.calendar.forward(seconds=10)
    browser.do(_break, browser)
    answer = browser.get(STAFF_PAGE)
    assert (answer.status_code, heading(answer.text)) == (503, "Staff")
    assert browser.get("/staff/sign-in/").status_code == 503
    assert browser.sign_in().status_code == 503
    assert browser.get("/").status_code == 200


async def _break(browser: Browser) -> None:
    file = Path(browser.testbed.database.url.database or "")
    file.unlink()
    file.write_bytes(b"no database")


def test_path_to_return_to_is_one_of_the_staff_area() -> None:
    queries = ("?state=new&page=2", "?reference=HG-7K3M-Q2XD", "?search=%C5%81ukasz+O%27Neil&sort=newest")
    own = [f"/staff/enquiries/{rest}" for rest in ("", "HG-7K3M-Q2XD/", *queries)]
    assert [local_staff_path(path) for path in ("/updateLenders/", *own)] == ["/updateLenders/", *own]
    local = ("/", "", None, "/staff/../", "/staff/?a=b\r\nSet-Cookie: c=d", "/staffroom/", "/staff/sign-in/")
    elsewhere = ("//evil.example/", "https://evil.example/staff/", "/staff/\\evil.example/", "javascript:alert(1)")
    paths = (*local, "/staff/sign-in/?to=/staff/", *elsewhere)
    assert [path for path in paths if local_staff_path(path) != "/staff/"] == []
    assert local_staff_path("/staff/enquiries/?search=<b>") == "/staff/enquiries/"
