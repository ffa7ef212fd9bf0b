import hashlib
import json
import re
from base64 import b64encode

import html5lib
import pytest

from broker import routes
from broker.staff.passkeys import MAX_ASKED
from tests.unit.server.staff_web import Browser
from tests.unit.staff.authenticator import Authenticator
from tests.unit.staff.staff_testbed import ADA, PASSWORD

FORMS = routes.STAFF_FORMS


@pytest.fixture
def authenticator(browser: Browser) -> Authenticator:
    """Add a passkey of ada's, who is signed in."""
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
