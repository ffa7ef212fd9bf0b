"""The form of an enquiry in a browser: filled in, sent, and thanked for."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from broker import routes
from broker.enquiries.service import MIN_FILL_TIME
from tests.e2e.pages import DESKTOP, Problems, visit
from tests.integration.enquiry_site import EnquirySite


@pytest.fixture
def open_form(open_page: Callable[..., Page], problems: Problems) -> Callable[..., Page]:
    problems.expect("status of 422")

    def open_form(size: tuple[int, int] = DESKTOP, *, scripts: bool = True, path: str = routes.CONTACT) -> Page:
        page = open_page(size, scripts=scripts)
        visit(page, path) if scripts else page.goto(path)
        return page

    return open_form


def fill(page: Page, **fields: str) -> None:
    """Fill in the form as somebody does who has read it, no faster than a person can."""
    given = {"name": "Ada Lovelace", "telephone": "(07700) 900 123", "email": "", "message": "", **fields}
    for name, value in given.items():
        page.locator(f"#enquiry-{name}").fill(value)
    page.get_by_label("I have read the privacy notice.").check()
    linger(page)


_IS_OLD = """([address, least]) => {
    const tokens = performance.getEntriesByName(new URL(address, location).href);
    return performance.now() - (tokens.length ? tokens.at(-1).responseEnd : 0) >= least;
}"""
"""Whether the form got its token so many milliseconds ago, or was requested then where it got none."""


def linger(page: Page) -> None:
    """Wait until the form is old enough to have been filled in by a person."""
    for token in page.locator("[name=token][data-asked]").all():
        expect(token).not_to_have_value("")
    page.wait_for_function(_IS_OLD, arg=[routes.FORM_TOKEN, MIN_FILL_TIME.total_seconds() * 1_000])


def send(page: Page) -> None:
    page.locator("form.posted button[type=submit]").last.click()


def expect_thanks(page: Page) -> str:
    expect(page).to_have_url(routes.THANK_YOU)
    expect(page.get_by_role("heading", level=1)).to_have_text("Thank you. We have your details.")
    return page.locator("main p b").first.inner_text()


def names(site: EnquirySite, name: str) -> int:
    return sum(each.enquiry.contact.name == name for each in site.kept())
