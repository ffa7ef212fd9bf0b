"""Copy the content, and build the pages if their content has changed: `make publish`.

A running server serves new content within seconds, and a new release within a second of its build, without a lost
request. After a failure it serves what it had.
"""

import argparse
import fcntl
import os
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from broker.content import sync
from broker.content.errors import ContentError
from broker.content.publish_requests import PUBLISH_LOCK, PublishingFiles
from broker.content.publishing import PublishStep
from broker.content.source import content_store, publish_embedded
from broker.markup import parse_page
from broker.server.export.finish import pages
from broker.server.releases import Release, current_release
from broker.settings import Settings
from tools.build import build, read_feed_lenders
from tools.environment import say
from tools.project import Project, ToolError, load_settings, run_tool

NICENESS = 10
"""Niceness of a publish, so that the server beside it comes first."""

_TIME = re.compile(r"\d{1,2}:\d{2}(?: on \d{1,2} [A-Z][a-z]+ \d{4})?")
_WORDS = "//text()[not(parent::script or parent::style)]"


def main() -> None:
    """Publish this checkout; raises ToolError if nothing could be published."""
    parser = argparse.ArgumentParser(prog="make publish ARGS=", description=__doc__)
    parser.add_argument("--accept-removals", action="store_true", help="let pages go, however many they are")
    parser.add_argument("--content", action="store_true", help="copy the content alone, and build no page")
    options = parser.parse_args()
    os.nice(NICENESS)
    settings = load_settings()
    with publishing_lock(settings):
        started = time.monotonic()
        _publish_content(settings, accept_removals=options.accept_removals)
        if not options.content:
            _publish_pages(Project(), settings, started)


def _publish_content(settings: Settings, *, accept_removals: bool) -> None:
    read_feed_lenders(settings, accept_removals=accept_removals)
    if settings.api_url:
        _sync(settings, accept_removals=accept_removals)
    try:
        content_store(settings)
        publish_embedded(settings)
    except (ContentError, OSError) as error:
        raise ToolError(f"Nothing was published: {error}") from error
    print("The content is published: a running server shows it within seconds.")


def _publish_pages(project: Project, settings: Settings, started: float) -> None:
    before = current_release(settings.releases_dir)
    build(project, on_start=lambda: PublishingFiles(settings).begin_step(PublishStep.PAGES))
    after = current_release(settings.releases_dir)
    is_built = not (before and after and before.folder == after.folder)
    for line in changed_lines(before, after) if is_built else ():
        print(line)
    pages = "and pages were built from it" if is_built else "and no page had to be built"
    print(f"Published in {time.monotonic() - started:.0f} seconds: the content is served, {pages}.")


@contextmanager
def publishing_lock(settings: Settings) -> Iterator[None]:
    """Hold the lock of publishing, so that publishes by webhook and terminal run one after another.

    Raises ToolError if the state folder cannot be written.
    """
    folder = PublishingFiles(settings).folder
    try:
        folder.mkdir(parents=True, exist_ok=True)
        opened = (folder / PUBLISH_LOCK).open("w")
    except OSError as error:
        raise ToolError(f"Nothing was published: {error.filename} cannot be written ({error.strerror}).") from error
    with opened as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("Another publish is under way: waiting until it is done")
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _sync(settings: Settings, *, accept_removals: bool) -> None:
    say(f"Copying the content of {settings.api_url}")
    if sync.main(["--accept-removals"] if accept_removals else []):
        raise ToolError("Nothing was published: the content could not be copied.")


def changed_lines(before: Release | None, after: Release | None) -> list[str]:
    """Return a line for each page that is new, gone or changed, and one for changed menus or footers."""
    old, new = _texts(before), _texts(after)
    added = [f"new: {path}" for path in new if path not in old]
    removed = [f"gone: {path}" for path in old if path not in new]
    both = [path for path in new if path in old]
    framed = [path for path in both if old[path].frame != new[path].frame]
    frame = [f"changed: the menus or the foot of {len(framed)} pages"] if framed else []
    return [*added, *removed, *frame, *(f"changed: {path}" for path in both if old[path].main != new[path].main)]


@dataclass(frozen=True, slots=True, kw_only=True)
class PageWords:
    """The text of a page: of its main element, and of the frame around it."""

    main: str
    frame: str


def _texts(release: Release | None) -> dict[str, PageWords]:
    """Return the text of each page of a release by path."""
    if release is None:
        return {}
    return {path: _words(file.read_text("utf-8")) for path, file in pages(release.client).items()}


def _words(html: str) -> PageWords:
    """Return the text of a page without times of rates, which differ in every build."""
    page = parse_page(html)
    main = page.xpath(f"//main{_WORDS}")
    frame = page.xpath(f"{_WORDS}[not(ancestor::main)]")
    return PageWords(main=_TIME.sub("", " ".join(main)), frame=" ".join(frame))


if __name__ == "__main__":
    run_tool(main)
