"""A guide changed in WordPress and published while visitors read: seconds or two minutes, and no request lost."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

from broker import routes
from tests.integration.visitors import shown, visitors
from tests.standin import Published, Standin, running
from tools.project import Project
from tools.server import Server, free_port, start

SLUG = "bridging-loans"
GUIDE = routes.guide(SLUG)
VISITED = (routes.HOME, GUIDE, routes.RATES, routes.LENDERS, "/site.css")
LONGEST = 120
"""Seconds from a change in the content service to the page that shows it, where pages are built."""

pytestmark = pytest.mark.soak


@pytest.fixture(scope="module")
def standin() -> Iterator[Standin]:
    with running() as standin:
        standin.publish(Published(slug=SLUG))
        yield standin


@pytest.fixture(scope="module")
def settings(standin: Standin, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Return the settings of a site whose content is the service's, built in folders of the test's own."""
    folder = tmp_path_factory.mktemp("published")
    return {
        "BROKER_API_URL": standin.url,
        "BROKER_STATE_DIR": str(folder / "state"),
        "BROKER_RELEASES_DIR": str(folder / "releases"),
    }


@pytest.fixture(scope="module")
def server(project: Project, settings: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    publish(project, settings)
    log = tmp_path_factory.mktemp("log") / "server.log"
    server = start(project, free_port(), log=log, settings=settings)
    yield server
    server.stop()


def publish(project: Project, settings: dict[str, str]) -> str:
    command = [str(project.python), "-m", "tools.publish"]
    environment = {**os.environ, **settings}
    done = subprocess.run(command, cwd=project.root, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize(
    ("edited", "words", "pages"),
    [
        (Published(slug=SLUG, html="<p>A sentence that is new.</p>"), "A sentence that is new.", False),
        (Published(slug=SLUG, title="Bridging loans, told anew"), "Bridging loans, told anew", True),
    ],
    ids=["text", "title"],
)
def test_changed_guide_shows_with_no_request_lost(
    server: Server,
    standin: Standin,
    project: Project,
    settings: dict[str, str],
    capsys: pytest.CaptureFixture[str],
    *,
    edited: Published,
    words: str,
    pages: bool,
) -> None:
    """A text is served without a build and without a search of the feed; the title stands on built pages too."""
    standin.forget()
    with visitors(server.url, VISITED) as answers:
        begun = time.monotonic()
        standin.publish(edited)
        said = publish(project, settings)
        changed = shown(server.url + GUIDE, words, patience=10)
        took = time.monotonic() - begun
    calls = standin.asked()
    with capsys.disabled():
        counts = f"{answers.total():,} requests answered meanwhile, {sum(calls.values())} calls"
        sys.stdout.write(f"\nshown after {took:.0f} s, {counts}\n")
    assert (changed, f"changed: guide {SLUG}" in said) == (True, True)
    assert ("and no page had to be built" in said) is not pages
    assert set(answers) == {(path, 200) for path in VISITED}
    assert took < LONGEST
    assert pages or "get_rates" not in calls


def test_publishing_again_builds_nothing(project: Project, settings: dict[str, str], server: Server) -> None:
    del server
    assert "and no page had to be built" in publish(project, settings)
