"""Limits for socket events: their rate, and how much forged events may write into the log.

Anybody can call every public method of a state over the socket, with any arguments. `EventLimit` drops events that come
too fast. `OneLineFilter` logs a refused event as one line without the sender's text, in place of a traceback with the
visitor's headers, and stops after a few of a kind.
"""

import logging
import re
from collections.abc import Callable
from pathlib import Path
from time import monotonic

import reflex as rx
from reflex.state import BaseState, StateUpdate

from broker.web.middleware.metrics import EVENTS

MAX_PER_SECOND = 30
"""Events of one browser tab in a second; a drag or a held key sends far fewer."""

MAX_TABS = 10_000
"""Tabs with a counter; beyond it expired counters are dropped."""

MAX_LINES = 5
WINDOW_SECONDS = 60.0
"""Time in which at most MAX_LINES lines of a kind are logged."""

LOGGERS = (
    "reflex_base.event.processor.event_processor",
    "reflex_base.event.processor.base_state_processor",
    "reflex.app",
    "reflex.state",
    "reflex.utils.tasks",
    "reflex.utils.token_manager",
    "engineio.server",
    "socketio.server",
    "uvicorn.error",
)
"""Loggers that write text of the sender."""

KINDS = (
    (re.compile(r"^Error processing event queue entry"), "A socket event of an unknown name was refused"),
    (
        re.compile(r"^Error transforming event payload for handler (?P<told>[\w.<>]+)"),
        "A socket event had arguments of the wrong type",
    ),
    (re.compile(r"^Received event from session"), "A socket event came from no known tab"),
    (re.compile(r"^Received event data as a string"), "A socket event was not an object"),
    (
        re.compile(r"^(event|message|connect|Unknown) .*(error|exception)|^handler error"),
        "A socket message was refused",
    ),
    (re.compile(r"^Attempting to send delta to disconnected client"), "An answer found its tab closed"),
    (re.compile(r"^Frontend (state schema|version)"), "A page of an earlier build is open"),
    (re.compile(r"^(Invalid HTTP request|Unsupported upgrade)"), "A request was malformed"),
    (re.compile(r"^No token provided"), "A socket came without a token"),
    (re.compile(r"^Redis error|^\w+: task (error suppressed|exceeded)"), "Reflex could not reach Redis"),
    (
        re.compile(r"^\[Reflex Frontend Exception\](?:.*?\b(?P<told>[A-Z]\w{0,30}Error)\b)?", re.DOTALL),
        "A page reported an error",
    ),
)
"""Messages of the loggers about malformed events, and the line that replaces each."""

FAILURE = "[Reflex Backend Exception]"
PLACE = re.compile(r'File "(?P<file>[^"]+)", line (?P<line>\d+), in (?P<function>\S+)')
KIND = re.compile(r"^([A-Za-z_][\w.]*)(?::|$)", re.MULTILINE)
SOCKETS = frozenset({"engineio.server", "socketio.server"})

PACKET_ERRORS = (ValueError, TypeError, LookupError)
"""Errors that the socket library raises for a malformed packet; no others reach the edge."""

logger = logging.getLogger(__name__)


class WindowCounter:
    """Fixed-window counter per key; `clock` returns seconds."""

    def __init__(self, most: int, seconds: float, *, clock: Callable[[], float] = monotonic) -> None:
        self._most, self._seconds, self._clock = most, seconds, clock
        self._windows: dict[str, tuple[float, int]] = {}

    def count(self, name: str) -> int:
        """Count a key, and return its count in the window."""
        now = self._clock()
        started, counted = self._windows.get(name, (now, 0))
        if now - started >= self._seconds:
            started, counted = now, 0
        if len(self._windows) >= MAX_TABS:
            self._drop_expired(now)
        self._windows[name] = (started, counted + 1)
        return counted + 1

    def allows(self, name: str) -> bool:
        return self.count(name) <= self._most

    def _drop_expired(self, now: float) -> None:
        """Drop expired windows; all of them when none has expired."""
        self._windows = {name: held for name, held in self._windows.items() if now - held[0] < self._seconds}
        if len(self._windows) >= MAX_TABS:
            self._windows.clear()


class EventLimit(rx.Middleware):
    """Drops events of a tab beyond MAX_PER_SECOND; events that handlers send are not counted."""

    def __init__(self, most: int = MAX_PER_SECOND, *, clock: Callable[[], float] = monotonic) -> None:
        self._counter = WindowCounter(most, 1.0, clock=clock)

    async def preprocess(
        self,
        app: rx.App,  # noqa: ARG002 - Reflex calls with these names
        state: BaseState,  # noqa: ARG002 - Reflex calls with these names
        event: rx.event.Event,
    ) -> StateUpdate | None:
        """Return an empty update, which ends the event, for a tab over the limit; else None."""
        token = event.router_data.get("token")
        if not token or self._counter.allows(str(token)[:64]):
            EVENTS.labels("taken").inc()
            return None
        EVENTS.labels("dropped").inc()
        logger.warning("A tab sent more than %d events in a second; the rest were dropped", MAX_PER_SECOND)
        return StateUpdate()


def failure(message: str) -> str:
    """Return the traceback of a failed handler as one line: type and place of the error, without its message."""
    text = message.removeprefix(FAILURE).strip()
    places = list(PLACE.finditer(text))
    kind = KIND.search(text, places[-1].end() if places else 0)
    ours = [place for place in places if "/broker/" in place["file"]] or places
    at = f" at {Path(ours[-1]['file']).name}:{ours[-1]['line']} in {ours[-1]['function']}" if ours else ""
    return f"A state handler failed: {kind[1] if kind else 'Exception'}{at}"


class OneLineFilter(logging.Filter):
    """Logs a refused event as one line, and MAX_LINES of a kind in WINDOW_SECONDS."""

    def __init__(self, *, clock: Callable[[], float] = monotonic) -> None:
        super().__init__()
        self._counter = WindowCounter(MAX_LINES, WINDOW_SECONDS, clock=clock)

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether a record is logged, after replacing its text; other records are unchanged."""
        line = self._line(record)
        if line is None:
            return True
        counted = self._counter.count(line)
        if counted == MAX_LINES:
            line += f"; more of this kind are left out for {WINDOW_SECONDS:.0f} seconds"
        record.msg, record.args, record.exc_info, record.exc_text = line, (), None, None
        return counted <= MAX_LINES

    @staticmethod
    def _line(record: logging.LogRecord) -> str | None:
        """Return the line that replaces a record, or None for a record without text of a sender."""
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


def log_broken_packet(error: Exception) -> None:
    """Log that a malformed packet closed a socket, without the packet."""
    logger.warning("A socket was closed over a broken packet: %s", type(error).__name__)


def quieten_logs() -> None:
    """Put one OneLineFilter on every logger that writes what a sender sent; doing it again changes nothing."""
    line = OneLineFilter()
    for name in (*LOGGERS, __name__):
        target = logging.getLogger(name)
        if not any(isinstance(held, OneLineFilter) for held in target.filters):
            target.addFilter(line)
