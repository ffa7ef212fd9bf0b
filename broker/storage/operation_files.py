"""Files in `BROKER_STATE_DIR` by which commands of an operator report: the last backup and the last reload."""

from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from broker.settings import Settings

BACKUP, RELOAD = "last-backup", "last-reload"
"""The time of the first file is that of the last backup; the second has DONE or FAILED."""

DONE, FAILED = "done", "failed"


def note_backup(settings: Settings) -> None:
    """Note that a backup was written now; raises OSError."""
    (settings.state_dir / BACKUP).touch()


def last_backup(settings: Settings) -> datetime | None:
    """Return the time of the last backup, None before the first."""
    with suppress(OSError):
        return datetime.fromtimestamp((settings.state_dir / BACKUP).stat().st_mtime, UTC)
    return None


def reload_file(settings: Settings) -> Path:
    """Return the file of the last reload."""
    return settings.state_dir / RELOAD


def has_reload_failed(settings: Settings) -> bool:
    """Return whether the new code of the last reload did not start."""
    with suppress(OSError):
        return reload_file(settings).read_text() == FAILED
    return False
