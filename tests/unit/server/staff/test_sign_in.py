import re
from pathlib import Path

import html5lib

from broker.staff.accounts import MAX_FAILURES
from broker.staff.sessions import CACHE_LIFETIME
from broker.staff.sign_in import MAX_NETWORK_FAILURES
from tests.unit.server.staff_web import STAFF_PAGE, Browser, attributes, heading, staff_web
from tests.unit.staff.staff_testbed import ADA, OTHER, PASSWORD, SITE


def set_up_codes(browser: Browser) -> bytes:
    browser.sign_in()
    secret, _ = browser.set_up_codes()
    browser.post("/staff/sign-out")
    browser.testbed.calendar.forward(minutes=1)
    return secret


def test_cookie_on_https_is_for_this_host_alone_and_unseen_by_scripts(tmp_path: Path) -> None:
    with staff_web(tmp_path, site_url="https://broker.example") as secure:
        answer, page = secure.sign_in(to=STAFF_PAGE), secure.get(STAFF_PAGE)
    assert (answer.status_code, answer.headers["location"], answer.text) == (303, STAFF_PAGE, "")
    cookie, step, device = answer.headers.get_list("set-cookie")
    assert re.fullmatch(r"__Host-staff=[A-Za-z0-9_-]{43}", cookie.split(";")[0])
    assert attributes(cookie) == {"Path=/", "HttpOnly", "SameSite=Strict", "Secure"}
    assert step == "__Host-staff-step=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict; Secure"
    assert re.fullmatch(r"__Host-staff-device=[A-Za-z0-9_=-]+", device.split(";")[0])
    assert attributes(device) == {"Max-Age=15552000", "Path=/", "HttpOnly", "SameSite=Strict", "Secure"}
    assert page.status_code == 200


def test_sign_in_on_localhost_sets_all_flags_but_secure_and_stays_here(browser: Browser) -> None:
    cookie = browser.sign_in().headers.get_list("set-cookie")[0]
    assert (cookie[:6], attributes(cookie)) == ("staff=", {"Path=/", "HttpOnly", "SameSite=Strict"})
    for to in ("https://evil.example/", "//evil.example", "javascript:alert(1)", "/staff/\n/"):
        assert browser.sign_in(to=to).headers["location"] == "/staff/", to


def test_plain_http_elsewhere_signs_nobody_in(tmp_path: Path) -> None:
    with staff_web(tmp_path, site_url="http://broker.example") as browser:
        page, answer = browser.get("/staff/sign-in/"), browser.sign_in()
    assert (page.status_code, answer.status_code, "set-cookie" in answer.headers) == (403, 403, False)
    assert "It needs https" in page.text
    assert "<form" not in page.text
    headers = {"origin": SITE, "host": "broker.example"}
    answer = browser.client.post("/staff/sign-in", data={"name": ADA, "password": PASSWORD}, headers=headers)
    assert (answer.status_code, "set-cookie" in answer.headers) == (403, False)


def test_every_sign_in_has_a_new_token_and_ends_the_one_before(browser: Browser) -> None:
    browser.sign_in()
    first = browser.cookies["staff"]
    browser.sign_in()
    second = browser.cookies["staff"]
    assert first != second
    answer = browser.get(f"/staff/sign-in/?to={STAFF_PAGE}")
    assert (answer.status_code, answer.headers["location"]) == (303, STAFF_PAGE)
    assert [browser.do(browser.testbed.name, token) for token in (first, second)] == ["", ADA]


def test_failure_says_so_and_keeps_the_name_but_no_password(browser: Browser) -> None:
    for name in (ADA, "grace", "", '"><script>alert(1)</script>', "x" * 5_000):
        answer = browser.sign_in(name, OTHER, to=STAFF_PAGE)
        assert (answer.status_code, "set-cookie" in answer.headers) == (403, False)
        html5lib.HTMLParser(strict=True).parse(answer.text)
        page = html5lib.parse(answer.text, namespaceHTMLElements=False)
        values = {field.get("name"): field.get("value") for field in page.iter("input")}
        assert values == {"name": name[:40], "password": "", "to": STAFF_PAGE, "answer": ""}
        alerts = [alert.findtext("div/strong") for alert in page.iter() if alert.get("role") == "alert"]
        assert alerts == ["Those details do not match"]
        assert (OTHER in answer.text, page.findtext("head/title")) == (False, "Error: Sign in | Hearthgate Mortgages")


def test_failures_are_alike_but_for_the_name(browser: Browser) -> None:
    wrong = browser.sign_in(password=OTHER)
    unknown = browser.sign_in("eve", OTHER)
    for _ in range(MAX_FAILURES):
        browser.sign_in(password=OTHER)
    locked = browser.sign_in()
    browser.do(browser.testbed.disable, ADA)
    disabled = browser.sign_in()
    answers = (wrong, unknown, locked, disabled)
    assert len({(a.status_code, a.text.replace("eve", ADA), *sorted(a.headers.items())) for a in answers}) == 1


def test_address_that_tried_too_often_waits(browser: Browser) -> None:
    for _ in range(MAX_NETWORK_FAILURES):
        browser.sign_in("nobody", "nothing")
    answer = browser.sign_in()
    assert (answer.status_code, answer.headers["retry-after"]) == (429, "900")
    assert "That was tried too often" in answer.text


def test_sign_in_page_is_whole_without_scripts(browser: Browser) -> None:
    answer = browser.get(f"/staff/sign-in/?to={STAFF_PAGE}")
    html5lib.HTMLParser(strict=True).parse(answer.text)
    page = html5lib.parse(answer.text, namespaceHTMLElements=False)
    fields = {each.get("name"): (each.get("type"), each.get("autocomplete")) for each in page.iter("input")}
    secret = ("password", "current-password")
    hidden = dict.fromkeys(("to", "answer"), ("hidden", None))
    assert fields == {**hidden, "name": ("text", "username"), "password": secret}
    assert {label.get("for") for label in page.iter("label")} == {"name", "password"}
    assert heading(answer.text) == "Sign in"
    passkey = page.find(".//form[@data-asks]")
    assert passkey is not None
    assert "hidden" in passkey.attrib
    assert answer.headers["content-security-policy"].startswith("default-src 'none'")


def test_signing_out_ends_the_session_on_the_server_or_every_one(browser: Browser) -> None:
    browser.sign_in()
    token = browser.cookies["staff"]
    answer = browser.post("/staff/sign-out")
    assert answer.headers["clear-site-data"] == '"cache", "storage"'
    assert (answer.status_code, answer.headers["location"]) == (303, "/staff/sign-in/?done=out")
    ended = [cookie.split(";")[:2] for cookie in answer.headers.get_list("set-cookie")]
    assert ended == [["staff=", " Max-Age=0"], ["staff-step=", " Max-Age=0"]]
    assert browser.do(browser.testbed.name, token) == ""
    assert "You are signed out" in browser.get(answer.headers["location"]).text
    assert browser.post("/staff/sign-out").status_code == 303
    elsewhere = browser.do(browser.testbed.token)
    browser.sign_in()
    answer = browser.post("/staff/sign-out-everywhere")
    assert answer.headers["location"] == "/staff/sign-in/?done=out-everywhere"
    assert browser.do(browser.testbed.name, elsewhere) == ""


def test_second_step_asks_for_the_code_and_leads_on(browser: Browser) -> None:
    secret = set_up_codes(browser)
    first_step = browser.sign_in(to=STAFF_PAGE)
    assert (first_step.status_code, "staff=" in str(first_step.headers)) == (303, False)
    assert attributes(first_step.headers["set-cookie"]) == {"Max-Age=300", "Path=/", "HttpOnly", "SameSite=Strict"}
    page = browser.get(first_step.headers["location"])
    assert 'autocomplete="one-time-code"' in page.text
    wrong = browser.post("/staff/sign-in/code", code="000000", to=STAFF_PAGE)
    assert (wrong.status_code, heading(wrong.text)) == (403, "Enter your one-time code")
    assert browser.get(STAFF_PAGE).status_code == 303
    done = browser.post("/staff/sign-in/code", code=browser.code(secret), to=STAFF_PAGE)
    assert (done.status_code, done.headers["location"]) == (303, STAFF_PAGE)
    assert (browser.get(STAFF_PAGE).status_code, "staff-step" in browser.cookies) == (200, False)


def test_fifth_wrong_code_leads_to_the_password_with_the_page_kept(browser: Browser) -> None:
    secret = set_up_codes(browser)
    browser.sign_in(to=STAFF_PAGE)
    pages = [browser.post("/staff/sign-in/code", code="000000", to=STAFF_PAGE) for _ in range(5)]
    assert [heading(page.text) for page in pages] == ["Enter your one-time code"] * 4 + ["Sign in"]
    assert "That code was wrong 5 times" in pages[-1].text
    assert f'value="{STAFF_PAGE}"' in pages[-1].text
    assert browser.get("/staff/sign-in/code/").headers["location"] == "/staff/sign-in/"
    assert browser.post("/staff/sign-in/code", code=browser.code(secret)).status_code == 403


def test_malformed_form_is_refused_in_words(browser: Browser) -> None:
    large, many = {"name": ADA, "password": "x" * 9_000}, {f"f{each}": "x" for each in range(61)}
    for data, status in ((large, 413), (many, 400), ({}, 403)):
        answer = browser.client.post("/staff/sign-in", data=data, headers={"origin": SITE})
        assert (answer.status_code, answer.headers["cache-control"]) == (status, "no-store")


def test_account_without_required_codes_can_only_set_them_up(tmp_path: Path) -> None:
    with staff_web(tmp_path, codes_required=True) as browser:
        browser.sign_in()
        pages = {path: browser.get(path) for path in (STAFF_PAGE, "/staff/", "/updateLenders/")}
        assert {(page.status_code, page.headers["location"]) for page in pages.values()} == {(303, "/staff/account/")}
        refused = browser.post("/staff/enquiries.csv")
        assert (refused.status_code, "You are not signed in" in refused.text) == (403, True)
        token = browser.cookies["staff"]
        assert browser.do(browser.testbed.name, token) == ""
        assert "This site needs them" in browser.get("/staff/account/").text
        _, confirmed = browser.set_up_codes()
        assert "One-time codes are on" in confirmed
        assert (browser.get(STAFF_PAGE).status_code, browser.do(browser.testbed.name, token)) == (200, ADA)
        browser.post("/staff/codes", act="remove", password=PASSWORD)
        assert browser.get(STAFF_PAGE).headers["location"] == "/staff/account/"


def test_browser_whose_session_was_ended_is_told_and_led_back(browser: Browser) -> None:
    browser.sign_in()
    browser.do(browser.testbed.disable, ADA)
    browser.testbed.calendar.forward(seconds=CACHE_LIFETIME.total_seconds())
    shut = browser.get(STAFF_PAGE)
    assert shut.headers["location"] == f"/staff/sign-in/?to={STAFF_PAGE}"
    page = browser.get(shut.headers["location"]).text
    assert ("You are signed out" in page, "disabled your account" in page) == (True, True)
    browser.client.cookies.clear()
    assert "You are signed out" not in browser.get(shut.headers["location"]).text


def test_page_loads_its_fonts_with_its_styles(browser: Browser) -> None:
    css = Path("assets/site.css").read_text()
    fonts = set(re.findall(r"url\((/fonts/[^)]+)\)[^}]*font-display: optional", css))
    page = browser.get("/staff/sign-in/").text
    assert fonts
    assert set(re.findall(r'rel="preload" as="font" type="font/woff2" href="([^"]+)" crossorigin', page)) == fonts
