"""A staff area of a test's own: accounts over a database, hashes that cost next to nothing, a calendar."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TypeVar

from broker.domain.staff.audit import AuditEntry
from broker.services.staff.accounts import StaffAccounts
from broker.services.staff.authentication import StaffAuthentication, staff_authentication
from broker.services.staff.password_hashing import Cost, PasswordHashes
from broker.services.staff.sign_in import CodeRequired, SignedIn
from broker.storage.database import Database, database_address
from broker.storage.encryption import SecretKeys
from broker.storage.staff.accounts import StaffStore
from broker.storage.staff.audit import AuditStore
from tests.databases.fixtures import KEY
from tests.unit.services.enquiring import CHEAP, Calendar

ADA, PASSWORD, OTHER = "ada", "seven yellow lanterns", "eleven purple kettles"
HERE = "192.0.2.7"
SITE = "http://localhost:3000"

Found = TypeVar("Found")


@dataclass(frozen=True, slots=True, kw_only=True)
class Staffroom:
    """A staff area, and what looks after its accounts, as the command line does: from outside."""

    admin: StaffAuthentication
    accounts: StaffAccounts
    hashes: PasswordHashes
    calendar: Calendar
    store: StaffStore
    audit: AuditStore
    database: Database

    async def token(self, name: str = ADA, password: str = PASSWORD) -> str:
        """Sign somebody in, and return the token."""
        found = await self.admin.sign_in.with_password(name, password, address=HERE)
        assert isinstance(found, SignedIn), found
        return found.token

    async def ticket(self) -> str:
        """Give ada's password, and return the ticket for her code."""
        found = await self.admin.sign_in.with_password(ADA, PASSWORD, address=HERE)
        assert isinstance(found, CodeRequired), found
        return found.ticket

    async def name(self, token: str) -> str:
        """Return the name of whose token this is, empty for nobody's."""
        session = await self.admin.signed_in(f"a=b; staff={token}")
        return session.name if session else ""

    async def record(self) -> list[AuditEntry]:
        """Return what was recorded, oldest first."""
        return list(reversed(await self.audit.latest(500)))

    async def told(self) -> list[str]:
        """Return what was recorded as sentences, oldest first."""
        return [f"{entry.who} {entry.sentence}" for entry in await self.record()]


@asynccontextmanager
async def staffroom(
    url: str, *, calendar: Calendar | None = None, cost: Cost = CHEAP, site: str = SITE, ada: bool = True
) -> AsyncIterator[Staffroom]:
    """Open a staff area over a database, with ada's account in it where there is none."""
    database, clock = Database(database_address(url)), calendar or Calendar()
    try:
        with PasswordHashes(cost) as hashes:
            store = StaffStore(database)
            room = Staffroom(
                admin=staff_authentication(database, SecretKeys((KEY,)), hashes=hashes, site_url=site, clock=clock),
                accounts=StaffAccounts(store, hashes, clock=clock),
                hashes=hashes,
                calendar=clock,
                store=store,
                audit=AuditStore(database),
                database=database,
            )
            if ada and not await store.find(ADA):
                await room.accounts.add(ADA, PASSWORD)
            yield room
    finally:
        await database.close()


def in_room(url: str, block: Callable[[Staffroom], Awaitable[Found]]) -> Found:
    """Return what happens in a staff area over a database."""

    async def with_it() -> Found:
        async with staffroom(url) as room:
            return await block(room)

    return asyncio.run(with_it())
