"""The flows of the questionnaire: the current one, and those that unfinished journeys began with (decision 49).

The current flow is the last one without faults from the content service, else the program's own. Every flow that was
current is stored in `BROKER_STATE_DIR` for as long as a journey may need it, for all workers.
"""

import asyncio
import logging
import os
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager, suppress
from datetime import datetime, timedelta
from pathlib import Path

from broker.background import Refresh, in_background, refresh_periodically
from broker.clock import utc_now
from broker.duties.retention_rules import JOURNEY_TIME
from broker.questionnaire.check import load_flow
from broker.questionnaire.flow import Fault, Flow, FlowError, Step
from broker.questionnaire.forms import is_outdated
from broker.rates.product import RatesError
from broker.settings import Settings

RETENTION = JOURNEY_TIME
"""Time for which answers are stored after the last of them, and for which a link to them works (decision 35)."""

_FIRST_FETCH_SECONDS = 2.0
"""Time from the server's start to the first request to the content service (specification 9)."""

_MAX_IN_MEMORY = 50
"""Flows; others are read from their files again."""

_CURRENT = "current"
"""The file with the name of the current flow."""

_NAME = re.compile(r"[0-9a-f]{12}")

log = logging.getLogger(__name__)


class FlowRefusedError(RatesError):
    """The content service's questionnaire has faults, so it is not used."""


class QuestionnaireFiles:
    """JSON texts of flows in files by name; writes are atomic.

    A flow is named by its text, so workers that write a file at once write the same.
    """

    def __init__(self, settings: Settings) -> None:
        self._folder = settings.state_dir / "questionnaire"

    def read(self, name: str) -> str:
        """Return the text of a flow; empty if its file is missing or cannot be read."""
        return _read(self._folder / f"{name}.json") if _NAME.fullmatch(name) else ""

    def current(self) -> str:
        """Return the name of the current flow; empty before there is one."""
        return _read(self._folder / _CURRENT)

    def write(self, name: str, text: str) -> None:
        """Store a flow that is not stored yet; raises OSError."""
        if not (self._folder / f"{name}.json").exists():
            _write(self._folder / f"{name}.json", text)

    def write_current(self, name: str) -> None:
        """Store the name of the current flow; raises OSError."""
        _write(self._folder / _CURRENT, name)

    def keep_used(self, names: Iterable[str], *, now: datetime, kept_for: timedelta) -> None:
        """Mark the files of flows as used now, and delete those that were last used longer ago than `kept_for`."""
        for name in filter(_NAME.fullmatch, names):
            with suppress(OSError):
                os.utime(self._folder / f"{name}.json", (now.timestamp(), now.timestamp()))
        for file in self._folder.glob("*.json"):
            with suppress(OSError):
                if file.stat().st_mtime < (now - kept_for).timestamp():
                    file.unlink()


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except FileNotFoundError:
        return ""
    except (OSError, ValueError) as error:
        log.warning("%s is ignored: %s", file, error)
        return ""


def _write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    part = file.with_name(f"{file.name}.{os.getpid()}")
    part.write_text(text, encoding="utf-8")
    part.replace(file)


class QuestionnaireFlows:
    """Flows by name; `built` is the one that pages are compiled for.

    `fetch` returns the text of the content service's questionnaire or raises RatesError; None for no such service.
    `faults` are those of its last response.
    """

    def __init__(
        self,
        built: Flow,
        *,
        text: str = "",
        files: QuestionnaireFiles | None = None,
        fetch: Callable[[], Awaitable[str]] | None = None,
        clock: Callable[[], datetime] = utc_now,
    ) -> None:
        """`built` has the `text`; without `files` no flow outlives the process."""
        self.built = self.current = built
        self.faults: tuple[Fault, ...] = ()
        self.refreshing = Refresh(self._refresh, clock=clock)
        self._text, self._files, self._fetch, self._clock = text, files, fetch, clock
        self._held, self._used = {built.name: built}, {built.name}

    @property
    def is_live(self) -> bool:
        return self._fetch is not None

    @asynccontextmanager
    async def running(self, *, every: timedelta) -> AsyncIterator[None]:
        """Use the last flow of the content service, and fetch newer ones while the server runs."""
        if self._files:
            await asyncio.to_thread(self._write, self._files, self.built.name, self._text)
            self.current = self.named(self._files.current()) if self.is_live else self.built
        read, after = self.refreshing.read, _FIRST_FETCH_SECONDS
        async with in_background(refresh_periodically("questionnaire", read, every=every, after=after)):
            yield

    def named(self, name: str) -> Flow:
        """Return the flow of a name, or the current one if it is no longer stored.

        Journeys of earlier versions of the program have no name: they began with the program's own flow.
        """
        if not name:
            return self.built
        if name not in self._held and (flow := self._read(name)):
            if len(self._held) >= _MAX_IN_MEMORY:
                self._held = {each.name: each for each in (self.built, self.current)}
            self._held[name] = flow
        self._used.add(name)
        return self._held.get(name, self.current)

    def with_question(self, step: str, digest: object) -> Flow:
        """Return the flow with a form's question: the current one, else another worker's or an earlier one."""
        if not digest or self._has(self.current, step, digest):
            return self.current
        latest = self.named(self._files.current() if self._files else "")
        flows = (latest, *self._held.values())
        return next((flow for flow in flows if self._has(flow, step, digest)), self.current)

    def is_compiled(self, step: Step) -> bool:
        """Return whether the compiled page of a step shows this version of it."""
        return self.built.steps.get(step.id) == step

    def _has(self, flow: Flow, step: str, digest: object) -> bool:
        return step in flow.steps and not is_outdated(digest, flow.steps[step])

    async def _refresh(self) -> int:
        """Fetch the flow, use it if it has no faults, and delete unused files; raises RatesError."""
        try:
            if self._fetch:
                await self._use(await self._fetch())
        finally:
            used, self._used = self._used, {self.built.name, self.current.name}
            if self._files:
                keep, kept_for = self._files.keep_used, RETENTION + timedelta(days=1)
                await asyncio.to_thread(keep, used | self._used, now=self._clock(), kept_for=kept_for)
        return 0

    async def _use(self, text: str) -> None:
        """Make a flow current, or the program's own if both are equal; raises FlowRefusedError."""
        try:
            flow = await asyncio.to_thread(load_flow, text)
        except FlowError as error:
            self.faults = error.faults
            many = "a fault" if len(error.faults) == 1 else f"{len(error.faults)} faults"
            raise FlowRefusedError(f"the questionnaire has {many}, so the one before stays") from error
        if flow.steps == self.built.steps:
            flow, text = self.built, self._text
        self.faults, self.current = (), self._held.setdefault(flow.name, flow)
        if self._files:
            await asyncio.to_thread(self._write, self._files, flow.name, text, is_current=True)

    def _write(self, files: QuestionnaireFiles, name: str, text: str, *, is_current: bool = False) -> None:
        try:
            files.write(name, text)
            if is_current:
                files.write_current(name)
        except OSError as error:
            log.warning("the questionnaire cannot be kept for a restart: %s", error)

    def _read(self, name: str) -> Flow | None:
        text = self._files.read(name) if self._files else ""
        try:
            return load_flow(text) if text else None
        except FlowError as error:
            log.warning("the questionnaire %s cannot be read any more: %s", name, error)
            return None
