"""A running site of a test's own whose forms are posted to: its server, its database, and how both are looked into."""

import asyncio
from collections.abc import Coroutine, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

import httpx
import sqlmodel
from sqlalchemy import update

from broker import routes
from broker.enquiries.enquiry import StoredEnquiry
from broker.enquiries.store import EnquiryStore
from broker.settings import Settings
from broker.storage.database import database_for
from broker.storage.encryption import secret_keys_for
from broker.storage.tables import EnquiryRow, MailRow, WatchRow
from broker.watches.store import WatchStore
from tests.timeouts import ANSWER_TIMEOUT
from tools.project import Project
from tools.server import Server, free_port, start

Found = TypeVar("Found")

NO_SETTINGS: Mapping[str, str] = MappingProxyType({})

FORM = {
    "name": "Ada Lovelace",
    "telephone": "07700 900123",
    "email": "ada@example.com",
    "when": "morning",
    "message": "We are buying for the first time.",
    "privacy": "yes",
    "text_version": "2026-11-21",
}
"""A good form."""

_addresses = count(1)


def next_address() -> str:
    number = next(_addresses)
    return f"198.51.{number // 250}.{number % 250}"


class EnquirySite:
    """A server over the shared build, with a folder of its own for what it keeps and what it says."""

    def __init__(
        self,
        project: Project,
        folder: Path,
        *,
        mail: str = "",
        api_url: str = "",
        settings: Mapping[str, str] = NO_SETTINGS,
    ) -> None:
        """`settings` are further environment variables of the server."""
        self._project, self._folder = project, folder
        self.state_dir = folder / "kept"
        self._environment = {"BROKER_STATE_DIR": str(self.state_dir), "BROKER_TRUSTED_PROXIES": "1", **settings}
        if api_url:
            self._environment["BROKER_API_URL"] = api_url
        if mail:
            self._environment |= {"BROKER_SMTP_URL": mail, "BROKER_MAIL_TO": "staff@broker.example"}
            self._environment |= {"BROKER_MAIL_FROM": "site@broker.example"}
        self.server = self._started(free_port())

    @property
    def url(self) -> str:
        return self.server.url

    @property
    def folder(self) -> Path:
        return self._folder

    @property
    def is_running(self) -> bool:
        return self.server.process.poll() is None

    def restart(self) -> None:
        self.stop()
        self.start()

    def stop(self) -> None:
        self.server.stop()

    def start(self) -> None:
        self.server = self._started(int(self.url.rpartition(":")[2]))

    def client(self) -> httpx.Client:
        """Return a browser without scripts, from an address that nobody else sends from."""
        headers = {"x-forwarded-for": next_address(), "origin": self.url}
        return httpx.Client(base_url=self.url, headers=headers, timeout=ANSWER_TIMEOUT)

    def kept(self) -> list[StoredEnquiry]:
        async def read() -> list[StoredEnquiry]:
            database = database_for(self._settings)
            store = EnquiryStore(database, secret_keys_for(self._settings))
            try:
                rows = await database.read(lambda one: one.execute(sqlmodel.select(EnquiryRow.reference)))
                found = [await store.find(row.reference) for row in rows]
            finally:
                await database.close()
            return [each for each in found if each]

        return _done(read())

    def stored(self, name: str) -> StoredEnquiry:
        (found,) = [each for each in self.kept() if each.enquiry.contact.name == name]
        return found

    def watch_links(self) -> list[str]:
        """Return the links of all watches, the oldest first."""

        async def read() -> list[str]:
            database = database_for(self._settings)
            store = WatchStore(database, secret_keys_for(self._settings))
            wanted = sqlmodel.select(WatchRow.contact).order_by(sqlmodel.col(WatchRow.id))
            try:
                rows = await database.read(lambda one: one.execute(wanted))
                return [store._cipher.contact(row.contact)["link"] for row in rows]
            finally:
                await database.close()

        return _done(read())

    def let_notes_be_due(self) -> None:
        """Let the time pass that a note waits after the mail server refused it, or its sender was stopped."""

        async def write() -> None:
            database = database_for(self._settings)
            created = sqlmodel.col(MailRow.created)
            past = update(MailRow).values(due=created, claimed_until=created)
            await database.write(lambda one: one.execute(past))
            await database.close()

        _done(write())

    def _started(self, port: int) -> Server:
        return start(self._project, port, log=self._folder / "server.log", settings=self._environment)

    @property
    def _settings(self) -> Settings:
        return Settings().changed(state_dir=self.state_dir)


def _done(work: Coroutine[Any, Any, Found]) -> Found:
    """Return what comes of some work, done in a thread of its own: Playwright keeps an event loop in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()


@contextmanager
def enquiry_site(
    project: Project, folder: Path, *, mail: str = "", api_url: str = "", settings: Mapping[str, str] = NO_SETTINGS
) -> Iterator[EnquirySite]:
    site = EnquirySite(project, folder, mail=mail, api_url=api_url, settings=settings)
    try:
        yield site
    finally:
        site.server.stop()


def post(client: httpx.Client, path: str = routes.CONTACT, /, **fields: str | list[str]) -> httpx.Response:
    return client.post(path, data={**FORM, **fields})
