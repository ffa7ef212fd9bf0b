import asyncio
import logging
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from broker.content.live_content import SWITCH_SECONDS, LiveContent
from broker.content.snapshot.snapshot_folder import snapshot_folder, write_snapshot
from broker.content.source import content_store, content_version, publish_embedded, write_lender_list
from broker.content.store import SiteContent
from broker.lenders.directory import LenderDirectory
from broker.lenders.lender import KnownLender
from broker.settings import Settings
from tests.unit.content.wordpress.answering import API, snapshot
from tools.project import Project

DATA = Project().root / "data"
FOUND = snapshot()[0]


class Worker:
    """A worker's content, and the times that it waited before it used a new one."""

    def __init__(self, settings: Settings, *, late: float = 0.0) -> None:
        version = content_version(settings)
        self.store, self.directory, self.waited = content_store(settings), LenderDirectory(()), list[float]()
        self.meanwhile: Callable[[], object] = lambda: None
        self.content = LiveContent(
            settings,
            self.store,
            self.directory,
            version=version,
            lenders=_lenders,
            sleep=self._sleep,
            clock=lambda: content_version(settings).at + late,
        )

    def check(self) -> bool:
        return asyncio.run(self.content.check())

    def slugs(self) -> list[str]:
        return [guide.url for guide in self.store.guides()]

    async def _sleep(self, seconds: float) -> None:
        self.waited.append(seconds)
        self.meanwhile()


def _lenders(content: SiteContent) -> list[KnownLender]:
    return [KnownLender(lender_id=1, name=content.site.name, slug="one", kind="")]


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(state_dir=tmp_path, data_dir=DATA, api_url=API)


def test_new_snapshot_is_used_whole_and_once(settings: Settings) -> None:
    worker = Worker(settings)
    assert not worker.check()
    write_snapshot(snapshot_folder(settings), FOUND, files={})
    assert worker.check()
    assert worker.slugs() == [guide.url for guide in FOUND.guides]
    assert [lender.slug for lender in worker.directory.lenders] == ["one"]
    first = worker.store.content
    assert (worker.check(), worker.store.content is first) == (False, True)
    write_snapshot(snapshot_folder(settings), replace(FOUND, guides=FOUND.guides[1:]), files={})
    assert (worker.check(), len(worker.slugs())) == (True, len(FOUND.guides) - 1)


def test_all_workers_use_new_content_at_one_moment(settings: Settings) -> None:
    workers = [Worker(settings, late=late) for late in (0.0, 0.5, 2.5, -3_600)]
    write_snapshot(snapshot_folder(settings), FOUND, files={})
    for worker in workers:
        assert worker.check()
    assert [worker.waited for worker in workers] == [[SWITCH_SECONDS], [1.0], [0.0], [SWITCH_SECONDS]]


def test_snapshot_that_is_replaced_before_its_moment_is_not_used(settings: Settings) -> None:
    worker, folder = Worker(settings), snapshot_folder(settings)
    write_snapshot(folder, replace(FOUND, guides=()), files={})
    worker.meanwhile = lambda: write_snapshot(folder, FOUND, files={})
    before = worker.slugs()
    assert (worker.check(), worker.slugs()) == (False, before)
    worker.meanwhile = lambda: None
    assert (worker.check(), len(worker.slugs())) == (True, len(FOUND.guides))


@pytest.mark.parametrize("fault", ["{", "{}", '{"source": 1}', None])
def test_snapshot_that_cannot_be_read_is_left_until_the_next(
    settings: Settings, fault: str | None, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING, logger="broker")
    folder = snapshot_folder(settings)
    write_snapshot(folder, FOUND, files={})
    worker = Worker(settings)
    before = worker.store.content
    version = write_snapshot(folder, replace(FOUND, guides=()), files={})
    if fault is None:
        (version / "snapshot.json").unlink()
        (version / "snapshot.json").symlink_to("snapshot.json")
    else:
        (version / "snapshot.json").write_text(fault)
    assert (worker.check(), worker.store.content is before) == (False, True)
    assert (worker.check(), len(caplog.messages)) == (False, 1)
    assert "the previous one is kept" in caplog.text
    write_snapshot(folder, replace(FOUND, guides=FOUND.guides[1:]), files={})
    assert (worker.check(), len(worker.slugs())) == (True, len(FOUND.guides) - 1)


def test_lenders_of_the_feed_and_published_files_are_new_content_too(tmp_path: Path) -> None:
    shutil.copytree(DATA / "content", tmp_path / "data" / "content")
    settings = Settings(state_dir=tmp_path / "state", data_dir=tmp_path / "data")
    worker = Worker(settings)
    assert publish_embedded(settings)
    assert worker.check()
    assert not publish_embedded(settings)
    guides = tmp_path / "data" / "content" / "guides"
    (guides / "what-is-ltv.md").unlink()
    assert not worker.check()
    for file in (*guides.glob("*.md"), guides.parent / "glossary.md"):
        file.write_text(file.read_text().replace("what-is-ltv", "how-much-can-i-borrow"))
    assert publish_embedded(settings)
    assert (worker.check(), "what-is-ltv" in worker.slugs()) == (True, False)
    write_lender_list(settings, {7: "Harbour"})
    assert worker.check()
