"""How the log is written: lines of text for a terminal, or a JSON object a line for a log collector.

No line has personal data: a request is logged by its route, not its address, and the client by nothing.
"""

import logging
from contextvars import ContextVar
from typing import Any

from broker import tracing

REQUEST_ID: ContextVar[str] = ContextVar("request_id", default="-")
"""Identifier of the request that is answered, which its visitor's error page shows; `-` beside requests."""

TEXT, JSON = "text", "json"

_FIELDS = "%(asctime)s %(levelname)s %(process)d %(name)s %(request_id)s"


class RequestIdFilter(logging.Filter):
    """Gives every record the identifier of the request that it belongs to, and of the trace where there is one."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Return True, after the identifiers are set; that of the trace stands in JSON alone."""
        record.request_id = REQUEST_ID.get()
        if trace_id := tracing.trace_id():
            record.trace_id = trace_id
        return True


def log_config(log_format: str) -> dict[str, Any]:
    """Return the configuration of `logging.config.dictConfig` for a format, TEXT or JSON."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "filters": {"request_id": {"()": RequestIdFilter}},
        "formatters": {
            TEXT: {"format": f"{_FIELDS}: %(message)s"},
            JSON: {
                "()": "pythonjsonlogger.json.JsonFormatter",
                "format": f"{_FIELDS} %(message)s",
                "rename_fields": {"asctime": "time", "levelname": "level", "name": "logger"},
                "datefmt": "%Y-%m-%dT%H:%M:%S%z",
            },
        },
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": log_format, "filters": ["request_id"]}},
        "root": {"level": "WARNING", "handlers": ["stderr"]},
        "loggers": {"broker": {"level": "INFO"}, "uvicorn.error": {"level": "INFO"}},
    }
