"""Have what editors changed published: accept each report of a change once, and pass it on to what publishes.

The database knows what was accepted, for all workers and servers. The last change is also a file of each server, which
its publisher (`tools.publisher`) looks at.
"""

import asyncio
import logging
import os
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import TypeVar

import msgspec
from sqlalchemy import delete, insert, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlmodel import col

from broker.content.publishing import WEBHOOK, ContentChange, PublishRun, PublishStep
from broker.settings import Settings
from broker.staff.audit import MAX_ACTOR_LENGTH, Act, AuditEntry
from broker.staff.audit_log import AuditStore
from broker.storage.database import Database
from broker.storage.errors import StorageError
from broker.storage.signed_tokens import utc_now
from broker.storage.tables import ContentChangeRow


class ContentChangeStore:
    """The changes of late, by the signatures of their messages; methods raise StorageError."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, change: ContentChange, *, signature: str, kept: timedelta) -> bool:
        """Store a change, and forget those that are older than `kept`; False where the signature is known."""
        row = {"at": change.at, "by": change.by, "signature": signature}
        old = delete(ContentChangeRow).where(col(ContentChangeRow.at) < change.at - kept)

        async def work(connection: AsyncConnection) -> None:
            await connection.execute(old)
            await connection.execute(insert(ContentChangeRow).values(row))

        try:
            await self._database.write(work)
        except IntegrityError:
            return False
        return True

    async def latest(self) -> ContentChange | None:
        """Return the last change; None for none."""
        last = select(ContentChangeRow).order_by(col(ContentChangeRow.id).desc()).limit(1)

        async def work(connection: AsyncConnection) -> ContentChange | None:
            row = (await connection.execute(last)).one_or_none()
            return ContentChange(at=row.at, by=row.by) if row else None

        return await self._database.read(work)


# The server writes the first, what publishes writes the second, and neither imports the other. Writes are atomic.

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


KEPT = timedelta(minutes=15)
"""How long a signature is remembered: more than twice the age at which a message is refused."""

LOOK_SECONDS = 5.0
"""Time between two looks for changes that another server accepted."""

log = logging.getLogger(__name__)


class Publishing:
    """Accepts changes, and passes them on to what publishes."""

    def __init__(
        self,
        settings: Settings,
        changes: ContentChangeStore,
        audit: AuditStore,
        *,
        clock: Callable[[], datetime] = utc_now,
    ) -> None:
        self._is_on = bool(settings.content_hook_secrets)
        self._files, self._changes, self._audit, self._clock = PublishingFiles(settings), changes, audit, clock

    async def accept(self, signature: str) -> bool:
        """Accept a message of the content service; False where its signature is known. Raises StorageError."""
        return await self._add(ContentChange(at=self._clock(), by=WEBHOOK), signature)

    async def publish_now(self, *, who: str) -> None:
        """Have the content published at the wish of staff, and record it; raises StorageError.

        Without a webhook's secret nothing publishes by itself, and nothing is done.
        """
        if not self._is_on:
            return
        now = self._clock()
        await self._audit.add(AuditEntry(at=now, who=who, what=Act.CONTENT_REFRESHED))
        await self._add(ContentChange(at=now, by=who[:MAX_ACTOR_LENGTH]), secrets.token_hex(32))

    async def pass_on(self) -> None:
        """Write the last change of all servers to the file of this one; raises StorageError."""
        change = await self._changes.latest()
        if change is None or change == self._files.change():
            return
        try:
            self._files.write_change(change)
        except OSError as error:
            raise StorageError(f"the change cannot be passed on: {error}") from error

    async def pass_on_periodically(self, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep) -> None:
        """Pass on what other servers accepted, for as long as the server runs; ends at once without a webhook."""
        while self._is_on:
            try:
                await self.pass_on()
            except StorageError as error:
                log.warning("changes of the content are looked for again: %s", error)
            await sleep(LOOK_SECONDS)

    async def _add(self, change: ContentChange, signature: str) -> bool:
        is_new = await self._changes.add(change, signature=signature, kept=KEPT)
        if is_new:
            await self.pass_on()
        return is_new
