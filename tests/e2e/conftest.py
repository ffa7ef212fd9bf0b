"""Servers over the one shared build, Chromium, and pages that fail their test when the console complains.

The tests of a process share one site, `running_site`, which starts again after a test that stopped it. `server` is its
address, `asked_site` and `staff_site` are what tests of the questionnaire and of the staff area need of it; `live` is
another site, over the stand-in for the broker's API, and `static_server` the exported files alone. `page` is a desktop
page and `phone` a narrow one; `open_page` makes others. `problems` holds what the pages complained of. `open_form`
opens the page of a form.
"""

from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Protocol

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.e2e.answering_site import AnsweringSite
from tests.e2e.axe import violations
from tests.e2e.enquiry_page import open_form
from tests.e2e.live import LiveSite, live_site
from tests.e2e.pages import DESKTOP, PHONE, Problems
from tests.e2e.questionnaire_page import QuestionnairePage
from tests.e2e.staff import open_staff_page, shared_staff_site, staff_page, staff_site
from tests.e2e.static_files import serve_folder
from tests.integration.enquiry_site import EnquirySite, enquiry_site, next_address
from tests.timeouts import ANSWER_TIMEOUT
from tools.environment import find_chromium
from tools.project import Project

__all__ = ["DESKTOP", "PHONE", "open_form", "open_staff_page", "shared_staff_site", "staff_page", "staff_site"]
"""Fixtures and sizes that stand elsewhere."""

FLAGS = (
    "--no-sandbox",  # the tests may run as root
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

PATIENCE = 1_000 * ANSWER_TIMEOUT
"""Milliseconds for which a test waits for what a page is to show or to do: a busy machine may take ten times as long.

The first look at a page of tables over a live feed is twenty searches, two seconds of processor.
"""

expect.set_options(timeout=PATIENCE)

_SITE: pytest.StashKey[EnquirySite | LiveSite] = pytest.StashKey()


class OpenPage(Protocol):
    """Opens a page in a fresh context; `scripts=False` turns JavaScript off."""

    def __call__(self, size: tuple[int, int] = DESKTOP, *, base: str | None = None, scripts: bool = True) -> Page:
        """Return an empty page whose relative addresses start at `base`, by default the shared server."""
        ...


@pytest.fixture(scope="session")
def shared_site(site: Path, project: Project, tmp_path_factory: pytest.TempPathFactory) -> Iterator[EnquirySite]:
    del site
    with enquiry_site(project, tmp_path_factory.mktemp("site")) as running:
        yield running


@pytest.fixture
def running_site(shared_site: EnquirySite, request: pytest.FixtureRequest) -> Iterator[EnquirySite]:
    """Return the shared site, which a test may stop: it runs again afterwards."""
    request.node.stash[_SITE] = shared_site
    yield shared_site
    if not shared_site.is_running:
        shared_site.start()


@pytest.fixture
def server(running_site: EnquirySite) -> str:
    return running_site.url


@pytest.fixture
def logged(running_site: EnquirySite) -> int:
    return len(running_site.server.said())


@pytest.fixture
def asked_site(running_site: EnquirySite) -> AnsweringSite:
    """Return the shared site with what its visitors answered."""
    return AnsweringSite(running_site)


@pytest.fixture(scope="session")
def shared_live_site(site: Path, project: Project, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveSite]:
    """Return the site over a live feed that tests share which do not make the feed fail."""
    del site
    with live_site(project, tmp_path_factory.mktemp("live")) as running:
        yield running


@pytest.fixture
def live(shared_live_site: LiveSite, request: pytest.FixtureRequest) -> LiveSite:
    request.node.stash[_SITE] = shared_live_site
    return shared_live_site


@pytest.fixture(scope="session")
def static_server(site: Path) -> Iterator[str]:
    """Return the address of the exported files alone, with no backend behind them."""
    with serve_folder(site) as address:
        yield address


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=find_chromium(), args=list(FLAGS))
        yield chromium
        chromium.close()


@pytest.fixture
def problems() -> Iterator[Problems]:
    """Return what the pages complain of; a complaint that the test did not expect fails it at the end."""
    seen = Problems()
    yield seen
    unexpected = seen.unexpected()
    if unexpected:
        pytest.fail("the browser complained:\n" + "\n".join(unexpected), pytrace=False)


@pytest.fixture
def open_page(browser: Browser, request: pytest.FixtureRequest, problems: Problems) -> Iterator[OpenPage]:
    """Return a function that opens pages, all closed when the test ends.

    Each comes from a network address of its own, since an address may send so many forms in an hour.
    """
    contexts = []

    def open_one(size: tuple[int, int] = DESKTOP, *, base: str | None = None, scripts: bool = True) -> Page:
        address = base or request.getfixturevalue("server")
        width, height = size
        context = browser.new_context(
            base_url=address,
            viewport={"width": width, "height": height},
            java_script_enabled=scripts,
            locale="en-GB",
            extra_http_headers={"x-forwarded-for": next_address()},
        )
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        page = context.new_page()
        problems.watch(page)
        return page

    yield open_one
    for context in contexts:
        context.close()


@pytest.fixture
def page(open_page: OpenPage) -> Page:
    return open_page(DESKTOP)


@pytest.fixture
def phone(open_page: OpenPage) -> Page:
    return open_page(PHONE)


@pytest.fixture
def asked(asked_site: AnsweringSite, open_page: OpenPage) -> QuestionnairePage:
    return QuestionnairePage(page=open_page(DESKTOP, base=asked_site.url))


@pytest.fixture(scope="session")
def axe() -> Callable[[Page], list[str]]:
    return violations


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Attach what the server said to the report of a failed test."""
    report = yield
    if report.failed and (running := item.stash.get(_SITE, None)):
        report.sections.append(("server", running.server.said()[-5_000:]))
    return report
