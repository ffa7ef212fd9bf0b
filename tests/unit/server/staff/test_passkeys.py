import hashlib
import json
import re
from base64 import b64encode
from pathlib import Path

import html5lib
import pytest

from broker import routes
from broker.staff.passkeys import MAX_ASKED
from tests.unit.server.staff_web import STAFF_PAGE, Browser, staff_web
from tests.unit.staff.authenticator import Authenticator
from tests.unit.staff.staff_testbed import ADA, PASSWORD

FORMS = routes.STAFF_FORMS


@pytest.fixture
def authenticator(browser: Browser) -> Authenticator:
    return add_passkey(browser)


def add_passkey(browser: Browser) -> Authenticator:
    """Sign ada in, and add a passkey of hers."""
    browser.sign_in()
    made = Authenticator()
    options = browser.post(FORMS["passkey-begin"], password=PASSWORD)
    added = browser.post(FORMS["passkey-add"], passkey="This computer", answer=made.make(options.text))
    assert added.headers["location"] == f"{routes.STAFF_ACCOUNT}?done=passkey"
    return made


def test_passkey_signs_in_and_leads_back(browser: Browser, authenticator: Authenticator) -> None:
    assert "This computer" in browser.get(routes.STAFF_ACCOUNT).text
    browser.client.cookies.clear()
    options = browser.post(FORMS["passkey-ask"]).text
    answer = browser.post(FORMS["passkey-sign-in"], answer=authenticator.sign(options), to=routes.STAFF_ENQUIRIES)
    assert (answer.status_code, answer.headers["location"]) == (303, routes.STAFF_ENQUIRIES)
    assert ADA in browser.get(routes.STAFF_ACCOUNT).text


def test_passkey_stands_for_required_codes_where_it_began_the_session(tmp_path: Path) -> None:
    with staff_web(tmp_path, codes_required=True) as browser:
        authenticator = add_passkey(browser)
        assert browser.get(routes.STAFF_ENQUIRIES).headers["location"] == routes.STAFF_ACCOUNT
        assert "or add a passkey below" in browser.get(routes.STAFF_ACCOUNT).text
        browser.client.cookies.clear()
        options = browser.post(FORMS["passkey-ask"]).text
        browser.post(FORMS["passkey-sign-in"], answer=authenticator.sign(options), to=routes.STAFF_ENQUIRIES)
        token = browser.cookies["staff"]
        assert (browser.get(STAFF_PAGE).status_code, browser.do(browser.testbed.name, token)) == (200, ADA)
        assert "This site needs them" not in browser.get(routes.STAFF_ACCOUNT).text
        new = "another long enough password"
        browser.post(FORMS["password"], old=PASSWORD, new=new, again=new)
        assert (browser.cookies["staff"] != token, browser.get(STAFF_PAGE).status_code) == (True, 200)
        browser.client.cookies.set("staff", browser.cookies["staff"].removeprefix("passkey."))
        assert browser.get(STAFF_PAGE).status_code == 303


def test_password_alone_neither_opens_nor_gives_codes_to_an_account_with_a_passkey(tmp_path: Path) -> None:
    with staff_web(tmp_path, codes_required=True) as browser:
        add_passkey(browser)
        browser.client.cookies.clear()
        answer = browser.sign_in()
        assert (answer.status_code, "This account signs in with its passkey" in answer.text) == (403, True)
        assert browser.get(routes.STAFF_ACCOUNT).status_code == 303
        wrong = browser.post("/staff/sign-in", name=ADA, password="not the one")
        assert "passkey" not in wrong.text.partition("<form")[0]


def test_refused_passkey_is_said_with_the_way_back(browser: Browser, authenticator: Authenticator) -> None:
    browser.client.cookies.clear()
    answer = browser.post(FORMS["passkey-sign-in"], answer=authenticator.sign(json.dumps({"challenge": "AAAA"})))
    assert (answer.status_code, "This passkey does not sign in here" in answer.text) == (403, True)
    assert browser.get(routes.STAFF_ACCOUNT).status_code == 303


def test_removed_passkey_is_gone(browser: Browser, authenticator: Authenticator) -> None:
    number = re.search(r'name="number" value="(\d+)"', browser.get(routes.STAFF_ACCOUNT).text)
    assert number
    browser.post(FORMS["passkey-remove"], number=number[1])
    assert "This computer" not in browser.get(routes.STAFF_ACCOUNT).text
    browser.client.cookies.clear()
    options = browser.post(FORMS["passkey-ask"]).text
    assert browser.post(FORMS["passkey-sign-in"], answer=authenticator.sign(options)).status_code == 403


def test_passkey_is_added_by_its_owner_with_the_password(browser: Browser) -> None:
    browser.sign_in()
    refused = browser.post(FORMS["passkey-begin"], password="another one")
    assert (refused.status_code, list(refused.json())) == (422, ["problem"])
    assert browser.post(FORMS["passkey-add"], answer="{}", passkey="x").status_code == 422
    browser.client.cookies.clear()
    for name in ("passkey-begin", "passkey-add", "passkey-remove"):
        assert (name, browser.post(FORMS[name], password=PASSWORD).status_code) == (name, 403)


def test_network_that_asks_too_often_waits(browser: Browser) -> None:
    for _ in range(MAX_ASKED):
        assert browser.post(FORMS["passkey-ask"]).status_code == 200
    answer = browser.post(FORMS["passkey-ask"])
    assert (answer.status_code, answer.headers["retry-after"]) == (429, "900")
    assert browser.post(FORMS["passkey-ask"], origin="https://evil.example").status_code == 403


def test_pages_of_passkeys_allow_their_script_alone(browser: Browser) -> None:
    pages = [browser.get(routes.STAFF_SIGN_IN)]
    browser.sign_in()
    pages.append(browser.get(routes.STAFF_ACCOUNT))
    for page in pages:
        html5lib.HTMLParser(strict=True).parse(page.text)
        (script,) = re.findall(r"<script>(.*?)</script>", page.text, re.DOTALL)
        allowed = b64encode(hashlib.sha256(script.encode()).digest()).decode()
        policy = page.headers["content-security-policy"]
        assert f"script-src 'sha256-{allowed}'; connect-src 'self'" in policy
        assert re.search(r'<form[^>]* data-(?:asks|adds)="[^"]+" hidden>', page.text)
