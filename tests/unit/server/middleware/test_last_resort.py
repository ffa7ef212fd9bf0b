"""Requests that fail: a line with the type of the error and its traceback, and nothing that a visitor sent."""

import pytest

from broker.server.middleware import log_error


def test_error_is_logged_with_its_traceback_and_without_its_message(caplog: pytest.LogCaptureFixture) -> None:
    try:
        raise LookupError("Ann" + " Smith")
    except LookupError as error:
        log_error(error)
    assert caplog.messages[0].splitlines()[0] == "A request failed: LookupError"
    assert "raise LookupError(" in caplog.text
    assert "Ann Smith" not in caplog.text
