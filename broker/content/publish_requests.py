"""Requests to publish changed content: each is accepted once and passed on to the publisher of every server.

The database has what was accepted, for all workers and servers. The last change is also a file of each server, which
its publisher (`tools.publisher`) reads.
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
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlmodel import col

from broker.clock import utc_now
from broker.content.publishing import WEBHOOK, ContentChange, PublishRun, PublishStep
from broker.settings import Settings
from broker.staff.audit import MAX_ACTOR_LENGTH, Act, AuditEntry
from broker.staff.audit_log import AuditStore
from broker.storage.database import Database, first_row
from broker.storage.errors import StorageError
from broker.storage.tables import ContentChangeRow

CHANGE_FILE = "change.json"
"""The last change, which the server writes."""

RUN_FILE = "run.json"
"""The last run, which the publisher writes; neither program imports the other."""

PUBLISH_LOCK, PUBLISHER_LOCK = "lock", "publisher.lock"
"""Locks of a publish, and of the program that starts one."""

OUTPUT, COPY_OUTPUT = "output.log", "copy.log"
"""The output of the last publish, and of the last copy without a build."""

_SIGNATURE_AGE = timedelta(minutes=15)
"""How long a signature is stored: more than twice the age at which a message is refused."""

_PASS_ON_SECONDS = 5.0
"""Time between two checks for changes that another server accepted."""

Read = TypeVar("Read")

log = logging.getLogger(__name__)


class ContentChangeStore:
    """The recent changes by the signatures of their messages; methods raise StorageError."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, change: ContentChange, *, signature: str, max_age: timedelta) -> bool:
        """Store a change and delete those older than `max_age`; return False for a known signature."""
        row = {"at": change.at, "by": change.by, "signature": signature}
        old = delete(ContentChangeRow).where(col(ContentChangeRow.at) < change.at - max_age)

        async def work(connection: AsyncConnection) -> None:
            await connection.execute(old)
            await connection.execute(insert(ContentChangeRow).values(row))

        return await self._database.write_new(work)

    async def latest(self) -> ContentChange | None:
        """Return the last change; None for none."""
        last = select(ContentChangeRow).order_by(col(ContentChangeRow.id).desc()).limit(1)
        row = await self._database.read(first_row(last))
        return ContentChange(at=row.at, by=row.by) if row else None


class PublishingFiles:
    """The files of publishing, replaced atomically; a missing or unreadable one counts as none."""

    def __init__(self, settings: Settings) -> None:
        self.folder = settings.state_dir / "publishing"

    def change(self) -> ContentChange | None:
        return _read(self.folder / CHANGE_FILE, ContentChange)

    def run(self) -> PublishRun | None:
        return _read(self.folder / RUN_FILE, PublishRun)

    def write_change(self, change: ContentChange) -> None:
        """Replace the last change; raises OSError."""
        _write(self.folder / CHANGE_FILE, change)

    def write_run(self, run: PublishRun) -> None:
        """Replace the last run; raises OSError."""
        _write(self.folder / RUN_FILE, run)

    def begin_step(self, step: PublishStep) -> None:
        """Record a step of the current run, if any; raises OSError."""
        run = self.run()
        if run and run.finished is None:
            self.write_run(replace(run, step=step))


class Publishing:
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
        """Accept a message of the content service; return False for a known signature. Raises StorageError."""
        return await self._add(ContentChange(at=self._clock(), by=WEBHOOK), signature)

    async def publish_now(self, *, who: str) -> None:
        """Request a publish for a member of staff, and record it in the audit log; raises StorageError.

        Does nothing without a webhook's secret, as no publisher runs then.
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
        """Pass on what other servers accepted while this one runs; return at once without a webhook."""
        while self._is_on:
            try:
                await self.pass_on()
            except StorageError as error:
                log.warning("changes of the content cannot be read, next try in %g s: %s", _PASS_ON_SECONDS, error)
            await sleep(_PASS_ON_SECONDS)

    async def _add(self, change: ContentChange, signature: str) -> bool:
        is_new = await self._changes.add(change, signature=signature, max_age=_SIGNATURE_AGE)
        if is_new:
            await self.pass_on()
        return is_new


def _read(file: Path, kind: type[Read]) -> Read | None:
    try:
        return msgspec.json.decode(file.read_bytes(), type=kind)
    except FileNotFoundError:
        return None
    except (OSError, msgspec.MsgspecError) as error:
        log.warning("%s is ignored: %s", file, error)
        return None


def _write(file: Path, value: object) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    part = file.with_name(f"{file.name}.{os.getpid()}")
    part.write_bytes(msgspec.json.encode(value))
    part.replace(file)
