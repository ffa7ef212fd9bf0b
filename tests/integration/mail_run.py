"""Many mails through a server that refuses one in five and is away at times, by senders that are killed."""

import asyncio
import random
import subprocess
import sys
import time
from collections import Counter
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field
from datetime import timedelta
from email import message_from_bytes

from aiosmtpd.smtp import SMTP, Envelope, Session
from sqlalchemy.ext.asyncio import AsyncConnection

from broker.mail.mail import NewMail
from broker.mail.outbox_store import MailCipher, OutboxStore, add_mail
from broker.settings import Settings
from broker.staff.source_health import OutboxStanding
from broker.storage.database import database_for
from broker.storage.encryption import secret_keys_for
from tests.integration.mail_server import mail_server
from tests.timeouts import ANSWER_TIMEOUT
from tests.unit.enquiries.enquiring import BEGINNING
from tests.unit.mail.mails import CONFIRMATION
from tools.server import free_port

SENDERS, MAX_ROUNDS = 2, 60
REFUSED, AWAY_EVERY = 0.2, 5
"""Share of mails that are refused, and rounds of which the server is away in one, the second first."""


@dataclass
class FlakyServer:
    """Counts the mails that it accepted by their Message-ID."""

    chance: random.Random
    port: int = field(default_factory=free_port)
    accepted: Counter[str] = field(default_factory=Counter)
    refused: int = 0

    def up(self) -> AbstractContextManager[None]:
        return mail_server(self, port=self.port)

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802 - aiosmtpd's name
        if self.chance.random() < REFUSED:
            self.refused += 1
            return "451 4.3.0 Try again later"
        assert isinstance(envelope.content, bytes)
        self.accepted[message_from_bytes(envelope.content)["Message-ID"]] += 1
        return "250 OK"


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """What became of the mails; `repeated` were accepted by the server just before their sender was killed."""

    delivered: int
    repeated: int
    refused: int
    standing: OutboxStanding


def deliver(settings: Settings, count: int, *, kills: int, seed: int = 1) -> Delivery:
    """Add mails, send them in rounds an hour apart, and kill both senders in the first `kills` rounds."""
    chance = random.Random(seed)
    server, now = FlakyServer(chance), BEGINNING
    standing = asyncio.run(_fill(settings, count))
    for number in range(MAX_ROUNDS):
        with ExitStack() as up:
            if number % AWAY_EVERY != 1:
                up.enter_context(server.up())
            senders = [_sender(settings, server.port, f"{number} {name}", now.isoformat()) for name in range(SENDERS)]
            if number < kills:
                _kill_after(senders, server, more=chance.randint(1, max(1, count // (2 * kills))))
            assert {each.wait(timeout=3_600) for each in senders} <= {0, -9}
        now += timedelta(hours=1)
        standing = asyncio.run(_standing(settings))
        if not standing.waiting:
            break
    total = sum(server.accepted.values())
    delivered = len(server.accepted)
    return Delivery(delivered=delivered, repeated=total - delivered, refused=server.refused, standing=standing)


def _sender(settings: Settings, port: int, name: str, moment: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "tests.integration.mail_sender", settings.database_url, str(port), name, moment]
    return subprocess.Popen(command, stderr=subprocess.DEVNULL)


def _kill_after(senders: list[subprocess.Popen[bytes]], server: FlakyServer, *, more: int) -> None:
    """Kill senders once the server has accepted some more mails."""
    wanted, deadline = sum(server.accepted.values()) + more, time.monotonic() + ANSWER_TIMEOUT * 10
    while sum(server.accepted.values()) < wanted and any(each.poll() is None for each in senders):
        assert time.monotonic() < deadline
        time.sleep(0.002)
    for each in senders:
        each.kill()


async def _fill(settings: Settings, count: int) -> OutboxStanding:
    database, cipher = database_for(settings), MailCipher(secret_keys_for(settings))
    mail = NewMail(
        kind=CONFIRMATION.kind, created=BEGINNING, recipient=CONFIRMATION.recipient, context=CONFIRMATION.context
    )

    async def work(connection: AsyncConnection) -> None:
        for _ in range(count):
            assert await add_mail(connection, cipher, mail)

    await database.write(work)
    await database.close()
    return await _standing(settings)


async def _standing(settings: Settings) -> OutboxStanding:
    database = database_for(settings)
    try:
        return await OutboxStore(database, secret_keys_for(settings), "reader").status()
    finally:
        await database.close()
