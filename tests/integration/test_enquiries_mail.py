"""An enquiry reaches staff by a real mail server, whatever that server does first, and nothing of it is doubled."""

import asyncio
import logging
from dataclasses import replace

import pytest

from broker.clock import utc_now
from broker.enquiries.enquiry import EnquiryKind
from broker.enquiries.mail import Outbox, mailer_for
from broker.enquiries.outbox_store import OutboxStore
from broker.enquiries.service import Limits
from broker.settings import Settings
from broker.storage.database import database_for
from tests.integration.mail_server import MailServer, Mood
from tests.unit.enquiries.enquiring import STAFF_URL, Calendar, running, sent, thanked

INJECTIONS = (
    "Ann\r\nBcc: all@evil.example",
    "Ann\nBcc: all@evil.example",
    "Ann\r\n.\r\nMAIL FROM:<x@evil.example>",
    "Ann\u2028Bcc: all@evil.example",
    "=?utf-8?q?Ann=0ABcc:_all=40evil.example?=",
)
"""Names that try to add a header, to end the mail, or to hide either in another break or an encoded word."""


@pytest.fixture
def server() -> MailServer:
    return MailServer()


@pytest.fixture
def settings(db_settings: Settings, server: MailServer) -> Settings:
    return db_settings.changed(smtp_url=server.url, mail_to="staff@broker.example", mail_from="site@broker.example")


async def stored(settings: Settings, calendar: Calendar) -> str:
    async with running(settings.changed(smtp_url=""), calendar) as services:
        return thanked(await services.enquiries.submit(sent())).reference


async def send_due(settings: Settings, calendar: Calendar) -> int:
    """Start again, send what is due, end, and return how many notes went."""
    mailer, database = mailer_for(settings, staff_url=STAFF_URL), database_for(settings)
    assert mailer
    try:
        return await Outbox(OutboxStore(database, "after a restart"), mailer, clock=calendar).send_due()
    finally:
        await database.close()


def test_mail_goes_out_at_once(settings: Settings, server: MailServer) -> None:
    async def block() -> str:
        async with running(settings, utc_now) as services:
            thanks = thanked(await services.enquiries.submit(sent(EnquiryKind.CONTACT)))
            mail = await asyncio.to_thread(server.next)
            return f"{thanks.reference} {mail['Subject']}"

    with server.up():
        reference, subject = asyncio.run(block()).split(" ", 1)
    assert subject == f"Contact form {reference}"
    assert server.taken.empty()


FAILURES = {Mood.GREYLISTS: "451", Mood.BUSY: "452", Mood.REFUSES: "550", Mood.DROPS: "SMTPServerDisconnected"}


@pytest.mark.parametrize(("mood", "code"), FAILURES.items(), ids=FAILURES)
def test_mail_goes_out_once_the_server_has_changed_its_mind(
    settings: Settings, server: MailServer, mood: Mood, code: str, caplog: pytest.LogCaptureFixture
) -> None:
    calendar = Calendar()
    reference = asyncio.run(stored(settings, calendar))
    server.mood = mood
    with server.up(), caplog.at_level(logging.WARNING, logger="broker"):
        assert asyncio.run(send_due(settings, calendar)) == 0
        server.mood = Mood.TAKES
        assert asyncio.run(send_due(settings, calendar)) == 0
        calendar.forward(hours=1)
        assert [asyncio.run(send_due(settings, calendar)) for _ in range(2)] == [1, 0]
        mail = server.next()
    assert mail["Subject"] == f"Callback request {reference}"
    assert {each["Message-ID"] for each in server.dropped} <= {mail["Message-ID"]}
    assert server.taken.empty()
    told = [record.getMessage() for record in caplog.records if record.name == "broker.enquiries.mail"]
    assert [line.rsplit(" ", 1)[-1] for line in told] == [code]


def test_mail_for_an_enquiry_waits_until_the_mail_server_returns(settings: Settings, server: MailServer) -> None:
    calendar = Calendar()
    reference = asyncio.run(stored(settings, calendar))
    assert asyncio.run(send_due(settings, calendar)) == 0
    with server.up():
        calendar.forward(seconds=30)
        assert asyncio.run(send_due(settings, calendar)) == 1
        assert server.next()["Message-ID"] == f"<{reference}@broker.example>"


def test_name_reaches_no_mail_whatever_it_holds(settings: Settings, server: MailServer) -> None:
    async def mails() -> list[str]:
        async with running(settings, utc_now, limits=Limits(sent=9, sent_without_token=9)) as services:
            for name in INJECTIONS:
                thanked(
                    await services.enquiries.submit(replace(sent(name=name), page=f"/{name}/", came_from=f"/{name}/"))
                )
            return [(await asyncio.to_thread(server.next)).as_string() for _ in INJECTIONS]

    with server.up():
        for mail in asyncio.run(mails()):
            assert [word for word in ("evil", "Bcc", "Ann") if word in mail] == []
            assert "Sent from / at" in mail
