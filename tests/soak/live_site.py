"""A site that is edited and published again and again while calls of its content service and its feed fail."""

import os
import random
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing.managers import BaseManager
from pathlib import Path
from typing import Any

import httpx

from broker.web.export.finish import pages
from broker.web.release_folders import Release, current_release
from tests.soak.edited_content import Content
from tests.soak.editor import LENDERS, Editor, Seen
from tests.soak.faults import CONTENT_CALLS, RATES_CALLS, any_fault
from tests.soak.live_world import World
from tests.standin import Standin
from tools.project import Project
from tools.server import Server

MANY = 5
"""Every so many publishes many pages are removed at once, and every third is copied while no call of it fails."""

PATIENCE = 30
"""Seconds in which a server takes a release."""

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

    def release(self) -> Release:
        release = current_release(self.releases)
        assert release
        return release


def publish(project: Project, settings: dict[str, str], *arguments: str) -> list[str]:
    """Publish, and return what was said, with a line of the time at which the content was copied."""
    command = [str(project.python), "-u", "-m", "tools.publish", *arguments]
    environment = {**os.environ, **settings, "PYTHONUNBUFFERED": "1"}
    lines: list[str] = []
    with subprocess.Popen(
        command, cwd=project.root, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        for line in process.stdout or ():
            if line.startswith("snapshot taken"):
                lines.append(f"copied at {time.monotonic()}")
            lines.append(line.rstrip())
    return [line for line in lines if line]


def record_first_release(site: Site) -> None:
    """Take the pages of the first release for those that stay, each with its status and its number of deals."""
    record_release(site)
    others = set(pages(site.release().client)) - set(site.world.ledger.published)
    with client_of(site) as client:
        answers = {path: client.get(path) for path in sorted(others)}
    deals = {path: answer.text.count("data-product=") for path, answer in answers.items()}
    site.world.static = {path: answer.status_code for path, answer in answers.items()}
    site.world.deals = {path: number for path, number in deals.items() if number}


def record_release(site: Site) -> None:
    """Take the pages of the current release for published."""
    site.world.ledger.publish([*pages(site.release().client)])


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
    """Edit a few things, publish them, and look at every page."""
    for _ in range(site.editor.chance.randint(3, 8)):
        site.editor.edit()
    if turn % MANY == MANY - 1:
        site.editor.remove_many()
    version = site.editor.new_rates()
    site.service.edit(site.world.ledger.now)
    site.world.new_rates(version)
    began, said = copied_and_built(site, is_quiet=turn % 3 == 0)
    if any(line.startswith("unusable") and "--accept-removals" in line for line in said):
        site.world.publishes["asked for --accept-removals"] += 1
        if not site.world.ledger.may_be_refused():
            site.world.violated("a publish was refused without a cause", " | ".join(said)[-900:])
        began, said = copied_and_built(site, "--accept-removals", is_quiet=True)
    if not said[-1].startswith(("Published", "Nothing changed")):
        site.world.publishes["failed"] += 1
        site.world.violated("a publish failed", " | ".join(said)[-1_500:])
        time.sleep(PAUSE)
        return
    is_whole = was_whole(site, began, said)
    site.world.publishes["copied whole" if is_whole else "copied while a call failed"] += 1
    settle(site, whole=is_whole)


def copied_and_built(site: Site, *arguments: str, is_quiet: bool) -> tuple[float, list[str]]:
    """Publish, and return when that began and what was said; while it is quiet no call of the content fails."""
    if is_quiet:
        site.quiet.set()
        time.sleep(2)
    began = time.monotonic()
    said = publish(site.project, site.settings, *arguments)
    site.quiet.clear()
    if said[-1].startswith("Published"):
        site.world.publish_times.append(time.monotonic() - began)
    return began, said


def was_whole(site: Site, began: float, said: list[str]) -> bool:
    """Return whether no call failed while the content was copied."""
    copied = next((float(line.rpartition(" ")[2]) for line in said if line.startswith("copied at")), time.monotonic())
    return not any(each.call in CONTENT_CALLS and each.covers(began, copied) for each in site.world.faults)


def settle(site: Site, *, whole: bool) -> None:
    """Wait until the server has the new release, and judge every page of it."""
    release, deadline = site.release(), time.monotonic() + PATIENCE
    with client_of(site) as client:
        while client.get("/health").json()["release"]["name"] != release.folder.name:
            if time.monotonic() > deadline:
                site.world.violated("a release was not taken", release.folder.name)
                break
            time.sleep(0.5)
        record_release(site)
        site.world.ledger.copied(whole=whole)
        for path in {*site.world.ledger.published, *site.world.ledger.now.live(), *site.world.static}:
            begun, answer = site.world.moment(), client.get(path)
            location = answer.headers.get("location", "")
            seen = Seen(path=path, status=answer.status_code, location=location, text=answer.text)
            site.world.check_page(seen, begun)
