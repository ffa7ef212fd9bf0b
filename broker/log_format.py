"""Configuration of the log: lines of text, or a JSON object a line for a log collector, without personal data."""

import logging
import re
import traceback
from collections.abc import Callable
from contextvars import ContextVar
from copy import copy
from pathlib import Path
from time import monotonic
from typing import Any, TextIO

REQUEST_ID: ContextVar[str] = ContextVar("request_id", default="-")
"""Identifier of the current request, which its error page shows; `-` outside requests."""

TEXT, JSON = "text", "json"

CLIENT_LOGGERS = frozenset({"asyncio", "engineio", "reflex", "reflex_base", "socketio"})
"""Packages that log what a client sent: events, their arguments, tokens, and errors that quote them."""

MAX_LINE = 2_000
"""Characters of a line, and of the traceback below it."""

MAX_QUOTED = 80

MAX_LINES, MAX_LINES_OF_PLACE = 5, 50
"""Equal lines, and lines from one place in the code, that are logged in a window.

The first limit holds for each place in CLIENT_LOGGERS.
"""

WINDOW_SECONDS = 60.0

MAX_COUNTED = 2_000
"""Lines and places counted at once; above it, those of past windows are dropped, then all."""

_FIRST_WORDS = re.compile(r"""[^:;,'"`()\[\]{}<>=\n]*""")
_CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029]+")

_FIELDS = "%(asctime)s %(levelname)s %(process)d %(name)s %(request_id)s"


class LineFilter(logging.Filter):
    """Filter of every line: adds the request's identifier, shortens it, and limits repeats.

    Of CLIENT_LOGGERS it keeps only the first words; errors of other packages are logged by type and place, since their
    messages may quote a client. `clock` returns seconds.
    """

    def __init__(self, *, clock: Callable[[], float] = monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._windows: dict[tuple[object, ...], tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Shorten a record, and return whether it is logged; those below a warning are not limited."""
        record.request_id = REQUEST_ID.get()
        error = record.exc_info[1] if record.exc_info else None
        package, place, trace = record.name.partition(".")[0], (record.name, record.lineno), None
        is_quoted = package in CLIENT_LOGGERS
        line = _quoted(record.getMessage()) if is_quoted else _short(record.getMessage())
        if error and package == __package__:
            trace = _short("".join(traceback.format_exception(error)).rstrip())
        elif error:
            line = f"{line.rstrip()}: {place_of(error)}"
        limits = {place: MAX_LINES} if is_quoted else {(*place, line): MAX_LINES, place: MAX_LINES_OF_PLACE}
        record.msg, record.args, record.exc_info, record.exc_text = line, (), None, trace
        if record.levelno < logging.WARNING:
            return True
        return all(self._is_within(record, key, most) for key, most in limits.items())

    def _is_within(self, record: logging.LogRecord, key: tuple[object, ...], most: int) -> bool:
        """Count a record under a key; the last line of a window announces the omission, the next line its number."""
        now = self._clock()
        started, counted = self._windows.get(key, (now, 0))
        if now - started >= WINDOW_SECONDS:
            if counted > most:
                record.msg += f" ({counted - most:,} more were left out before)"
            started, counted = now, 0
        if len(self._windows) >= MAX_COUNTED:
            self._windows = {key: held for key, held in self._windows.items() if now - held[0] < WINDOW_SECONDS}
            if len(self._windows) >= MAX_COUNTED:
                self._windows.clear()
        self._windows[key] = started, counted + 1
        if counted + 1 == most:
            record.msg += f"; more of this kind are left out for {WINDOW_SECONDS:.0f} seconds"
        return counted < most


class LineHandler(logging.StreamHandler[TextIO]):
    """Handler that filters a copy of each record, so that other handlers get the original."""

    def handle(self, record: logging.LogRecord) -> bool:
        return super().handle(copy(record))


def place_of(error: BaseException) -> str:
    """Return the type of an error and where it was raised, in our code if possible."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if "/broker/" in frame.filename] or frames
    at = f" at {Path(ours[-1].filename).name}:{ours[-1].lineno} in {ours[-1].name}" if ours else ""
    return f"{type(error).__name__}{at}"


def _quoted(message: str) -> str:
    """Return the first words of a message, up to the first quotation mark or delimiter."""
    words = _FIRST_WORDS.match(message)
    return repr(words[0][:MAX_QUOTED].strip() if words else "")


def _short(text: str) -> str:
    """Return a text cut in the middle to MAX_LINE, with continuation lines indented."""
    if len(text) > MAX_LINE:
        text = f"{text[: MAX_LINE // 2]} ... {text[-MAX_LINE // 2 :]}"
    return _CONTROL.sub(" ", text).replace("\n", "\n    ")


def log_config(log_format: str) -> dict[str, Any]:
    """Return the configuration of `logging.config.dictConfig` for a format, TEXT or JSON."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "filters": {"line": {"()": LineFilter}},
        "formatters": {
            TEXT: {"format": f"{_FIELDS}: %(message)s"},
            JSON: {
                "()": "pythonjsonlogger.json.JsonFormatter",
                "format": f"{_FIELDS} %(message)s",
                "rename_fields": {"asctime": "time", "levelname": "level", "name": "logger"},
                "datefmt": "%Y-%m-%dT%H:%M:%S%z",
            },
        },
        "handlers": {"stderr": {"()": LineHandler, "formatter": log_format, "filters": ["line"]}},
        "root": {"level": "WARNING", "handlers": ["stderr"]},
        "loggers": {
            **{name: {"level": "INFO"} for name in ("broker", "uvicorn.error")},
            # with a level of ours these add no handler of their own
            **{name: {"level": "ERROR"} for name in ("engineio.server", "socketio.server")},
        },
    }
