"""The staff area in a browser: the shared site with accounts, and pages that somebody signed in to.

The site keeps what tests leave: a test looks at things of its own.
`staff_page` is a page of Ada's, `open_staff_page` makes others, of other sizes and other people.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import pytest
from playwright.sync_api import Page, expect

from broker import routes
from tests.e2e.pages import DESKTOP
from tests.integration.enquiry_site import EnquirySite
from tests.integration.staff_accounts import add_account
from tools.server import Server

ADA, BEN = "ada", "ben"
"""Two of staff who have accounts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StaffSite:
    """The shared site, the passwords of its accounts by name, and the cookies of those who signed in last."""

    site: EnquirySite
    passwords: dict[str, str]
    cookies: dict[str, list[Any]]

    @property
    def url(self) -> str:
        return self.site.url

    @property
    def server(self) -> Server:
        return self.site.server

    def add_account(self, name: str) -> str:
        return add_account(self.site.state_dir, name)


class OpenStaffPage(Protocol):
    """Opens a page of the staff area in a context of its own, signed in."""

    def __call__(
        self, path: str = routes.UPDATE_LENDERS, *, name: str = ADA, size: tuple[int, int] = DESKTOP
    ) -> Page: ...


def sign_in(page: Page, path: str, *, name: str, password: str) -> None:
    """Go to a page of the staff area, through the sign-in that stands before it unless the browser has a session."""
    page.goto(path)
    if routes.STAFF_SIGN_IN in page.url:
        page.get_by_label("Name").fill(name)
        page.get_by_label("Password", exact=True).fill(password)
        page.get_by_role("button", name="Sign in").click()
        expect(page).to_have_url(path)
    expect(page.get_by_role("button", name=f"Signed in as {name}: your account")).to_be_visible()


def sign_out(page: Page, name: str) -> None:
    """Sign out by keys, through the menu of the account."""
    page.get_by_role("button", name=f"Signed in as {name}: your account").press("Enter")
    page.get_by_role("button", name="Sign out", exact=True).press("Enter")
    expect(page).to_have_url(re.compile(routes.STAFF_SIGN_IN))


@pytest.fixture(scope="session")
def shared_staff_site(shared_site: EnquirySite) -> StaffSite:
    passwords = {name: add_account(shared_site.state_dir, name) for name in (ADA, BEN)}
    return StaffSite(site=shared_site, passwords=passwords, cookies={})


@pytest.fixture
def staff_site(running_site: EnquirySite, shared_staff_site: StaffSite) -> StaffSite:
    del running_site
    return shared_staff_site


@pytest.fixture
def open_staff_page(staff_site: StaffSite, open_page: Callable[..., Page]) -> OpenStaffPage:
    def open_one(path: str = routes.UPDATE_LENDERS, *, name: str = ADA, size: tuple[int, int] = DESKTOP) -> Page:
        page = open_page(size)
        page.context.add_cookies(staff_site.cookies.get(name, []))
        sign_in(page, path, name=name, password=staff_site.passwords[name])
        staff_site.cookies[name] = page.context.cookies()
        return page

    return open_one


@pytest.fixture
def staff_page(open_staff_page: OpenStaffPage) -> Page:
    """Return Ada's page of lenders and logos; `goto` leads to the others."""
    return open_staff_page()
