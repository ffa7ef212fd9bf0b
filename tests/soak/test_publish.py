"""A guide changed in WordPress and published while visitors read: two minutes, and no request lost."""

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
"""Seconds from a change in the content service to the page that shows it."""

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


def test_changed_guide_shows_within_two_minutes_with_no_request_lost(
    server: Server, standin: Standin, project: Project, settings: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    title = "Bridging loans, told anew"
    with visitors(server.url, VISITED) as answers:
        begun = time.monotonic()
        standin.publish(Published(slug=SLUG, title=title))
        said = publish(project, settings)
        changed = shown(server.url + GUIDE, title, patience=10)
        took = time.monotonic() - begun
    with capsys.disabled():
        sys.stdout.write(f"\nshown after {took:.0f} s, {answers.total():,} requests answered meanwhile\n")
    assert (changed, f"changed: {GUIDE}" in said) == (True, True)
    assert set(answers) == {(path, 200) for path in VISITED}
    assert took < LONGEST


def test_publishing_again_changes_nothing(project: Project, settings: dict[str, str], server: Server) -> None:
    del server
    assert "Nothing changed" in publish(project, settings)
