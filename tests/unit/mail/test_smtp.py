from dataclasses import replace

import aiosmtplib
import pytest

from broker.mail.mail import UNWRITTEN
from broker.mail.outbox import MailError
from broker.mail.smtp import MailServer, mail_error, mail_server, mailer_for
from broker.settings import Settings, SettingsError
from tests.unit.enquiries.enquiring import FIRM
from tests.unit.mail.mails import CONFIRMATION

SERVER = MailServer(host="mail.example", port=25, encrypted=False, starttls=False, user=None, password=None)

SERVERS = {
    "the plainest": ("smtp://mail.example", SERVER),
    "another port": ("smtp://mail.example:2525", replace(SERVER, port=2525)),
    "encrypted": ("smtps://mail.example", replace(SERVER, port=465, encrypted=True)),
    "encrypted soon": (
        "smtp://admin:p%40ss@mail.example:587?starttls",
        replace(SERVER, port=587, starttls=True, user="admin", password="p@ss"),
    ),
    "on this machine": (
        "smtp://admin:pass@localhost",
        replace(SERVER, host="localhost", user="admin", password="pass"),
    ),
}

REFUSED = (
    "mail.example",
    "http://mail.example",
    "smtp://",
    "smtp://mail.example:port",
    "smtps://mail.example?starttls",
    "smtp://admin:secret@mail.example",
)


FAILURES = {
    "greylisted": (aiosmtplib.SMTPRecipientsRefused([aiosmtplib.SMTPRecipientRefused(451, "", "a")]), "451", "passing"),
    "no such user": (
        aiosmtplib.SMTPRecipientsRefused([aiosmtplib.SMTPRecipientRefused(550, "", "a")]),
        "550",
        "lasting",
    ),
    "no room": (aiosmtplib.SMTPDataError(452, ""), "452", "passing"),
    "taken for spam": (aiosmtplib.SMTPDataError(554, ""), "554", "lasting"),
    "about to close": (aiosmtplib.SMTPDataError(421, ""), "421", "away"),
    "a wrong password": (aiosmtplib.SMTPAuthenticationError(535, ""), "535", "away"),
    "a wrong sender": (aiosmtplib.SMTPSenderRefused(553, "", "a"), "553", "away"),
    "gone": (aiosmtplib.SMTPServerDisconnected("secret@host"), "SMTPServerDisconnected", "away"),
    "never there": (ConnectionRefusedError("secret@host"), "ConnectionRefusedError", "away"),
    "slow": (TimeoutError(), "TimeoutError", "away"),
}


@pytest.mark.parametrize(("error", "code", "meaning"), FAILURES.values(), ids=FAILURES)
def test_mail_failure_is_passing_lasting_or_of_the_server_and_logged_by_its_code(
    error: Exception, code: str, meaning: str
) -> None:
    found = mail_error(error)
    assert (str(found), found.lasting, found.away) == (code, meaning == "lasting", meaning == "away")


def unknown(code: int, answer: str) -> aiosmtplib.SMTPRecipientsRefused:
    return aiosmtplib.SMTPRecipientsRefused([aiosmtplib.SMTPRecipientRefused(code, answer, "a")])


OF_RECIPIENT = {
    "no such user": (unknown(550, "No such user"), True),
    "no such user, by status": (unknown(550, "5.1.1 No such user"), True),
    "not in the directory": (unknown(550, "5.4.1 Recipient address rejected: Access denied"), True),
    "moved": (unknown(551, "User not local"), True),
    "no such name": (unknown(553, "5.1.3 Mailbox name not allowed"), True),
    "no such user, after the mail": (aiosmtplib.SMTPDataError(550, "5.1.1 No such user"), True),
    "greylisted": (unknown(451, "4.7.1 Greylisted"), False),
    "blocked": (unknown(554, "5.7.1 Client host blocked"), False),
    "blocked, without status": (unknown(554, "Blocked"), False),
    "no password": (unknown(530, "Authentication required"), False),
    "another sender wanted": (unknown(550, "5.1.8 Bad sender"), False),
    "taken for spam": (aiosmtplib.SMTPDataError(550, "5.7.1 Spam"), False),
    "taken for spam, without status": (aiosmtplib.SMTPDataError(554, "Spam"), False),
    "a wrong sender": (aiosmtplib.SMTPSenderRefused(550, "5.1.0 Sender", "a"), False),
    "a wrong password": (aiosmtplib.SMTPAuthenticationError(535, "5.7.8 Password"), False),
    "gone": (aiosmtplib.SMTPServerDisconnected("5.1.1"), False),
}


@pytest.mark.parametrize(("error", "is_of_recipient"), OF_RECIPIENT.values(), ids=OF_RECIPIENT)
def test_refusal_is_of_the_recipient_or_of_something_else(error: Exception, *, is_of_recipient: bool) -> None:
    assert mail_error(error).of_recipient is is_of_recipient


@pytest.mark.parametrize(("url", "server"), SERVERS.values(), ids=SERVERS)
def test_address_names_a_server(url: str, server: MailServer) -> None:
    assert mail_server(url) == server


@pytest.mark.parametrize("url", REFUSED)
def test_address_that_does_not_fit_is_refused_and_not_repeated(url: str) -> None:
    with pytest.raises(SettingsError, match=r"^BROKER_SMTP_URL takes smtp://") as refused:
        mail_server(url)
    assert "secret" not in str(refused.value)


def test_server_without_addresses_is_refused_and_none_at_all_is_fine() -> None:
    assert mailer_for(Settings(), lambda: FIRM) is None
    with pytest.raises(SettingsError, match=r"^BROKER_SMTP_URL needs BROKER_MAIL_TO and BROKER_MAIL_FROM beside it$"):
        mailer_for(Settings(smtp_url="smtp://mail.example", mail_to="a@b.example"), lambda: FIRM)


async def test_mail_that_cannot_be_written_is_refused_for_good_and_named_by_its_number(
    caplog: pytest.LogCaptureFixture,
) -> None:
    settings = Settings(smtp_url="smtp://127.0.0.1:1", mail_from="a@b.example", mail_to="c@d.example")
    mailer = mailer_for(settings, lambda: FIRM)
    assert mailer
    with pytest.raises(MailError) as refused:
        await mailer.send(replace(CONFIRMATION, context={}))
    assert (str(refused.value), refused.value.lasting) == (UNWRITTEN, True)
    assert caplog.messages == ["mail 7 cannot be written: KeyError"]
