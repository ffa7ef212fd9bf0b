"""What keeps forged and endless socket events away from the handlers and out of the log.

Every public method of a state can be called by anybody over the socket, with any name and any argument. `EventLimit`
drops what comes too fast; `OneLine` makes one short line, without what the sender wrote, of each refusal that would
otherwise be logged as a traceback with the visitor's headers, and stops after a few of a kind.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from pathlib import Path
from time import monotonic

import reflex as rx
from reflex.state import BaseState, StateUpdate

MAX_PER_SECOND = 30
"""Events of one browser tab that are handled in a second; a drag or a held key stays far below."""

MAX_TABS = 10_000
"""Tabs that are counted at a time; beyond it the ones that have been quiet are forgotten."""

MAX_LINES = 5
WINDOW = 60.0
"""Seconds in which at most MAX_LINES lines of a kind are logged."""

LOGGERS = (
    "reflex_base.event.processor.event_processor",
    "reflex_base.event.processor.base_state_processor",
    "reflex_base.vars.base",
    "reflex.app",
    "reflex.state",
    "engineio.server",
    "socketio.server",
)
"""The loggers that write what a sender sent."""

KINDS = (
    (re.compile(r"^Error processing event queue entry"), "A socket event of an unknown name was refused"),
    (
        re.compile(r"^Error transforming event payload for handler (?P<told>[\w.<>]+)"),
        "A socket event had arguments of the wrong type",
    ),
    (
        re.compile(r"^Expected field '(?P<told>[\w.]+)' to receive type"),
        "A cookie held what is no text",
    ),
    (re.compile(r"^Received event from session"), "A socket event came from no known tab"),
    (re.compile(r"^Received event data as a string"), "A socket event was not an object"),
    (
        re.compile(r"^(event|message|connect|Unknown) .*(error|exception)|^handler error"),
        "A socket message was refused",
    ),
    (re.compile(r"^Attempting to send delta to disconnected client"), "An answer found its tab closed"),
    (re.compile(r"^Frontend (state schema|version)"), "A page of an earlier build is open"),
    (re.compile(r"^No token provided"), "A socket came without a token"),
    (
        re.compile(r"^\[Reflex Frontend Exception\](?:.*?\b(?P<told>[A-Z]\w{0,30}Error)\b)?", re.DOTALL),
        "A page reported an error",
    ),
)
"""What the loggers say of events sent wrongly, and the line that stands for it."""

FAILURE = "[Reflex Backend Exception]"
PLACE = re.compile(r'File "(?P<file>[^"]+)", line (?P<line>\d+), in (?P<function>\S+)')
KIND = re.compile(r"^([A-Za-z_][\w.]*)(?::|$)", re.MULTILINE)
SOCKETS = frozenset({"engineio.server", "socketio.server"})

BROKEN = (ValueError, TypeError, LookupError)
"""What the socket library raises over a packet that is none; nothing else reaches the edge from it."""

logger = logging.getLogger(__name__)


class Allowance:
    """Counts of what each name has had in the last stretch of time; `clock` gives seconds."""

    def __init__(self, most: int, seconds: float, *, clock: Callable[[], float] = monotonic) -> None:
        """Allow `most` of each name in any window of `seconds`."""
        self._most, self._seconds, self._clock = most, seconds, clock
        self._windows: dict[str, tuple[float, int]] = {}

    def count(self, name: str) -> int:
        """Count one more of a name, and return how many there have been in its window."""
        now = self._clock()
        started, counted = self._windows.get(name, (now, 0))
        if now - started >= self._seconds:
            started, counted = now, 0
        if len(self._windows) >= MAX_TABS:
            self._forget(now)
        self._windows[name] = (started, counted + 1)
        return counted + 1

    def allows(self, name: str) -> bool:
        """Count one more of a name, and say whether it is within the allowance."""
        return self.count(name) <= self._most

    def _forget(self, now: float) -> None:
        """Forget the windows that are over, and all of them when none is."""
        self._windows = {name: held for name, held in self._windows.items() if now - held[0] < self._seconds}
        if len(self._windows) >= MAX_TABS:
            self._windows.clear()


class EventLimit(rx.Middleware):
    """Drops the events that a tab sends beyond MAX_PER_SECOND; those that handlers send on are not counted."""

    def __init__(self, most: int = MAX_PER_SECOND, *, clock: Callable[[], float] = monotonic) -> None:
        """Allow `most` events a second of each tab."""
        self._allowance = Allowance(most, 1.0, clock=clock)

    async def preprocess(
        self,
        app: rx.App,  # noqa: ARG002 - Reflex calls with these names
        state: BaseState,  # noqa: ARG002 - Reflex calls with these names
        event: rx.event.Event,
    ) -> StateUpdate | None:
        """Return an empty update, which ends the event, when its tab sends too fast; else None."""
        token = event.router_data.get("token")
        if not token or self._allowance.allows(str(token)[:64]):
            return None
        logger.warning("A tab sent more than %d events in a second; the rest were dropped", MAX_PER_SECOND)
        return StateUpdate()


def failure(message: str) -> str:
    """Return a handler's failure, logged as a traceback, as one line: its kind and place, never what it quotes."""
    text = message.removeprefix(FAILURE).strip()
    places = list(PLACE.finditer(text))
    kind = KIND.search(text, places[-1].end() if places else 0)
    ours = [place for place in places if "/broker/" in place["file"]] or places
    at = f" at {Path(ours[-1]['file']).name}:{ours[-1]['line']} in {ours[-1]['function']}" if ours else ""
    return f"A state handler failed: {kind[1] if kind else 'Exception'}{at}"


class OneLine(logging.Filter):
    """Shortens the records of refused events to one line each, and lets MAX_LINES of a kind through in a WINDOW."""

    def __init__(self, *, clock: Callable[[], float] = monotonic) -> None:
        """Count the lines of each kind by a clock."""
        super().__init__()
        self._allowance = Allowance(MAX_LINES, WINDOW, clock=clock)

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether a record is logged, after making its line; records of other kinds pass as they are."""
        line = self._line(record)
        if line is None:
            return True
        counted = self._allowance.count(line)
        if counted == MAX_LINES:
            line += f"; more of this kind are left out for {WINDOW:.0f} seconds"
        record.msg, record.args, record.exc_info, record.exc_text = line, (), None, None
        return counted <= MAX_LINES

    @staticmethod
    def _line(record: logging.LogRecord) -> str | None:
        """Return the line that stands for a record, or None for one that says nothing of a sender's making."""
        if record.name == __name__:
            return record.getMessage()
        if record.name in SOCKETS and record.exc_info:
            return "A socket message was refused"
        message = record.getMessage()
        if message.startswith(FAILURE):
            return failure(message)
        for pattern, line in KINDS:
            if found := pattern.match(message):
                return f"{line} ({told})" if (told := found.groupdict().get("told")) else line
        return None


def refuse_packet(error: Exception) -> None:
    """Log that a socket was closed over a packet that is none; the packet itself is not repeated."""
    logger.warning("A socket was closed over a broken packet: %s", type(error).__name__)


def quieten_logs() -> None:
    """Put one OneLine on every logger that writes what a sender sent; doing it again changes nothing."""
    line = OneLine()
    for name in (*LOGGERS, __name__):
        target = logging.getLogger(name)
        if not any(isinstance(held, OneLine) for held in target.filters):
            target.addFilter(line)
