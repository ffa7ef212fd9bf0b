import json
import logging
import logging.config
from collections.abc import Iterator
from typing import Any

import pytest

from broker.log_format import (
    CLIENT_LOGGERS,
    JSON,
    MAX_LINE,
    MAX_LINES,
    MAX_LINES_OF_PLACE,
    REQUEST_ID,
    TEXT,
    WINDOW_SECONDS,
    LineFilter,
    log_config,
)
from tests.unit.rates.sources import Clock


@pytest.fixture
def written(request: pytest.FixtureRequest, capsys: pytest.CaptureFixture[str]) -> Iterator[str]:
    """Return what a warning becomes in the format that the test names."""
    loggers = [logging.getLogger(name) for name in ("", "broker", "uvicorn.error")]
    before, levels = list(loggers[0].handlers), [each.level for each in loggers]
    logging.config.dictConfig(log_config(request.param))
    token = REQUEST_ID.set("0123456789abcdef")
    logging.getLogger("broker.questionnaire.journeys").warning("the database is %s", "away", extra={"tries": 3})
    logging.getLogger("broker.questionnaire.journeys").debug("left out")
    REQUEST_ID.reset(token)
    yield capsys.readouterr().err
    loggers[0].handlers[:] = before
    for each, level in zip(loggers, levels, strict=True):
        each.setLevel(level)


@pytest.mark.parametrize("written", [JSON], indirect=True)
def test_json_line_names_time_level_logger_and_request(written: str) -> None:
    told = json.loads(written)
    assert told.pop("time").startswith("20")
    assert told.pop("process") > 0
    assert told == {
        "level": "WARNING",
        "logger": "broker.questionnaire.journeys",
        "request_id": "0123456789abcdef",
        "message": "the database is away",
        "tries": 3,
    }


@pytest.mark.parametrize("written", [TEXT], indirect=True)
def test_text_line_names_the_same(written: str) -> None:
    assert "WARNING" in written
    assert written.endswith("broker.questionnaire.journeys 0123456789abcdef: the database is away\n")


EVENT = "Error processing event queue entry for Event(name='x', cookie=…)"
PAYLOAD = "Error transforming event payload for handler Rates.search: value 'Ann Smith'"
COMPUTED = "Computed var 'State.is_hydrated' must return a value of type 'bool', got '" + "A" * 60_000
QUOTED = {
    "'Error processing event queue entry for Event'": ("reflex_base.event.processor.event_processor", EVENT),
    "'Error transforming event payload for handler Rates.search'": ("reflex_base.event.processor", PAYLOAD),
    "'Computed var'": ("reflex_base.vars.base", COMPUTED),
    "'message handler error'": ("engineio.server", "message handler error"),
    "'Task exception was never retrieved'": ("asyncio", "Task exception was never retrieved\nfuture: <Task Ann Smith>"),
    f"'{'A' * 80}'": ("reflex.app", "A" * 60_000),
}


def record(
    name: str, message: str, *, line: int = 1, level: int = logging.ERROR, error: Any = None
) -> logging.LogRecord:
    exc_info = (type(error), error, error.__traceback__) if error else None
    return logging.LogRecord(name, level, "file.py", line, message, (), exc_info)


@pytest.mark.parametrize("line", QUOTED)
def test_library_that_logs_what_a_client_sent_is_quoted_shortly(line: str) -> None:
    logged = record(*QUOTED[line])
    assert QUOTED[line][0].partition(".")[0] in CLIENT_LOGGERS
    assert LineFilter().filter(logged)
    assert logged.getMessage() == line


@pytest.mark.parametrize("name", ["reflex.app", "uvicorn.error"])
def test_error_of_a_library_is_logged_by_its_place(name: str) -> None:
    with pytest.raises(ValueError, match="Ann Smith") as raised:
        int("Ann Smith")
    logged = record(name, "Exception in ASGI application\n", error=raised.value)
    assert LineFilter().filter(logged)
    assert ": ValueError at test_log_format.py:" in logged.getMessage()
    assert (logged.exc_info, logged.exc_text) == (None, None)


def test_long_lines_and_tracebacks_lose_their_middle() -> None:
    logged = record("broker.runtime", "a" + "b" * 60_000 + "c\nd\x1b\r", error=OSError("e" * 60_000 + "f"))
    assert LineFilter().filter(logged)
    assert (logged.getMessage()[:2], logged.getMessage()[-8:]) == ("ab", "c\n    d ")
    assert logged.exc_text
    assert (len(logged.getMessage()) < MAX_LINE + 20, len(logged.exc_text) < MAX_LINE + 20) == (True, True)
    assert (logged.exc_text[:12], logged.exc_text[-1]) == ("OSError: eee", "f")


def test_repeats_are_left_out_and_counted() -> None:
    clock = Clock()
    line_filter = LineFilter(clock=clock)
    records = [record("broker.runtime", "The feed is away") for _ in range(1_000)]
    assert [line_filter.filter(each) for each in records].count(True) == MAX_LINES
    assert records[0].getMessage() == "The feed is away"
    assert records[MAX_LINES - 1].getMessage() == "The feed is away; more of this kind are left out for 60 seconds"
    clock.now += WINDOW_SECONDS
    again = record("broker.runtime", "The feed is away")
    assert line_filter.filter(again)
    assert again.getMessage() == "The feed is away (995 more were left out before)"


def test_place_that_logs_many_different_lines_is_limited() -> None:
    line_filter = LineFilter(clock=Clock())
    ours = [line_filter.filter(record("broker.runtime", f"lender {number}")) for number in range(1_000)]
    theirs = [line_filter.filter(record("reflex.app", f"Frontend version {number}")) for number in range(1_000)]
    assert (ours.count(True), theirs.count(True)) == (MAX_LINES_OF_PLACE, MAX_LINES)
    assert line_filter.filter(record("reflex.app", "Frontend version 1", line=2))


def test_requests_are_not_counted() -> None:
    line_filter = LineFilter(clock=Clock())
    assert all(line_filter.filter(record("broker.access", "request", level=logging.INFO)) for _ in range(1_000))


@pytest.mark.parametrize("written", [TEXT, JSON], indirect=True)
def test_socket_libraries_write_through_the_filter_alone(written: str) -> None:
    assert written
    for name in ("engineio.server", "socketio.server"):
        assert logging.getLogger(name).level == logging.ERROR
