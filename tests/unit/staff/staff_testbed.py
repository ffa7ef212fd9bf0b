"""The staff area of a test: accounts over a database, hashes that cost next to nothing, a clock that the test sets."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from broker.staff.__main__ import StaffAccounts
from broker.staff.account_store import StaffStore
from broker.staff.accounts import StaffSession
from broker.staff.audit import AuditEntry
from broker.staff.audit_log import AuditStore
from broker.staff.authentication import StaffAuthentication, staff_authentication
from broker.staff.credentials import Cost, PasswordHashes, code_at, step_at
from broker.staff.people_store import PeopleStore
from broker.staff.sign_in import CodeRequired, SignedIn, Sleep
from broker.storage.database import Database, database_address
from broker.storage.encryption import SecretKeys
from tests.databases.fixtures import KEY
from tests.unit.enquiries.enquiring import CHEAP, Calendar

ADA, PASSWORD, OTHER = "ada", "seven yellow lanterns", "eleven purple kettles"
HERE = "192.0.2.7"
SITE = "http://localhost:3000"


@dataclass(frozen=True, slots=True, kw_only=True)
class StaffTestbed:
    """The staff area of a site, and its accounts as the command line administers them."""

    admin: StaffAuthentication
    accounts: StaffAccounts
    hashes: PasswordHashes
    calendar: Calendar
    store: StaffStore
    audit: AuditStore
    database: Database

    async def disable(self, name: str) -> None:
        """Disable an account as the command line does."""
        await self.accounts.disable(name, people=PeopleStore(self.database, SecretKeys((KEY,))))

    async def sign_in(
        self, name: object = ADA, password: object = PASSWORD, address: str = HERE, *, device: str = ""
    ) -> object:
        return await self.admin.sign_in.with_password(name, password, address=address, device=device)

    async def token(self, name: str = ADA, password: str = PASSWORD) -> str:
        found = await self.sign_in(name, password)
        assert isinstance(found, SignedIn), found
        return found.token

    async def session(self, token: str = "") -> StaffSession:
        """Return the session of a token, of a new sign-in without one."""
        session = await self.admin.sessions.signed_in(f"staff={token or await self.token()}")
        assert session
        return session

    async def step_token(self) -> str:
        """Enter ada's password, and return the step_token for the second step."""
        found = await self.sign_in()
        assert isinstance(found, CodeRequired), found
        return found.step_token

    async def name(self, token: str) -> str:
        session = await self.admin.sessions.signed_in(f"a=b; staff={token}")
        return session.name if session else ""

    def code(self, secret: bytes) -> str:
        return code_at(secret, step_at(self.calendar()))

    async def set_up_codes(self, session: StaffSession) -> tuple[bytes, tuple[str, ...]]:
        secret = await self.admin.account.begin_codes(session, password=PASSWORD)
        assert isinstance(secret, bytes)
        codes = await self.admin.account.confirm_codes(session, code=self.code(secret))
        assert isinstance(codes, tuple)
        return secret, codes

    async def audit_entries(self) -> list[AuditEntry]:
        return list(reversed(await self.audit.latest(500)))

    async def audit_sentences(self) -> list[str]:
        return [f"{entry.who} {entry.sentence}" for entry in await self.audit_entries()]


async def no_wait(_seconds: float) -> None:
    """Stand for the time that many failures cost."""


@asynccontextmanager
async def staff_testbed(
    url: str,
    *,
    calendar: Calendar | None = None,
    cost: Cost = CHEAP,
    site: str = SITE,
    ada: bool = True,
    sleep: Sleep = no_wait,
    codes_required: bool = False,
) -> AsyncIterator[StaffTestbed]:
    """Open a staff area over a database, with ada's account in it where there is none."""
    database, clock = Database(database_address(url)), calendar or Calendar()
    try:
        with PasswordHashes(cost) as hashes:
            store = StaffStore(database)
            testbed = StaffTestbed(
                admin=staff_authentication(
                    database,
                    SecretKeys((KEY,)),
                    hashes=hashes,
                    site_url=site,
                    codes_required=codes_required,
                    clock=clock,
                    sleep=sleep,
                ),
                accounts=StaffAccounts(store, hashes, clock=clock),
                hashes=hashes,
                calendar=clock,
                store=store,
                audit=AuditStore(database),
                database=database,
            )
            if ada and not await store.find(ADA):
                await testbed.accounts.add(ADA, PASSWORD)
            yield testbed
    finally:
        await database.close()
