"""The log's lines, as text and as JSON."""

import json
import logging
import logging.config
from collections.abc import Iterator

import pytest

from broker.log_format import JSON, REQUEST_ID, TEXT, log_config


@pytest.fixture
def written(request: pytest.FixtureRequest, capsys: pytest.CaptureFixture[str]) -> Iterator[str]:
    """Return what a warning becomes in the format that the test names."""
    loggers = [logging.getLogger(name) for name in ("", "broker", "uvicorn.error")]
    before, levels = list(loggers[0].handlers), [each.level for each in loggers]
    logging.config.dictConfig(log_config(request.param))
    token = REQUEST_ID.set("0123456789abcdef")
    logging.getLogger("broker.services.journeys").warning("the database is %s", "away", extra={"tries": 3})
    logging.getLogger("broker.services.journeys").debug("left out")
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
        "logger": "broker.services.journeys",
        "request_id": "0123456789abcdef",
        "message": "the database is away",
        "tries": 3,
    }


@pytest.mark.parametrize("written", [TEXT], indirect=True)
def test_text_line_names_the_same(written: str) -> None:
    assert "WARNING" in written
    assert written.endswith("broker.services.journeys 0123456789abcdef: the database is away\n")
