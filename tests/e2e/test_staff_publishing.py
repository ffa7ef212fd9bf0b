"""Publishing on the overview in a browser: asked for, waiting, and why it failed."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from broker import routes
from broker.content.publish_requests import PublishingFiles
from broker.content.publishing import ContentChange, PublishResult, PublishRun
from broker.settings import Settings
from tests.e2e.conftest import PHONE, OpenPage
from tests.e2e.pages import NARROW, sized
from tests.e2e.staff import ADA, DESKTOP, sign_in
from tests.integration.staff_accounts import add_account
from tools.project import Project
from tools.server import free_port, start

REASON = "Guide pages: 3 of 13 would go (/mortgage-guides/a-guide-with-a-long-name/): if that is meant, run it again"


@dataclass(frozen=True, slots=True, kw_only=True)
class Hooked:
    """A site with a webhook, the files of its publishing, and Ada's password."""

    url: str
    files: PublishingFiles
    password: str


@pytest.fixture(scope="module")
def hooked(site: Path, project: Project, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hooked]:
    del site
    folder = tmp_path_factory.mktemp("hooked")
    given = {"BROKER_STATE_DIR": str(folder), "BROKER_CONTENT_HOOK_SECRET": "a secret of this test in letters alone"}
    server = start(project, free_port(), log=folder / "log", settings=given)
    files = PublishingFiles(Settings(state_dir=folder))
    yield Hooked(url=server.url, files=files, password=add_account(folder, ADA))
    server.stop()


def test_publishing_is_asked_for_and_its_failure_has_a_reason(
    hooked: Hooked, open_page: OpenPage, axe: Callable[[Page], list[str]]
) -> None:
    page = open_page(DESKTOP, base=hooked.url)
    sign_in(page, routes.STAFF, name=ADA, password=hooked.password)
    panel = page.get_by_role("region", name="Publishing")
    expect(panel).to_contain_text("Ready")
    panel.get_by_role("button", name="Publish now").click()
    expect(panel.get_by_role("status")).to_contain_text("Asked for")
    expect(panel).to_contain_text("Waiting")
    expect(panel).to_contain_text("from ada")
    change = hooked.files.change()
    assert change
    hooked.files.write_run(_refused(change))
    page.get_by_role("button", name="Look again").click()
    expect(panel).to_contain_text("Not published")
    expect(panel).to_contain_text(REASON)
    for size in (DESKTOP, PHONE, NARROW):
        assert (sized(page, size).evaluate("document.documentElement.scrollWidth"), axe(page)) == (size[0], [])


def _refused(change: ContentChange) -> PublishRun:
    now = datetime.now(UTC)
    started, retry_at = now - timedelta(seconds=20), now + timedelta(minutes=1)
    return PublishRun(
        change=change, started=started, finished=now, result=PublishResult.REFUSED, reason=REASON, retry_at=retry_at
    )
