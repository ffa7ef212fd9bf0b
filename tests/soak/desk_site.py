"""A served site with the desk of a large firm: rows stored in bulk, and colleagues who sign in over HTTP."""

import asyncio
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
from sqlalchemy import insert
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlmodel import SQLModel

from broker import routes
from broker.staff.__main__ import StaffAccounts
from broker.staff.account_store import StaffStore
from broker.staff.credentials import PasswordHashes
from broker.storage.database import Database, database_address
from tests.databases.fixtures import KEY
from tests.integration.enquiry_site import next_address
from tests.timeouts import ANSWER_TIMEOUT
from tests.unit.enquiries.enquiring import CHEAP
from tests.unit.staff.staff_testbed import PASSWORD
from tools.project import Project
from tools.server import Server, free_port, start

_BATCH = 1_000

Rows = Mapping[type[SQLModel], Sequence[Mapping[str, Any]]]


def store(url: str, rows: Rows, accounts: Iterable[str]) -> None:
    """Store rows by table in their order, and add accounts of owners, all with `PASSWORD`.

    The database gives each row its number, as those that it gives later must be others.
    """

    async def work(connection: AsyncConnection) -> None:
        for table, values in rows.items():
            for first in range(0, len(values), _BATCH):
                batch = [
                    {name: value for name, value in each.items() if name != "id"}
                    for each in values[first : first + _BATCH]
                ]
                await connection.execute(insert(table), batch)

    async def stored() -> None:
        database = Database(database_address(url))
        try:
            await database.write(work)
            with PasswordHashes(CHEAP) as hashes:
                for name in accounts:
                    await StaffAccounts(StaffStore(database), hashes).add(name, PASSWORD)
        finally:
            await database.close()

    asyncio.run(stored())


@contextmanager
def desk_site(project: Project, folder: Path, url: str) -> Iterator[Server]:
    """Serve the current release over a database."""
    settings = {
        "BROKER_STATE_DIR": str(folder / "kept"),
        "BROKER_DATABASE_URL": url,
        "BROKER_SECRET_KEY": KEY,
        "BROKER_TRUSTED_PROXIES": "1",
    }
    server = start(project, free_port(), log=folder / "server.log", settings=settings)
    try:
        yield server
    finally:
        server.stop()


@contextmanager
def signed_in(server: Server, name: str) -> Iterator[httpx.Client]:
    """Return a browser without scripts in which an account is signed in."""
    headers = {"x-forwarded-for": next_address(), "origin": server.url}
    with httpx.Client(base_url=server.url, headers=headers, timeout=ANSWER_TIMEOUT) as client:
        answer = client.post(routes.STAFF_FORMS["sign-in"], data={"name": name, "password": PASSWORD})
        assert "staff" in client.cookies, answer.status_code
        yield client
