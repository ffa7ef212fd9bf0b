"""A signed message over HTTP: what is refused, and that an editor's changes are on the site with no request lost.

What publishes is quick here: it puts a release that was made before. The soak test of this name copies and builds.
"""

import os
import shutil
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from broker import routes
from broker.content.publish_requests import PublishingFiles
from broker.content.publishing import PublishResult
from broker.server.content_hook import ACCEPTED, EXPIRED, FORGED, HEADER, MISSING, REPEATED, sign
from broker.server.releases import CLIENT, METADATA
from broker.settings import read_settings
from tests.integration.visitors import shown, visitors
from tests.timeouts import ANSWER_TIMEOUT
from tools.project import Project
from tools.publisher import Publisher
from tools.release import put
from tools.server import Server, free_port, start

SECRET = "a secret of this test's webhook in letters"
EDITED = {
    routes.ABOUT: "A heading that an editor wrote",
    "/first-time-buyer/": "A question that an editor wrote",
    routes.CALCULATORS: "An entry that an editor wrote",
    routes.town("ealing"): "A sentence that an editor wrote",
}
VISITED = (routes.HOME, *EDITED)
PUT = (
    "import sys; from pathlib import Path; from tools.release import put; "
    "put(Path(sys.argv[1]), Path(sys.argv[2]), key='', code='')"
)


class HookedSite:
    """A server with the webhook, over a release of its own, and the folder of what is published next."""

    def __init__(self, project: Project, folder: Path, site: Path) -> None:
        self.folder, self._site = folder, site
        self.environment = {
            "BROKER_RELEASES_DIR": str(folder / "releases"),
            "BROKER_STATE_DIR": str(folder / "state"),
            "BROKER_CONTENT_HOOK_SECRET": SECRET,
            "BROKER_CONTENT_HOOK_QUIET_SECONDS": "1",
        }
        put(self.copied("first"), folder / "releases", key="", code="")
        self.server: Server = start(project, free_port(), log=folder / "log", settings=self.environment)
        settings = read_settings(self.environment)
        self.files = PublishingFiles(settings)
        command = ("-c", PUT, str(folder / "edited"), str(folder / "releases"))
        self.publisher = Publisher(project, settings, command=command)

    def copied(self, name: str) -> Path:
        """Return a copy of what Reflex exported, whose files are links."""
        web = self.folder / name
        metadata = shutil.ignore_patterns("build", METADATA)
        shutil.copytree(self._site.parents[1], web, copy_function=os.link, ignore=metadata)
        shutil.copytree(self._site, web / CLIENT, copy_function=os.link)
        return web

    def edit(self) -> None:
        """Make what is published next: the pages with an editor's words at the end of their first heading."""
        web = self.copied("edited")
        for path, words in EDITED.items():
            for file in (web / CLIENT / path.strip("/")).glob("index.html*"):
                html = file.read_text("utf-8") if file.suffix == ".html" else ""
                file.unlink()
                if html:
                    file.write_text(html.replace("</h1>", " " + words + "</h1>", 1), "utf-8")

    def send(self, header: str = "", body: bytes = b"{}") -> httpx.Response:
        headers = {HEADER: header} if header else {}
        return httpx.post(self.server.url + routes.CONTENT_HOOK, content=body, headers=headers, timeout=ANSWER_TIMEOUT)

    @contextmanager
    def publishing(self) -> Iterator[None]:
        """Have the publisher look, as the process that serves does."""
        over = threading.Event()

        def look() -> None:
            while not over.wait(0.1):
                self.publisher.look()

        thread = threading.Thread(target=look)
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()
            self.publisher.stop()


@pytest.fixture(scope="module")
def hooked(site: Path, project: Project, tmp_path_factory: pytest.TempPathFactory) -> Iterator[HookedSite]:
    hooked = HookedSite(project, tmp_path_factory.mktemp("hooked"), site)
    yield hooked
    hooked.server.stop()


def now() -> int:
    return int(time.time())


def test_message_that_is_not_ours_is_refused_and_publishes_nothing(hooked: HookedSite) -> None:
    refused = {
        MISSING: hooked.send(),
        FORGED: hooked.send(sign("a secret that is made up, in letters", b"{}", at=now())),
        EXPIRED: hooked.send(sign(SECRET, b"{}", at=now() - 301)),
    }
    assert {words: (answer.status_code, answer.text) for words, answer in refused.items()} == {
        words: (401, words) for words in refused
    }
    large = b"x" * (64 * 1024 + 1)
    assert hooked.send(sign(SECRET, large, at=now()), large).status_code == 413
    read = httpx.get(hooked.server.url + routes.CONTENT_HOOK, timeout=ANSWER_TIMEOUT)
    assert (read.status_code, read.headers["allow"]) == (405, "POST")
    assert hooked.files.change() is None


def test_what_an_editor_saved_shows_with_no_request_lost(hooked: HookedSite) -> None:
    hooked.edit()
    with hooked.publishing(), visitors(hooked.server.url, VISITED) as answers:
        header = sign(SECRET, b"{}", at=now())
        responses = [hooked.send(header), hooked.send(header)]
        seen = [shown(hooked.server.url + path, words, patience=ANSWER_TIMEOUT) for path, words in EDITED.items()]
        while (run := hooked.files.run()) is None or run.finished is None:
            time.sleep(0.05)
    assert [(each.status_code, each.text) for each in responses] == [(202, ACCEPTED), (409, REPEATED)]
    assert (seen, run.result) == ([True] * len(EDITED), PublishResult.SUCCEEDED)
    assert set(answers) == {(path, 200) for path in VISITED}
