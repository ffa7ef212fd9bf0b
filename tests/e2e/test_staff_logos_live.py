"""Lenders and logos over a live feed: 200 lenders, half of whose logos fail, and a list that does not come."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from broker import routes
from tests.e2e.conftest import OpenPage
from tests.e2e.live import LiveSite, live_site
from tests.e2e.staff import ADA, sign_in
from tests.e2e.staff_logos_page import LogosPage
from tests.integration.staff_accounts import add_account
from tools.project import Project

MORE = 120
"""Lenders beside the market's own: some two hundred in all."""

LONG = 300_000
"""Milliseconds that fetching some two hundred logos may take on a busy machine."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("fed")


@pytest.fixture(scope="module")
def fed(site: Path, project: Project, folder: Path) -> Iterator[LiveSite]:
    del site
    with live_site(project, folder) as live:
        live.standin.switch(lenders=MORE)
        yield live


@pytest.fixture(scope="module")
def password(fed: LiveSite, folder: Path) -> str:
    del fed
    return add_account(folder / "kept", ADA)


@pytest.fixture
def logos(password: str, fed: LiveSite, open_page: OpenPage) -> LogosPage:
    page = open_page(base=fed.url)
    sign_in(page, routes.UPDATE_LENDERS, name=ADA, password=password)
    return LogosPage(page)


def test_half_of_the_logos_fail_and_each_is_named(fed: LiveSite, logos: LogosPage) -> None:
    page = logos.page
    page.get_by_role("button", name="Fetch the lenders").click()
    lenders, of_logos = page.locator(".fetches .panel").all()
    expect(lenders).to_contain_text("Done", timeout=LONG)
    expect(logos.lines.nth(200)).to_be_attached(timeout=LONG)
    many = logos.lines.count()
    fed.standin.switch(name="logos-mixed")
    page.get_by_role("button", name="Fetch the logos").click()
    expect(of_logos).to_contain_text("Each that failed", timeout=LONG)
    failures = of_logos.locator("li").all_text_contents()
    assert many / 3 < len(failures) < many * 2 / 3
    page.get_by_label("Only lenders without a logo").check()
    expect(logos.lines).not_to_have_count(many)
    # a logo that came before, when the server started, stands where it fails now
    bare = logos.lines.get_by_role("rowheader").all_text_contents()
    assert bare
    assert set(bare) <= {sentence.partition(": ")[0] for sentence in failures}


def test_list_that_does_not_come_is_empty_with_its_code(fed: LiveSite, logos: LogosPage) -> None:
    page = logos.page
    fed.standin.switch(name="status-not-ok", only="get_lenders")
    page.get_by_role("button", name="Fetch the lenders").click()
    expect(page.get_by_text("The list of lenders is empty")).to_be_visible()
    lenders = page.locator(".fetches .panel").first
    expect(lenders).to_contain_text("Failed")
    expect(lenders).to_contain_text("could not be read (")
    expect(logos.lines).to_have_count(0)
    page.get_by_role("button", name="Show the lenders as last known").click()
    expect(logos.lines.first).to_be_visible()
