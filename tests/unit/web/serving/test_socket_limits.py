import asyncio
import logging
from typing import Any, cast

import pytest
from reflex.event import Event
from reflex.state import StateUpdate

from broker.web.serving.socket_limits import LOGGERS, MAX_LINES, EventLimit, OneLineFilter, WindowCounter, quieten_logs
from tests.unit.services.clock import Clock


def handled(limit: EventLimit, token: str | None, times: int) -> int:
    event = Event(name="state.search", router_data={"token": token} if token else {})
    nothing = cast(Any, None)

    async def send() -> list[StateUpdate | None]:
        return [await limit.preprocess(app=nothing, state=nothing, event=event) for _ in range(times)]

    answers = asyncio.run(send())
    assert {type(answer) for answer in answers} <= {type(None), StateUpdate}
    return answers.count(None)


def test_events_of_a_tab_are_dropped_beyond_thirty_a_second() -> None:
    clock = Clock()
    limit = EventLimit(clock=clock)
    assert handled(limit, "one", 100) == 30
    assert handled(limit, "two", 10) == 10
    clock.now += 0.9
    assert handled(limit, "one", 5) == 0
    clock.now += 0.2
    assert handled(limit, "one", 5) == 5
    assert handled(limit, None, 100) == 100, "events that handlers send on are not counted"


def test_tabs_that_are_quiet_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("broker.web.serving.socket_limits.MAX_TABS", 3)
    clock = Clock()
    allowance = WindowCounter(1, 1.0, clock=clock)
    assert [allowance.allows(name) for name in "abc"] == [True] * 3
    clock.now += 1
    assert allowance.allows("d")
    assert allowance.allows("d") is False


def record(name: str, message: str, *, exc_info: Any = None) -> logging.LogRecord:
    return logging.LogRecord(name, logging.ERROR, "file.py", 1, message, (), exc_info)


EVENT = "Error processing event queue entry for Event(name='x', cookie=…)"
PAYLOAD = "Error transforming event payload for handler Rates.search: value 'Ann Smith'"
NO_TAB = "Received event from session 1 with no associated token. Event data: secret"
TRACEBACK = """[Reflex Backend Exception]
 Traceback (most recent call last):
  File "/srv/broker/state/rates/search.py", line 44, in search
    y
  File "/lib/httpx.py", line 3, in get
    x: int
lib.TypeError: bad
Ann: Smith
"""
LINES = {
    "A socket event of an unknown name was refused": (LOGGERS[0], EVENT),
    "A socket event had arguments of the wrong type (Rates.search)": (LOGGERS[1], PAYLOAD),
    "A socket event came from no known tab": ("reflex.app", NO_TAB),
    "A page reported an error (TypeError)": ("reflex.app", "[Reflex Frontend Exception]\n [SID: 1] x: TypeError: Ann"),
    "A page reported an error": ("reflex.app", "[Reflex Frontend Exception]\n Ann Smith"),
    "Reflex could not reach Redis": ("reflex.utils.tasks", "_watch: task error suppressed: Error 111 to /run/redis"),
    "A socket message was refused": ("engineio.server", "message handler error"),
    "A state handler failed: lib.TypeError at search.py:44 in search": ("reflex.app", TRACEBACK),
    "A state handler failed: KeyError": ("reflex.app", "[Reflex Backend Exception]\n KeyError: 'name'\n\n"),
}


@pytest.mark.parametrize("line", LINES)
def test_refusals_are_logged_as_one_line_that_quotes_nobody(line: str) -> None:
    refused = record(*LINES[line], exc_info=(ValueError, ValueError("Ann Smith"), None))
    assert OneLineFilter().filter(refused)
    assert (refused.getMessage(), refused.exc_info) == (line, None)


def test_other_records_pass_as_they_are() -> None:
    other = record("reflex.app", "Database is not available", exc_info=(ValueError, ValueError("x"), None))
    assert OneLineFilter().filter(other)
    assert other.getMessage() == "Database is not available"
    assert other.exc_info is not None


def test_a_flood_of_refusals_leaves_a_few_lines_a_minute() -> None:
    clock = Clock()
    one_line = OneLineFilter(clock=clock)
    records = [record(LOGGERS[0], "Error processing event queue entry for x") for _ in range(1_000)]
    assert [one_line.filter(one) for one in records].count(True) == MAX_LINES
    assert records[MAX_LINES - 1].getMessage().endswith("; more of this kind are left out for 60 seconds")
    clock.now += 60
    assert one_line.filter(record(LOGGERS[0], "Error processing event queue entry for x"))


def test_logs_are_quietened_once_however_often_it_is_asked() -> None:
    quieten_logs()
    quieten_logs()
    filters = {name: [type(each) for each in logging.getLogger(name).filters] for name in LOGGERS}
    assert filters == {name: [OneLineFilter] for name in LOGGERS}
