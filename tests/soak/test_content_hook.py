"""An editor saves in the content service, its signed message arrives, and the site says so within two minutes.

The site is served by the command that serves it in earnest, and visitors read all the time.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from broker import routes
from broker.content.publish_requests import PublishingFiles
from broker.content.publishing import PublishResult
from broker.server.content_hook import HEADER, sign
from broker.settings import Settings
from tests.integration.visitors import shown, visitors
from tests.soak.saved_edits import EDITS, REMOVED, removing, saving
from tests.standin import Standin, running
from tools.project import Project
from tools.server import free_port

SECRET = "a secret of this test's webhook in letters"
VISITED = (routes.RATES, "/site.css", *(edit.path for edit in EDITS))
LONGEST = 120
"""Seconds from what an editor saved to the page that shows it."""

pytestmark = pytest.mark.soak


@pytest.fixture(scope="module")
def standin() -> Iterator[Standin]:
    with running() as standin:
        yield standin


@pytest.fixture(scope="module")
def settings(standin: Standin, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("hooked")
    return {
        "PORT": str(free_port()),
        "BROKER_API_URL": standin.url,
        "BROKER_STATE_DIR": str(folder / "state"),
        "BROKER_RELEASES_DIR": str(folder / "releases"),
        "BROKER_CONTENT_HOOK_SECRET": SECRET,
    }


@pytest.fixture(scope="module")
def url(project: Project, settings: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Publish once, serve as `make serve` does, and return the address."""
    environment = {**os.environ, **settings}
    command = [str(project.python), "-m", "tools.publish"]
    done = subprocess.run(command, cwd=project.root, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    log = tmp_path_factory.mktemp("log") / "server.log"
    with log.open("wb") as output:
        serving = subprocess.Popen(
            [str(project.python), "-m", "tools.serve"],
            cwd=project.root,
            env=environment,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    url = f"http://localhost:{settings['PORT']}"
    while not _answers(url):
        assert serving.poll() is None, log.read_text()
        time.sleep(0.1)
    yield url
    serving.send_signal(signal.SIGTERM)
    assert serving.wait(timeout=30) == 0, log.read_text()


def _answers(url: str) -> bool:
    try:
        return httpx.get(url + routes.PING).status_code == 200
    except httpx.TransportError:
        return False


def send(url: str, header: str, body: bytes = b'{"post":7}') -> int:
    return httpx.post(url + routes.CONTENT_HOOK, content=body, headers={HEADER: header}).status_code


def signed(secret: str = SECRET) -> str:
    return sign(secret, b'{"post":7}', at=int(time.time()))


def test_saved_edits_show_within_two_minutes_with_no_request_lost(
    url: str, standin: Standin, settings: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    before = {edit.path: httpx.get(url + edit.path).text for edit in EDITS}
    assert [edit.words for edit in EDITS if edit.words in before[edit.path]] == []
    with visitors(url, VISITED) as answers:
        begun, header = time.monotonic(), signed()
        standin.edit(saving())
        statuses = [
            send(url, signed("a secret that somebody made up, in letters")),
            send(url, header),
            send(url, header),
        ]
        seen, after = list[bool](), list[float]()
        for edit in EDITS:
            seen.append(shown(url + edit.path, edit.words, patience=LONGEST + begun - time.monotonic()))
            after.append(time.monotonic() - begun)
    files = PublishingFiles(Settings(state_dir=Path(settings["BROKER_STATE_DIR"])))
    while (run := files.run()) is None or run.finished is None:
        time.sleep(0.1)
    with capsys.disabled():
        took = f"the guide after {after[0]:.1f} s, what was built after {after[-1]:.0f} s"
        sys.stdout.write(f"\n{took}, {answers.total():,} requests answered meanwhile\n")
    assert (statuses, seen, run.result) == ([401, 202, 409], [True] * len(EDITS), PublishResult.SUCCEEDED)
    assert set(answers) == {(path, 200) for path in VISITED}
    assert after[-1] < LONGEST


def test_pages_that_would_go_are_not_published_and_staff_can_read_why(
    url: str, standin: Standin, settings: dict[str, str]
) -> None:
    files = PublishingFiles(Settings(state_dir=Path(settings["BROKER_STATE_DIR"])))
    last = files.run()
    standin.edit(removing())
    assert send(url, signed()) == 202
    while (run := files.run()) is None or run == last or run.finished is None:
        time.sleep(0.1)
    assert run.result is PublishResult.REFUSED
    assert f"{len(REMOVED)} of" in run.reason
    assert "make publish ARGS=--accept-removals" in run.reason
    assert {httpx.get(url + routes.guide(slug)).status_code for slug in REMOVED} == {200}
