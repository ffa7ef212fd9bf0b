"""Have what editors changed published: accept each report of a change once, and pass it on to what publishes.

The database knows what was accepted, for all workers and servers. The last change is also a file of each server, which
its publisher (`tools.publisher`) looks at.
"""

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta

from broker.domain.enquiries.stored_records import StorageError
from broker.domain.staff.audit import MAX_ACTOR_LENGTH, Act, AuditEntry
from broker.domain.staff.publishing import WEBHOOK, ContentChange
from broker.services.signed_tokens import utc_now
from broker.settings import Settings
from broker.storage.content_changes import ContentChangeStore
from broker.storage.publishing_files import PublishingFiles
from broker.storage.staff.audit import AuditStore

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
