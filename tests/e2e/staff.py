"""The staff area in a browser: a site of its own with accounts, and pages that somebody signed in to.

`staff_site` is shared by the tests of the staff area, and keeps what they leave: a test looks at things of its own.
`staff_page` is a page of Ada's, `open_staff_page` makes others, of other sizes and other people.
"""

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import pytest
from playwright.sync_api import Page, expect

from broker import routes
from tests.e2e.live import PATIENCE
from tests.e2e.pages import DESKTOP
from tests.integration.staff_accounts import add_account
from tools.project import Project
from tools.server import Server, free_port, start

ADA, BEN = "ada", "ben"
"""Two of staff who have accounts."""

_addresses = itertools.count(1)


@dataclass(frozen=True, slots=True, kw_only=True)
class StaffSite:
    """A running site, and the passwords of its accounts by name."""

    server: Server
    passwords: dict[str, str]

    @property
    def url(self) -> str:
        return self.server.url


class OpenStaffPage(Protocol):
    """Opens a page of the staff area in a context of its own, signed in."""

    def __call__(
        self, path: str = routes.UPDATE_LENDERS, *, name: str = ADA, size: tuple[int, int] = DESKTOP
    ) -> Page: ...


def come_from_elsewhere(page: Page) -> None:
    """Give a page a network address of its own: one address may try the sign-in so often in a quarter of an hour."""
    page.set_extra_http_headers({"x-forwarded-for": f"10.0.0.{next(_addresses)}"})


def sign_in(page: Page, path: str, *, name: str, password: str) -> None:
    """Go to a page of the staff area, and through the sign-in that stands before it."""
    page.goto(path)
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password", exact=True).fill(password)
    page.get_by_role("button", name="Sign in").click()
    expect(page).to_have_url(path)
    expect(page.get_by_role("link", name=f"Signed in as {name}")).to_be_visible(timeout=PATIENCE)


@pytest.fixture(scope="session")
def staff_site(site: Path, project: Project, tmp_path_factory: pytest.TempPathFactory) -> Iterator[StaffSite]:
    """Return a site behind a proxy that keeps what it has in a folder of its own, with accounts for Ada and Ben."""
    del site
    folder = tmp_path_factory.mktemp("staff")
    settings = {"BROKER_STATE_DIR": str(folder), "BROKER_TRUSTED_PROXIES": "1"}
    running = start(project, free_port(), log=folder / "server.log", settings=settings)
    try:
        yield StaffSite(server=running, passwords={name: add_account(project, folder, name) for name in (ADA, BEN)})
    finally:
        running.stop()


@pytest.fixture
def open_staff_page(staff_site: StaffSite, open_page: Callable[..., Page]) -> OpenStaffPage:
    """Return a function that opens pages of the staff area, all closed when the test ends."""

    def open_one(path: str = routes.UPDATE_LENDERS, *, name: str = ADA, size: tuple[int, int] = DESKTOP) -> Page:
        page = open_page(size, base=staff_site.url)
        come_from_elsewhere(page)
        sign_in(page, path, name=name, password=staff_site.passwords[name])
        return page

    return open_one


@pytest.fixture
def staff_page(open_staff_page: OpenStaffPage) -> Page:
    """Return Ada's page of lenders and logos; `goto` leads to the others."""
    return open_staff_page()
