"""Publish editors' changes beside a server: `tools.publish` as a process, one at a time.

The server writes the last change into `BROKER_STATE_DIR`. The publisher polls that file, waits until no further change
follows, runs a publish, and writes its result for staff. Of several over one `BROKER_STATE_DIR`, the holder of a lock
does this. Every `BROKER_RATES_MINUTES` it also copies the content without building, for sites without the webhook. The
first copy is made by `make publish`.
"""

from __future__ import annotations

import fcntl
import os
import signal
import subprocess
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from typing import TextIO

from broker.clock import utc_now
from broker.content.publish_requests import COPY_OUTPUT, OUTPUT, PUBLISHER_LOCK, PublishingFiles
from broker.content.publishing import RETRY_AFTER, ContentChange, PublishResult, PublishRun, is_due, is_retried
from broker.content.snapshot.snapshot_folder import has_snapshot, read_report, snapshot_folder
from broker.settings import Settings
from tools.project import Project

POLL_SECONDS = 0.25

PUBLISH_TIMEOUT = timedelta(minutes=15)

PUBLISH = ("-m", "tools.publish")
COPY = "--content"
"""Argument of that command to copy the content only."""

MAX_REASON_LENGTH = 2_000


def publish_until_end(server: subprocess.Popen[bytes], project: Project, *, settings: Settings) -> int:
    """Publish changes of the content until the server's process ends, and return its code."""
    problem, publisher = "", _LockedPublisher(project, settings)
    try:
        while True:
            try:
                return server.wait(timeout=POLL_SECONDS)
            except subprocess.TimeoutExpired:
                before, problem = problem, _problem(publisher)
            if problem not in ("", before):
                print(f"What editors save is not published at the moment: {problem}", flush=True)
    finally:
        publisher.stop()


def _problem(publisher: _LockedPublisher) -> str:
    """Poll, and return the reason of a failure, if any."""
    try:
        publisher.look()
    except OSError as error:
        return str(error)
    return ""


class _LockedPublisher:
    """A publisher that starts once this process holds the lock of the folder."""

    def __init__(self, project: Project, settings: Settings) -> None:
        self._project, self._settings = project, settings
        self._lock: TextIO | None = None
        self._publisher: Publisher | None = None

    def look(self) -> None:
        """Poll if this process holds the lock; raises OSError."""
        if self._lock is None:
            file = PublishingFiles(self._settings).folder / PUBLISHER_LOCK
            file.parent.mkdir(parents=True, exist_ok=True)
            self._lock = file.open("w")
        if self._publisher is None:
            with suppress(BlockingIOError):
                fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                self._publisher = Publisher(self._project, self._settings)
        if self._publisher:
            self._publisher.look()

    def stop(self) -> None:
        """End running processes, and release the lock."""
        if self._publisher:
            self._publisher.stop()
        if self._lock:
            self._lock.close()


class Publisher:
    """Starts a publish when it is due, and records its result; `command` are Python's arguments."""

    def __init__(
        self,
        project: Project,
        settings: Settings,
        *,
        command: Sequence[str] = PUBLISH,
        clock: Callable[[], datetime] = utc_now,
    ) -> None:
        self._project, self._settings, self._clock = project, settings, clock
        self._command = [str(project.python), *command]
        self._quiet = timedelta(seconds=settings.content_hook_quiet_seconds)
        self._files = PublishingFiles(settings)
        self._first: datetime | None = None
        self._last = clock()
        self._seen: ContentChange | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._copy: subprocess.Popen[bytes] | None = None
        self._copied = clock()
        self._failures = 0
        self._run = self._files.run()
        if self._run and self._run.finished is None:  # interrupted
            self._run = None

    def look(self) -> None:
        """Start a publish that is due, or record one that has ended; raises OSError."""
        now = self._clock()
        if self._process:
            self._check_process(self._process, now)
            return
        change = self._files.change() if self._settings.content_hook_secrets else None
        if change and self._is_due(change, now):
            self._start(change, now)
        elif self._settings.api_url and has_snapshot(snapshot_folder(self._settings)):
            self._copy_periodically(now)

    def stop(self) -> None:
        """End running processes; the next publisher starts an interrupted publish again."""
        for process in filter(None, (self._process, self._copy)):
            self._end(process)

    def _copy_periodically(self, now: datetime) -> None:
        """Start a copy that is due; it records its own result, and waits for a running publish."""
        if self._copy and self._copy.poll() is None:
            if now - self._copied >= PUBLISH_TIMEOUT:
                self._end(self._copy)
        elif not timedelta() <= now - self._copied < timedelta(minutes=self._settings.rates_minutes):
            self._copied, self._copy = now, self._start_process(COPY)

    def _is_due(self, change: ContentChange, now: datetime) -> bool:
        if self._run and self._run.change == change:
            return self._run.retry_at is not None and is_retried(self._run.retry_at, now=now)
        if change != self._seen:
            self._seen, self._last, self._first = change, now, self._first or now
            self._failures = 0
        return is_due(first=self._first or now, last=self._last, now=now, quiet=self._quiet)

    def _start(self, change: ContentChange, now: datetime) -> None:
        run = PublishRun(change=change, started=now)
        self._files.write_run(run)
        self._process = self._start_process()
        self._copied, self._run, self._first = now, run, None

    def _start_process(self, *arguments: str) -> subprocess.Popen[bytes]:
        self._files.folder.mkdir(parents=True, exist_ok=True)
        with (self._files.folder / (COPY_OUTPUT if arguments else OUTPUT)).open("wb") as output:
            return subprocess.Popen(
                [*self._command, *arguments],
                cwd=self._project.root,
                env=self._project.environment(),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def _check_process(self, process: subprocess.Popen[bytes], now: datetime) -> None:
        code, run = process.poll(), self._files.run() or self._run
        if run is None or (code is None and now - run.started < PUBLISH_TIMEOUT):
            return
        if code is None:
            self._end(process)
        self._process = None
        if code == 0:
            self._failures, self._run = 0, replace(run, finished=now, result=PublishResult.SUCCEEDED)
        else:
            result, reason = self._fault(run, code)
            retry_at = now + RETRY_AFTER[self._failures] if self._failures < len(RETRY_AFTER) else None
            self._failures += 1
            self._run = replace(run, finished=now, result=result, reason=reason, retry_at=retry_at)
        self._files.write_run(self._run)

    def _fault(self, run: PublishRun, code: int | None) -> tuple[PublishResult, str]:
        """Return why a publish failed: the first fault of refused content, or the last line of its output."""
        report = read_report(snapshot_folder(self._settings)) if self._settings.api_url else None
        if report and report.at >= run.started and not report.is_taken and report.faults:
            first = report.faults[0]
            return PublishResult.REFUSED, f"{first.item}: {first.words}"[:MAX_REASON_LENGTH]
        if code is None:
            return PublishResult.FAILED, f"It took longer than {PUBLISH_TIMEOUT.total_seconds() / 60:.0f} minutes"
        lines = (self._files.folder / OUTPUT).read_text("utf-8", errors="replace").split("\n")
        last = next((line.strip() for line in reversed(lines) if line.strip()), f"It ended with code {code}")
        return PublishResult.FAILED, last[:MAX_REASON_LENGTH]

    def _end(self, process: subprocess.Popen[bytes]) -> None:
        """End a process and its children."""
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGTERM)
        try:
            process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
