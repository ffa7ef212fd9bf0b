"""Flows of the questionnaire in `BROKER_STATE_DIR`: those that journeys may still use, and the name of the current one.

A flow's file is named by it, so workers that write at once write the same. Writes are atomic.
"""

import logging
import os
import re
from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path

from broker.settings import Settings

CURRENT = "current"
"""The file with the name of the last flow of the content service that had no faults."""

_NAME = re.compile(r"[0-9a-f]{12}")

log = logging.getLogger(__name__)


class QuestionnaireFiles:
    """JSON texts of flows by name; a file that is missing or cannot be read counts as none."""

    def __init__(self, settings: Settings) -> None:
        self._folder = settings.state_dir / "questionnaire"

    def read(self, name: str) -> str:
        """Return the text of a flow; empty for none."""
        return _read(self._folder / f"{name}.json") if _NAME.fullmatch(name) else ""

    def current(self) -> str:
        """Return the name of the current flow; empty before the first."""
        return _read(self._folder / CURRENT)

    def write(self, name: str, text: str) -> None:
        """Store a flow that is not stored yet; raises OSError."""
        if not (self._folder / f"{name}.json").exists():
            _write(self._folder / f"{name}.json", text)

    def write_current(self, name: str) -> None:
        """Store the name of the current flow; raises OSError."""
        _write(self._folder / CURRENT, name)

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
