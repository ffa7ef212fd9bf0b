"""Requests that fail: one line of a kind a minute, with the number of those left out."""

import pytest

from broker.web.middleware.last_resort import MAX_FAULTS, WINDOW_SECONDS, ErrorLog


def failed(message: str) -> Exception:
    try:
        raise LookupError(message)
    except LookupError as error:
        return error


def test_fault_is_counted_until_it_is_logged_again(caplog: pytest.LogCaptureFixture) -> None:
    now = [0.0]
    log = ErrorLog(clock=lambda: now[0])
    for _ in range(5):
        log.log(failed("of one"))
    now[0] += WINDOW_SECONDS
    log.log(failed("of another"))
    lines = [record.getMessage().splitlines()[0] for record in caplog.records]
    assert lines == [
        "A request failed: LookupError",
        "A request failed: LookupError (4 times more since it was last logged)",
    ]
    assert "raise LookupError(message)" in caplog.text


def test_faults_that_are_told_apart_are_bounded() -> None:
    log = ErrorLog(clock=lambda: 0.0)
    for number in range(MAX_FAULTS + 5):
        log.log(type(f"Error{number}", (Exception,), {})())
    assert len(log._logged_at) <= MAX_FAULTS
