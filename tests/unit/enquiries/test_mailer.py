from dataclasses import replace
from datetime import timedelta

import aiosmtplib
import pytest

from broker.enquiries.enquiry import EnquiryKind
from broker.enquiries.mail import MailServer, SmtpMailer, mail_error, mail_server, mailer_for
from broker.enquiries.outbox_store import OutboxMessage
from broker.settings import Settings, SettingsError
from tests.unit.enquiries.enquiring import BEGINNING, STAFF_URL

SERVER = MailServer(host="mail.example", port=25, encrypted=False, starttls=False, user=None, password=None)
NOTE = OutboxMessage(
    id=7,
    reference="HG-7K3M-Q2XD",
    kind=EnquiryKind.CALLBACK,
    page="/remortgaging/",
    created=BEGINNING,
    call_by=BEGINNING + timedelta(hours=22),
    attempts=1,
)

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


def mailer() -> SmtpMailer:
    return SmtpMailer(SERVER, to="staff@broker.example", sender="site@broker.example", staff_url=STAFF_URL)


def test_mail_names_the_enquiry_and_the_page_to_read_it_on() -> None:
    message = mailer().mail(NOTE)
    assert dict(message.items()) == {
        "Subject": "Callback request HG-7K3M-Q2XD",
        "From": "site@broker.example",
        "To": "staff@broker.example",
        "Date": "Tue, 31 Mar 2026 12:00:00 +0000",
        "Message-ID": "<HG-7K3M-Q2XD@broker.example>",
        "Auto-Submitted": "auto-generated",
        "Content-Type": 'text/plain; charset="utf-8"',
        "Content-Transfer-Encoding": "7bit",
        "MIME-Version": "1.0",
    }
    assert message.get_content() == (
        "Callback request HG-7K3M-Q2XD\n\n"
        "Sent from /remortgaging/ at 13:00 on 31 March 2026.\n"
        "We promised a call before 11:00 on 1 April 2026, UK time.\n"
        "Read it at https://broker.example/staff/enquiry/?reference=HG-7K3M-Q2XD\n"
    )


def test_mail_is_the_same_at_each_attempt() -> None:
    assert mailer().mail(NOTE).as_bytes() == mailer().mail(replace(NOTE, attempts=9)).as_bytes()


@pytest.mark.parametrize("break_", ["\n", "\r\n", "\r"])
def test_line_break_makes_no_header(break_: str) -> None:
    with pytest.raises(ValueError, match="linefeed or carriage return"):
        mailer().mail(replace(NOTE, reference=f"HG{break_}Bcc: all@evil.example"))


@pytest.mark.parametrize(("error", "code", "meaning"), FAILURES.values(), ids=FAILURES)
def test_mail_failure_is_passing_lasting_or_of_the_server_and_logged_by_its_code(
    error: Exception, code: str, meaning: str
) -> None:
    found = mail_error(error)
    assert (str(found), found.lasting, found.away) == (code, meaning == "lasting", meaning == "away")


@pytest.mark.parametrize(("url", "server"), SERVERS.values(), ids=SERVERS)
def test_address_names_a_server(url: str, server: MailServer) -> None:
    assert mail_server(url) == server


@pytest.mark.parametrize("url", REFUSED)
def test_address_that_does_not_fit_is_refused_and_not_repeated(url: str) -> None:
    with pytest.raises(SettingsError, match=r"^BROKER_SMTP_URL takes smtp://") as refused:
        mail_server(url)
    assert "secret" not in str(refused.value)


def test_server_without_addresses_is_refused_and_none_at_all_is_fine() -> None:
    assert mailer_for(Settings(), staff_url=STAFF_URL) is None
    with pytest.raises(SettingsError, match=r"^BROKER_SMTP_URL needs BROKER_MAIL_TO and BROKER_MAIL_FROM beside it$"):
        mailer_for(Settings(smtp_url="smtp://mail.example", mail_to="a@b.example"), staff_url=STAFF_URL)
