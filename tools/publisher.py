"""Publish by itself what editors changed, beside a server: `tools.publish` as a process, one at a time.

The server writes the last change into `BROKER_STATE_DIR`. The process beside it looks at that file, waits until no
further change comes, and writes what came of it for staff. Of several over one `BROKER_STATE_DIR` the one that holds a
lock does this, and another goes on once it has ended. Every `BROKER_RATES_MINUTES` it copies the
content without having been told, and builds nothing: a site without the webhook is fresh too. The first copy is made by
`make publish`.
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

from broker.content.publish_requests import COPY_OUTPUT, OUTPUT, PUBLISHER_LOCK, PublishingFiles
from broker.content.publishing import RETRY_AFTER, ContentChange, PublishResult, PublishRun, is_due, is_retried
from broker.content.snapshot.snapshot_folder import has_snapshot, read_report, snapshot_folder
from broker.settings import Settings
from broker.storage.signed_tokens import utc_now
from tools.project import Project

LOOK_SECONDS = 0.25
"""Time between two looks."""

LONGEST = timedelta(minutes=15)
"""Time after which a publish is ended: nothing that it waits for will come."""

PUBLISH = ("-m", "tools.publish")
COPY = "--content"
"""Given to that command, it copies the content alone."""

MAX_REASON_LENGTH = 2_000


def publish_until_end(server: subprocess.Popen[bytes], project: Project, *, settings: Settings) -> int:
    """Look for changes of the content until the server's process ends, and return its code."""
    problem, turn = "", _Turn(project, settings)
    try:
        while True:
            try:
                return server.wait(timeout=LOOK_SECONDS)
            except subprocess.TimeoutExpired:
                before, problem = problem, _problem(turn)
            if problem not in ("", before):
                print(f"What editors save is not published at the moment: {problem}", flush=True)
    finally:
        turn.stop()


def _problem(turn: _Turn) -> str:
    """Look for changes, and return what kept it from that; empty for nothing."""
    try:
        turn.look()
    except OSError as error:
        return str(error)
    return ""


class _Turn:
    """The publisher of this process, from when it holds the lock of the folder."""

    def __init__(self, project: Project, settings: Settings) -> None:
        self._project, self._settings = project, settings
        self._lock: TextIO | None = None
        self._publisher: Publisher | None = None

    def look(self) -> None:
        """Have the publisher look, if this process holds the lock; raises OSError."""
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
        """End what is under way, and give the lock back."""
        if self._publisher:
            self._publisher.stop()
        if self._lock:
            self._lock.close()


class Publisher:
    """Starts a publish when it is due, and records what came of it; `command` is what Python runs."""

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
        if self._run and self._run.finished is None:  # the publisher before this one was ended in the middle
            self._run = None

    def look(self) -> None:
        """Start a publish that is due, or record one that has ended; raises OSError."""
        now = self._clock()
        if self._process:
            self._look_at_process(self._process, now)
            return
        change = self._files.change() if self._settings.content_hook_secrets else None
        if change and self._is_due(change, now):
            self._start(change, now)
        elif self._settings.api_url and has_snapshot(snapshot_folder(self._settings)):
            self._copy_periodically(now)

    def stop(self) -> None:
        """End what is under way; the next publisher begins a publish again."""
        for process in filter(None, (self._process, self._copy)):
            self._end(process)

    def _copy_periodically(self, now: datetime) -> None:
        """Start a copy that is due; it writes for staff what came of it itself, and waits for a publish under way."""
        if self._copy and self._copy.poll() is None:
            if now - self._copied >= LONGEST:
                self._end(self._copy)
        elif not timedelta() <= now - self._copied < timedelta(minutes=self._settings.rates_minutes):
            self._copied, self._copy = now, self._started(COPY)

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
        self._process = self._started()
        self._copied, self._run, self._first = now, run, None

    def _started(self, *arguments: str) -> subprocess.Popen[bytes]:
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

    def _look_at_process(self, process: subprocess.Popen[bytes], now: datetime) -> None:
        code, run = process.poll(), self._files.run() or self._run
        if run is None or (code is None and now - run.started < LONGEST):
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
        """Return why a publish failed: the first reason to refuse the content, or the last line of its output."""
        report = read_report(snapshot_folder(self._settings)) if self._settings.api_url else None
        if report and report.at >= run.started and not report.is_taken and report.faults:
            first = report.faults[0]
            return PublishResult.REFUSED, f"{first.item}: {first.words}"[:MAX_REASON_LENGTH]
        if code is None:
            return PublishResult.FAILED, f"It took longer than {LONGEST.total_seconds() / 60:.0f} minutes"
        lines = (self._files.folder / OUTPUT).read_text("utf-8", errors="replace").split("\n")
        last = next((line.strip() for line in reversed(lines) if line.strip()), f"It ended with code {code}")
        return PublishResult.FAILED, last[:MAX_REASON_LENGTH]

    def _end(self, process: subprocess.Popen[bytes]) -> None:
        """End a publish with the processes that it started."""
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGTERM)
        try:
            process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
