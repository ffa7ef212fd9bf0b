"""A process that sends what is due at a time: `python -m tests.integration.mail_sender DATABASE PORT NAME TIME`."""

import asyncio
import sys
from datetime import datetime

from broker.mail.outbox import Outbox
from broker.mail.outbox_store import OutboxStore
from broker.mail.smtp import mailer_for
from broker.settings import Settings
from broker.storage.database import database_for
from broker.storage.encryption import secret_keys_for
from tests.databases.fixtures import KEY
from tests.unit.enquiries.enquiring import FIRM
from tests.unit.mail.mails import SENDER, STAFF


async def send(database_url: str, port: str, name: str, time: str) -> None:
    settings = Settings(
        database_url=database_url,
        secret_keys=(KEY,),
        smtp_url=f"smtp://127.0.0.1:{port}",
        mail_to=STAFF,
        mail_from=SENDER,
    )
    now, mailer, database = datetime.fromisoformat(time), mailer_for(settings, lambda: FIRM), database_for(settings)
    assert mailer
    store = OutboxStore(database, secret_keys_for(settings), name)
    await Outbox(store, mailer, clock=lambda: now).send_due()
    await database.close()


if __name__ == "__main__":
    asyncio.run(send(*sys.argv[1:]))
