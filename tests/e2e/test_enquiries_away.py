"""The form of an enquiry where the server is away for a while: nothing typed is lost, and it is sent once."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from broker import routes
from tests.e2e.axe import violations
from tests.e2e.conftest import PHONE
from tests.e2e.enquiry_page import expect_thanks, fill, names, send
from tests.e2e.pages import Problems
from tests.integration.enquiry_site import EnquirySite


@pytest.fixture(autouse=True)
def expected(problems: Problems) -> None:
    problems.expect("WebSocket connection|ERR_CONNECTION_REFUSED|status of 502")


def test_form_stays_on_its_page_until_a_server_that_started_again_takes_it(
    open_form: Callable[..., Page], running_site: EnquirySite
) -> None:
    page = open_form(PHONE)
    fill(page, name="Ada Of Patience", message="First line\nsecond line")
    running_site.stop()
    send(page)
    told = page.locator("#unreached")
    expect(told).to_contain_text("We cannot reach our server")
    expect(told).to_be_focused()
    expect(page).to_have_url(routes.CONTACT)
    expect(page.locator("#enquiry-message")).to_have_value("First line\nsecond line")
    assert violations(page) == []
    running_site.start()
    send(page)
    expect_thanks(page)
    assert names(running_site, "Ada Of Patience") == 1


def test_form_stays_on_its_page_where_something_else_answers(open_form: Callable[..., Page]) -> None:
    page = open_form()
    page.route("**/ping", lambda route: route.fulfill(status=502, body="Bad gateway"))
    fill(page, name="Ada Behind A Proxy")
    send(page)
    expect(page.locator("#unreached")).to_be_visible()
    page.unroute("**/ping")
    send(page)
    expect(page.locator("#unreached")).to_be_hidden()
    expect_thanks(page)
