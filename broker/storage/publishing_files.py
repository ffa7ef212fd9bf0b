"""The last change to publish, and what came of the last publishing: two files in `BROKER_STATE_DIR`.

The server writes the first, what publishes writes the second, and neither imports the other. Writes are atomic.
"""

import logging
import os
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import msgspec

from broker.domain.staff.publishing import ContentChange, PublishRun, PublishStep
from broker.settings import Settings

CHANGE, RUN, LOCK, OUTPUT, COPY_OUTPUT = "change.json", "run.json", "lock", "output.log", "copy.log"
PUBLISHER_LOCK = "publisher.lock"
"""The files; a publish holds the first lock, and what starts one the other.

The output of a publish is kept until the next, as is that of a copy without a build.
"""

Read = TypeVar("Read")
_log = logging.getLogger(__name__)


class PublishingFiles:
    """The files of publishing; those that are missing or cannot be read count as none."""

    def __init__(self, settings: Settings) -> None:
        self.folder = settings.state_dir / "publishing"

    def change(self) -> ContentChange | None:
        return _read(self.folder / CHANGE, ContentChange)

    def run(self) -> PublishRun | None:
        return _read(self.folder / RUN, PublishRun)

    def write_change(self, change: ContentChange) -> None:
        """Replace the last change; raises OSError."""
        _write(self.folder / CHANGE, change)

    def write_run(self, run: PublishRun) -> None:
        """Replace the last run; raises OSError."""
        _write(self.folder / RUN, run)

    def begin_step(self, step: PublishStep) -> None:
        """Note a step of the run that is under way, if any; raises OSError."""
        run = self.run()
        if run and run.finished is None:
            self.write_run(replace(run, step=step))


def _read(file: Path, kind: type[Read]) -> Read | None:
    try:
        return msgspec.json.decode(file.read_bytes(), type=kind)
    except FileNotFoundError:
        return None
    except (OSError, msgspec.MsgspecError) as error:
        _log.warning("%s is ignored: %s", file, error)
        return None


def _write(file: Path, value: object) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    part = file.with_name(f"{file.name}.{os.getpid()}")
    part.write_bytes(msgspec.json.encode(value))
    part.replace(file)
