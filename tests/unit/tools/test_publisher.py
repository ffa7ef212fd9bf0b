import fcntl
import subprocess
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from broker.content.publish_requests import COPY_OUTPUT, OUTPUT, PUBLISHER_LOCK, PublishingFiles
from broker.content.publishing import RETRY_AFTER, ContentChange, PublishResult, PublishRun, PublishStep
from broker.content.snapshot.snapshot_folder import snapshot_folder, write_report, write_snapshot
from broker.settings import Settings
from broker.staff.source_health import ContentFault, ContentReport
from tests.unit.content.wordpress.answering import snapshot
from tests.unit.enquiries.enquiring import Calendar
from tools import publisher as publisher_module
from tools.project import Project
from tools.publisher import Publisher, publish_until_end

WRITE = "import sys; open(sys.argv[1], 'a').write('published\\n')"
WAIT = f"{WRITE}; import time; time.sleep(60)"
UNTIL_TOLD = f"{WRITE}; import time, os\nwhile not os.path.exists(sys.argv[1] + '.go'): time.sleep(.01)"
FAIL = f"{WRITE}; print('Building'); sys.exit('\\nThe build stopped.\\n')"


class Bench:
    """A publisher's settings, files and clock, and a count of what it ran."""

    def __init__(self, folder: Path) -> None:
        self.settings = Settings(
            state_dir=folder,
            api_url="https://broker.example/api",
            content_hook_secrets=("a secret of this test's webhook in letters",),
        )
        self.files, self.calendar, self.ran = PublishingFiles(self.settings), Calendar(), folder / "ran"
        self.publishers: list[Publisher] = []

    def publisher(self, code: str = WRITE) -> Publisher:
        made = Publisher(Project(), self.settings, command=("-c", code, str(self.ran)), clock=self.calendar)
        self.publishers.append(made)
        return made

    def change(self, number: int = 0) -> ContentChange:
        change = ContentChange(at=self.calendar.now + timedelta(microseconds=number), by="ada")
        self.files.write_change(change)
        return change

    def count(self) -> int:
        return len(self.ran.read_text().splitlines()) if self.ran.exists() else 0

    def run(self) -> PublishRun:
        run = self.files.run()
        assert run
        return run

    def forward(self, publisher: Publisher, seconds: float) -> None:
        self.calendar.forward(seconds=seconds)
        publisher.look()

    def finish(self, publisher: Publisher) -> PublishRun:
        """Look until the publish under way is recorded as ended."""
        while self.run().finished is None:
            time.sleep(0.01)
            publisher.look()
        return self.run()


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    bench = Bench(tmp_path)
    yield bench
    for publisher in bench.publishers:
        publisher.stop()


def test_changes_of_a_burst_are_published_once_when_it_is_over(bench: Bench) -> None:
    publisher = bench.publisher()
    publisher.look()
    last = bench.change()
    for number in range(1, 4):
        bench.forward(publisher, 9)
        last = bench.change(number)
    publisher.look()
    assert bench.files.run() is None
    bench.forward(publisher, 10)
    assert bench.run() == PublishRun(change=last, started=bench.calendar.now)
    run = bench.finish(publisher)
    assert (run.result, run.reason, bench.count()) == (PublishResult.SUCCEEDED, "", 1)
    bench.forward(publisher, 3_600)
    assert (bench.run(), bench.count()) == (run, 1)


def test_steady_stream_of_changes_is_published_after_a_minute(bench: Bench) -> None:
    publisher = bench.publisher()
    for number in range(12):
        bench.change(number)
        bench.forward(publisher, 5)
    assert bench.files.run() is None
    bench.change(12)
    bench.forward(publisher, 5)
    assert bench.finish(publisher).result is PublishResult.SUCCEEDED


def test_change_during_a_publish_causes_one_more_after_it(bench: Bench) -> None:
    bench.change()
    publisher = bench.publisher(UNTIL_TOLD)
    publisher.look()
    bench.forward(publisher, 10)
    first, last = bench.run(), bench.change()
    for number in range(1, 4):
        last = bench.change(number)
        bench.forward(publisher, 20)
    assert (bench.run(), bench.count() <= 1) == (first, True)
    bench.ran.with_name("ran.go").touch()
    bench.finish(publisher)
    publisher.look()
    bench.forward(publisher, 10)
    assert (bench.finish(publisher).change, bench.count()) == (last, 2)
    bench.forward(publisher, 3_600)
    assert bench.count() == 2


def test_failed_publish_has_its_reason_and_is_tried_again(bench: Bench) -> None:
    bench.change()
    publisher = bench.publisher(FAIL)
    publisher.look()
    bench.forward(publisher, 10)
    for number, wait in enumerate(RETRY_AFTER, start=1):
        run = bench.finish(publisher)
        assert (run.result, run.reason, bench.count()) == (PublishResult.FAILED, "The build stopped.", number)
        assert run.retry_at == bench.calendar.now + wait
        bench.forward(publisher, wait.total_seconds() - 1)
        assert bench.run() == run
        bench.forward(publisher, 1)
    assert bench.finish(publisher).retry_at is None
    bench.forward(publisher, 86_400)
    assert bench.count() == len(RETRY_AFTER) + 1
    bench.change(1)
    publisher.look()
    bench.forward(publisher, 10)
    assert bench.finish(publisher).retry_at is not None


def test_whether_pages_were_built_is_recorded(bench: Bench) -> None:
    bench.change()
    publisher = bench.publisher(UNTIL_TOLD)
    publisher.look()
    bench.forward(publisher, 10)
    assert bench.run().step is PublishStep.CONTENT
    bench.files.begin_step(PublishStep.PAGES)
    publisher.look()
    assert (bench.run().step, bench.run().finished) == (PublishStep.PAGES, None)
    bench.ran.with_name("ran.go").touch()
    run = bench.finish(publisher)
    assert (run.step, run.result) == (PublishStep.PAGES, PublishResult.SUCCEEDED)
    bench.files.begin_step(PublishStep.CONTENT)
    assert bench.run() == run


def test_content_is_copied_periodically_once_there_is_a_snapshot(bench: Bench) -> None:
    publisher = bench.publisher(f"{WRITE}; print(sys.argv[2:])")
    bench.forward(publisher, 599)
    bench.forward(publisher, 1)
    assert bench.count() == 0
    write_snapshot(snapshot_folder(bench.settings), snapshot()[0], files={})
    publisher.look()
    while bench.count() < 1:
        time.sleep(0.01)
    assert bench.files.run() is None
    bench.change()
    publisher.look()
    bench.forward(publisher, 10)
    bench.finish(publisher)
    bench.forward(publisher, 590)
    assert bench.count() == 2
    bench.forward(publisher, 10)
    while bench.count() < 3:
        time.sleep(0.01)
    assert (bench.files.folder / COPY_OUTPUT).exists()


def test_refused_content_is_the_reason(bench: Bench) -> None:
    bench.change()
    publisher = bench.publisher("import sys; sys.exit(1)")
    publisher.look()
    bench.forward(publisher, 10)
    faults = (ContentFault(item="guide pages", words="3 of 13 would go"), ContentFault(item="b", words="c"))
    report = ContentReport(at=bench.calendar.now, is_taken=False, faults=faults)
    write_report(snapshot_folder(bench.settings), report)
    run = bench.finish(publisher)
    assert (run.result, run.reason) == (PublishResult.REFUSED, "guide pages: 3 of 13 would go")
    write_report(snapshot_folder(bench.settings), replace(report, at=report.at - timedelta(days=1)))
    bench.forward(publisher, 60)
    run = bench.finish(publisher)
    assert (run.result, run.reason) == (PublishResult.FAILED, "It ended with code 1")


def test_publish_that_hangs_is_ended(bench: Bench) -> None:
    bench.change()
    publisher = bench.publisher(WAIT)
    publisher.look()
    bench.forward(publisher, 10)
    bench.forward(publisher, 899)
    assert bench.run().finished is None
    bench.forward(publisher, 1)
    run = bench.run()
    assert (run.result, run.reason) == (PublishResult.FAILED, "It took longer than 15 minutes")


def test_publish_that_ended_with_the_server_begins_again(bench: Bench) -> None:
    change = bench.change()
    first = bench.publisher(WAIT)
    first.look()
    bench.forward(first, 10)
    first.stop()
    assert bench.run().finished is None
    second = bench.publisher()
    second.look()
    bench.forward(second, 10)
    run = bench.finish(second)
    assert (run.change, run.result) == (change, PublishResult.SUCCEEDED)
    third = bench.publisher()
    third.look()
    bench.forward(third, 3_600)
    assert bench.run() == run


def test_publish_that_cannot_be_recorded_is_not_forgotten(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.change()
    publisher = bench.publisher()
    publisher.look()
    with monkeypatch.context() as patch:
        patch.setattr(publisher_module, "OUTPUT", "not/there/output.log")
        with pytest.raises(OSError, match=r"output\.log"):
            bench.forward(publisher, 10)
    publisher.look()
    assert bench.finish(publisher).result is PublishResult.SUCCEEDED
    assert (bench.files.folder / OUTPUT).read_text() == ""


@pytest.mark.parametrize("is_taken", [True, False], ids=["another server publishes", "no other does"])
def test_one_of_several_servers_publishes(is_taken: bool, bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    looked = []
    monkeypatch.setattr(publisher_module, "Publisher", lambda *_: bench.publisher())
    monkeypatch.setattr(Publisher, "look", lambda _: looked.append(True))
    monkeypatch.setattr(publisher_module, "POLL_SECONDS", 0.01)
    bench.files.folder.mkdir(parents=True)
    with (bench.files.folder / PUBLISHER_LOCK).open("w") as lock:
        if is_taken:
            fcntl.flock(lock, fcntl.LOCK_EX)
        with subprocess.Popen(["sleep", "0.5"]) as server:
            assert publish_until_end(server, Project(), settings=bench.settings) == 0
    assert bool(looked) is not is_taken


def test_server_goes_on_where_its_folder_cannot_be_written(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(publisher_module, "POLL_SECONDS", 0.01)
    bench.files.folder.write_text("not a folder")
    with subprocess.Popen(["sleep", "0.2"]) as server:
        assert publish_until_end(server, Project(), settings=bench.settings) == 0
    assert capsys.readouterr().out.count("is not published at the moment") == 1
