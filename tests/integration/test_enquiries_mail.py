"""Mail of an enquiry goes out by a real mail server, whatever that server does first, and none of it twice."""

import asyncio
import logging
import re
from dataclasses import replace
from email.message import Message
from urllib.parse import unquote

import pytest

from broker.clock import utc_now
from broker.enquiries.enquiry import EnquiryKind, StoredEnquiry
from broker.enquiries.service import EnquiryCredentials, EnquiryRefused, Limits
from broker.mail.__main__ import main
from broker.mail.outbox import Outbox
from broker.mail.outbox_store import OutboxStore
from broker.mail.smtp import mailer_for
from broker.settings import Settings
from broker.storage.database import database_for
from broker.storage.encryption import secret_keys_for
from tests.integration.mail_run import SENDERS, deliver
from tests.integration.mail_server import MailServer, Mood
from tests.unit.enquiries.enquiring import ADDRESS, FIRM, Calendar, running, sent, thanked

NO_EMAIL: dict[str, object] = {"email": "", "marketing": []}
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
        return thanked(await services.enquiries.submit(sent(**NO_EMAIL))).reference


async def send_due(settings: Settings, calendar: Calendar) -> int:
    """Start again, send what is due, end, and return how many mails went."""
    mailer, database = mailer_for(settings, lambda: FIRM), database_for(settings)
    assert mailer
    try:
        store = OutboxStore(database, secret_keys_for(settings), "after a restart")
        return await Outbox(store, mailer, clock=calendar).send_due()
    finally:
        await database.close()


def test_mail_goes_out_at_once(settings: Settings, server: MailServer) -> None:
    async def block() -> str:
        async with running(settings, utc_now) as services:
            thanks = thanked(await services.enquiries.submit(sent(EnquiryKind.CONTACT, **NO_EMAIL)))
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
    told = [record.getMessage() for record in caplog.records if record.name == "broker.mail.outbox"]
    assert [line.rsplit(" ", 1)[-1] for line in told] == [code]


def test_mail_for_an_enquiry_waits_until_the_mail_server_returns(settings: Settings, server: MailServer) -> None:
    calendar = Calendar()
    reference = asyncio.run(stored(settings, calendar))
    assert asyncio.run(send_due(settings, calendar)) == 0
    with server.up():
        calendar.forward(seconds=30)
        assert asyncio.run(send_due(settings, calendar)) == 1
        assert server.next()["Subject"] == f"Callback request {reference}"


def test_name_reaches_no_mail_whatever_it_holds(settings: Settings, server: MailServer) -> None:
    async def mails() -> list[str]:
        async with running(settings, utc_now, limits=Limits(sent=9, sent_without_token=9)) as services:
            for name in INJECTIONS:
                form = replace(sent(name=name, **NO_EMAIL), page=f"/{name}/", came_from=f"/{name}/")
                thanked(await services.enquiries.submit(form))
            return [(await asyncio.to_thread(server.next)).as_string() for _ in INJECTIONS]

    with server.up():
        for mail in asyncio.run(mails()):
            assert [word for word in ("evil", "Bcc", "Ann") if word in mail] == []
            assert "Sent from / at" in mail


def test_sender_gets_one_confirmation_whose_link_opens_the_enquiry_until_it_is_deleted(
    settings: Settings, server: MailServer
) -> None:
    async def block() -> tuple[list[Message], list[object]]:
        async with running(settings, utc_now) as services:
            await services.enquiries.submit(sent())
            mails = [await asyncio.to_thread(server.next) for _ in range(2)]
            link = link_in(mails[1])
            proofs = [EnquiryCredentials(address=ADDRESS, link=each) for each in (link, link[:-3], "forged")]
            found = [await services.enquiries.find(proof) for proof in proofs]
            receipt = thanked(await services.enquiries.submit(sent())).link
            other = await services.enquiries.find(EnquiryCredentials(address=ADDRESS, link=receipt))
            reverse = await services.enquiries.thanked(link)
            deleted = await services.enquiries.delete(proofs[0])
            return mails, [*found, other, reverse, deleted, await services.enquiries.find(proofs[0])]

    with server.up():
        mails, (found, *refused) = asyncio.run(block())
    assert [each["To"] for each in mails] == ["staff@broker.example", "zebedee@quill.example"]
    assert isinstance(found, StoredEnquiry)
    assert mails[1]["Subject"] == f"We have your enquiry {found.reference}"
    assert [isinstance(each, EnquiryRefused) for each in refused] == [True, True, True, True, False, True]
    assert refused[4] is True
    assert server.taken.empty()


def test_mailbox_gets_a_few_confirmations_an_hour_and_staff_a_note_of_each(settings: Settings) -> None:
    async def block() -> int:
        limits = Limits(sent=9, sent_without_token=9, confirmed=2)
        async with running(settings.changed(smtp_url=""), utc_now, limits=limits) as services:
            for number in range(5):
                form = sent(EnquiryKind.CONTACT, message=f"Message {number}", email="Zebedee@Quill.example")
                thanked(await services.enquiries.submit(form))
            return (await services.outbox.status()).waiting

    assert asyncio.run(block()) == 5 + 2


def link_in(mail: Message) -> str:
    """Return the token of the link in a mail's text."""
    text = next(part for part in mail.walk() if part.get_content_type() == "text/plain").get_payload(decode=True)
    assert isinstance(text, bytes)
    found = re.search(r"/your-enquiry/\?link=(\S+)", text.decode())
    assert found
    return unquote(found[1])


def test_each_mail_arrives_though_the_server_refuses_some_and_senders_are_killed(db_settings: Settings) -> None:
    count, kills = 40, 1
    delivery = deliver(db_settings, count, kills=kills)
    assert (delivery.delivered, delivery.standing.waiting, delivery.standing.given_up) == (count, 0, 0)
    # a sender that is killed after the server's answer, and before it is stored, sends its mail again
    assert delivery.repeated <= SENDERS * kills
    assert delivery.refused > 0


def test_operator_is_told_what_the_server_answered(
    settings: Settings, server: MailServer, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("broker.mail.__main__.read_settings", lambda: settings)
    with server.up():
        assert main(["test", "ada@quill.example"]) == 0
        mail = server.next()
        server.mood = Mood.REFUSES
        assert main(["test", "ada@quill.example"]) == 1
    assert main(["test", "ada@quill.example"]) == 1
    assert main(["test", "no address"]) == 1
    out, err = capsys.readouterr()
    assert (mail["To"], mail["Subject"]) == ("ada@quill.example", "A test of our mail")
    assert out == "The mail server accepted the mail, and answered: OK\n"
    assert [line.partition(" (")[0] for line in err.splitlines()] == [
        *("The mail was not accepted: 550", "The mail was not accepted: SMTPConnectError"),
        "'no address' is no email address.",
    ]
    monkeypatch.setattr("broker.mail.__main__.read_settings", lambda: settings.changed(smtp_url=""))
    assert main(["test", "ada@quill.example"]) == 1
    assert capsys.readouterr().err.startswith("No mail server is named: set BROKER_SMTP_URL")
