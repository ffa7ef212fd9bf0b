"""How early lenders let their own borrowers book, for staff: the list, and corrections of the file's values."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from datetime import datetime

from broker.clock import uk_date, utc_now
from broker.lenders.directory import LenderDirectory
from broker.lenders.window_store import WindowStore
from broker.lenders.windows import Correction, parse_correction
from broker.staff.audit import MAX_ACTOR_LENGTH, Act, AuditEntry
from broker.storage.errors import StorageError

POLL_SECONDS = 10.0
"""The longest delay until every server uses a correction."""

CONFLICT = "Somebody else has changed this lender meanwhile. Compare what we hold now with yours, then press Save again"


class WindowAdmin:
    """Methods raise StorageError. The caller has checked that `who` is a member of staff."""

    def __init__(
        self, store: WindowStore, directory: LenderDirectory, *, clock: Callable[[], datetime] = utc_now
    ) -> None:
        self._store, self.directory, self._clock = store, directory, clock

    async def learn(self) -> None:
        """Read the corrections of all servers."""
        self.directory.learn_windows({each.lender_id: each for each in await self._store.newest()})

    async def learn_periodically(self, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep) -> None:
        """Read the corrections forever; keep those that are known while the database is unavailable."""
        while True:
            with suppress(StorageError):
                await self.learn()
            await sleep(POLL_SECONDS)

    async def correct(self, lender_id: int, given: Mapping[str, str], *, number: int, who: str) -> dict[str, str]:
        """Store a correction made to that of a number; return the problems of its fields, "" for one of all."""
        today = uk_date(self._clock())
        parsed = parse_correction(lender_id, given, number=number + 1, who=who[:MAX_ACTOR_LENGTH], today=today)
        return parsed if isinstance(parsed, dict) else await self._add(parsed, Act.WINDOW_CORRECTED)

    async def withdraw(self, lender_id: int, *, number: int, who: str) -> dict[str, str]:
        """Use the values of the file again; return the problem, if there is one, as `correct` does."""
        none = Correction(lender_id=lender_id, number=number + 1, who=who[:MAX_ACTOR_LENGTH])
        return await self._add(none, Act.WINDOW_WITHDRAWN)

    async def _add(self, given: Correction, act: Act) -> dict[str, str]:
        name, now = self.directory.name(given.lender_id), self._clock()
        detail = ", ".join(filter(None, (name, given.opens, given.source)))
        entry = AuditEntry(at=now, who=given.who, what=act, about=f"lender {given.lender_id}", detail=detail)
        is_stored = await self._store.add(given, entry, at=now)
        with suppress(StorageError):  # it is stored, and read again soon
            await self.learn()
        return {} if is_stored else {"": CONFLICT}
