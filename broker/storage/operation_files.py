"""The file in `BROKER_STATE_DIR` by which the backup command reports: its time is that of the last backup."""

from contextlib import suppress
from datetime import UTC, datetime

from broker.settings import Settings

BACKUP = "last-backup"


def note_backup(settings: Settings) -> None:
    """Note that a backup was written now; raises OSError."""
    (settings.state_dir / BACKUP).touch()


def last_backup(settings: Settings) -> datetime | None:
    """Return the time of the last backup, None before the first."""
    with suppress(OSError):
        return datetime.fromtimestamp((settings.state_dir / BACKUP).stat().st_mtime, UTC)
    return None
