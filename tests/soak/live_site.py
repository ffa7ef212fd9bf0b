"""A site that is edited and published again and again while calls of its content service and its feed fail."""

import os
import random
import re
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from multiprocessing.managers import BaseManager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx

from broker import routes
from broker.content.live_content import SWITCH_SECONDS
from broker.content.publish_requests import PublishingFiles
from broker.content.publishing import PublishResult, PublishRun, PublishStep
from broker.content.snapshot.snapshot_folder import read_snapshot, snapshot_folder
from broker.content.source import content_version
from broker.server.content_hook import HEADER, sign
from broker.server.export.finish import pages
from broker.server.releases import Release, current_release
from broker.server.site_files import SITEMAP
from broker.settings import Settings, read_settings
from tests.soak.edited_content import GUIDE, LENDER, Content
from tests.soak.editor import LENDERS, Editor, Seen, allows
from tests.soak.faults import CONTENT_CALLS, RATES_CALLS, any_fault
from tests.soak.live_world import World
from tests.standin import Standin
from tools.project import Project
from tools.server import Server, free_port

MANY = 5
"""Every so many publishes many pages are removed at once, and every third is copied while no call of it fails."""

PATIENCE, CONTENT_SECONDS = 30, 2
"""Seconds in which a server takes a release; those after its moment in which it has new content."""

EDIT_SECONDS = 15
"""Seconds after a publish for which edits are waited for that nobody saw yet."""

SECRET = "a secret of the soak's webhook in letters"
PUBLISHED = "Published in"
"""How the last line of a publish begins."""

PAUSE = 10
"""Seconds after a publish that failed."""


class Service:
    """The content service and the feed, in a process of their own."""

    def __init__(self) -> None:
        self._standin = Standin()
        self._standin.start()
        self._standin.rename(LENDERS)

    def url(self) -> str:
        return self._standin.url

    def edit(self, content: Content) -> None:
        self._standin.edit(content.edit)

    def switch(self, way: str = "ok", call: str = "") -> None:
        self._standin.switch(way, only=call)


class Services(BaseManager):
    """The manager of that process."""


Services.register("Service", Service)


@dataclass(slots=True, kw_only=True)
class Site:
    """A site that is edited and published: `quiet` is set while no call of the content may fail."""

    project: Project
    settings: dict[str, str]
    service: Any
    world: World
    editor: Editor
    quiet: threading.Event = field(default_factory=threading.Event)
    over: threading.Event = field(default_factory=threading.Event)
    server: Server | None = None

    @property
    def releases(self) -> Path:
        return Path(self.settings["BROKER_RELEASES_DIR"])

    def read_settings(self) -> Settings:
        return read_settings({**os.environ, **self.settings})

    def release(self) -> Release:
        release = current_release(self.releases)
        assert release
        return release


def publish(project: Project, settings: dict[str, str], *arguments: str) -> list[str]:
    """Publish as `make publish` does, and return what was said."""
    command = [str(project.python), "-m", "tools.publish", *arguments]
    environment = {**os.environ, **settings}
    done = subprocess.run(
        command,
        cwd=project.root,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return [line.rstrip() for line in done.stdout.splitlines() if line.strip()]


@contextmanager
def serving(project: Project, settings: dict[str, str], log: Path) -> Iterator[Server]:
    """Serve as `make serve` does, which publishes what the content service reports."""
    port = free_port()
    command = [str(project.python), "-m", "tools.serve"]
    with log.open("wb") as output:
        process = subprocess.Popen(
            command,
            cwd=project.root,
            env={**os.environ, **settings, "PORT": str(port)},
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    server = Server(url=f"http://localhost:{port}", process=process, log=log)
    try:
        while not _answers(server):
            assert process.poll() is None, server.said()
            time.sleep(0.1)
        yield server
    finally:
        server.stop()


def _answers(server: Server) -> bool:
    try:
        return httpx.get(f"{server.url}{routes.PING}").status_code == 200
    except httpx.TransportError:
        return False


def record_first_release(site: Site) -> None:
    """Take the pages of the first release for those that stay, each with its status and its number of deals."""
    record_release(site)
    with client_of(site) as client:
        listed = {urlsplit(each).path for each in re.findall("<loc>(.*?)</loc>", client.get(SITEMAP).text)}
        others = {*pages(site.release().client), *listed} - set(site.world.ledger.published)
        answers = {path: client.get(path) for path in sorted(others)}
    deals = {path: answer.text.count("data-product=") for path, answer in answers.items()}
    site.world.static = {path: answer.status_code for path, answer in answers.items()}
    site.world.deals = {path: number for path, number in deals.items() if number}


def record_release(site: Site) -> None:
    """Take the pages of the current release and of the current content for published."""
    content = read_snapshot(snapshot_folder(site.read_settings()))
    site.world.compiled = frozenset(pages(site.release().client))
    site.world.ledger.publish([*site.world.compiled, *content.live_paths()])


def client_of(site: Site) -> httpx.Client:
    assert site.server
    return httpx.Client(base_url=site.server.url.replace("localhost", "127.0.0.1"), timeout=30)


@contextmanager
def faults(site: Site, seed: int) -> Iterator[None]:
    """Have one call at a time fail for 5 to 40 seconds while the context is open."""
    chance = random.Random(seed)

    def fail() -> None:
        while not site.over.wait(chance.uniform(3, 15)):
            fault = any_fault(chance, RATES_CALLS if site.quiet.is_set() else CONTENT_CALLS + RATES_CALLS)
            site.world.faults.append(fault)
            site.service.switch(fault.way, fault.call)
            until = time.monotonic() + chance.uniform(5, 40)
            while time.monotonic() < until and not site.over.wait(0.5):
                if site.quiet.is_set() and fault.call in CONTENT_CALLS:
                    break
            site.service.switch()
            fault.ended = time.monotonic()

    thread = threading.Thread(target=fail)
    thread.start()
    try:
        yield
    finally:
        site.over.set()
        thread.join()


def edit_and_publish(site: Site, turn: int) -> None:
    """Edit a few things, report them as the content service does, and look at every page once they are published."""
    before = site.world.ledger.now
    for _ in range(site.editor.chance.randint(3, 8)):
        site.editor.edit()
    if turn % MANY == MANY - 1:
        site.editor.remove_many()
    version = site.editor.new_rates()
    site.service.edit(site.world.ledger.now)
    site.world.new_rates(version)
    with quiet(site, is_quiet=turn % 3 == 0), watching_edits(site, before):
        run = published(site)
    if run.result is PublishResult.REFUSED and "--accept-removals" in run.reason:
        site.world.publishes["asked for --accept-removals"] += 1
        if not site.world.ledger.may_be_refused():
            site.world.violated("a publish was refused without a cause", run.reason)
        with quiet(site, is_quiet=True):
            said = publish(site.project, site.settings, "--accept-removals")
        if not said[-1].startswith(PUBLISHED):
            site.world.violated("a publish failed", " | ".join(said)[-1_500:])
    elif run.result is not PublishResult.SUCCEEDED:
        site.world.publishes["failed"] += 1
        site.world.violated("a publish failed", run.reason)
        time.sleep(PAUSE)
        return
    is_whole = was_whole(site, run.started)
    site.world.publishes["copied whole" if is_whole else "copied while a call failed"] += 1
    settle(site, whole=is_whole)


@contextmanager
def quiet(site: Site, *, is_quiet: bool) -> Iterator[None]:
    """Let no call of the content fail while the context is open."""
    if is_quiet:
        site.quiet.set()
        time.sleep(2)
    try:
        yield
    finally:
        site.quiet.clear()


def published(site: Site) -> PublishRun:
    """Report a change with a signed message, and return what became of its publishing."""
    files, body = PublishingFiles(site.read_settings()), b'{"post":7}'
    with client_of(site) as client:
        header = {HEADER: sign(SECRET, body, at=int(time.time()))}
        reported, answer = time.time(), client.post(routes.CONTENT_HOOK, content=body, headers=header)
    if answer.status_code != 202:
        site.world.violated(f"the message of a change is answered {answer.status_code}", routes.CONTENT_HOOK)
    while True:
        run = files.run()
        if run and run.finished and run.change.at.timestamp() >= reported - 1:
            site.world.publish_times.append((run.finished - run.started).total_seconds())
            site.world.publishes["with a build" if run.step is PublishStep.PAGES else "without a build"] += 1
            return run
        time.sleep(0.2)


@contextmanager
def watching_edits(site: Site, before: Content) -> Iterator[None]:
    """Note how long after the context was opened a visitor sees each edit; one whose copy failed is not counted."""
    over = threading.Event()
    thread = threading.Thread(target=_watch_edits, args=(site, before, over))
    thread.start()
    try:
        yield
    finally:
        thread.join(EDIT_SECONDS)
        over.set()
        thread.join()


def _watch_edits(site: Site, before: Content, over: threading.Event) -> None:
    now, published, began = site.world.ledger.now, site.world.ledger.published, time.monotonic()
    items = {**before.live(), **now.live()}
    changed = {path for path in items if before.live().get(path) != now.live().get(path)}
    waiting = {path for path in changed if path in published or path in now.live()}
    with client_of(site) as client:
        while waiting and not over.wait(0.2):
            for path in sorted(waiting):
                seen = seen_at(client, path)
                if allows(seen, now, published) and not allows(seen, before, published):
                    kind = "data" if items[path].kind in (GUIDE, LENDER) else "compiled"
                    site.world.seen_after[kind].append(time.monotonic() - began)
                    waiting.discard(path)


def seen_at(client: httpx.Client, path: str) -> Seen:
    answer = client.get(path)
    return Seen(path=path, status=answer.status_code, location=answer.headers.get("location", ""), text=answer.text)


def was_whole(site: Site, started: datetime) -> bool:
    """Return whether no call failed while the content was copied."""
    copied = content_version(site.read_settings()).at
    began, ended = (time.monotonic() - time.time() + each for each in (started.timestamp(), copied))
    return not any(each.call in CONTENT_CALLS and each.covers(began, max(began, ended)) for each in site.world.faults)


def settle(site: Site, *, whole: bool) -> None:
    """Wait until the server has the new release and the new content, and judge every page of it."""
    release, deadline = site.release(), time.monotonic() + PATIENCE
    with client_of(site) as client:
        while client.get("/health").json()["release"]["name"] != release.folder.name:
            if time.monotonic() > deadline:
                site.world.violated("a release was not taken", release.folder.name)
                break
            time.sleep(0.5)
        since = time.time() - content_version(site.read_settings()).at
        time.sleep(max(0.0, SWITCH_SECONDS + CONTENT_SECONDS - since))
        record_release(site)
        site.world.ledger.copied(whole=whole)
        for path in {*site.world.ledger.published, *site.world.ledger.now.live(), *site.world.static}:
            begun = site.world.moment()
            site.world.check_page(seen_at(client, path), begun)
