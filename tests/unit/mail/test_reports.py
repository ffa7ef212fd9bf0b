import pytest

from broker.mail.reports import MailReport, parse_report
from tests.unit.mail.mails import MAIL_KEY, bounce, complaint

BOUNCED = MailReport(key=MAIL_KEY, is_complaint=False)
COMPLAINED = MailReport(key=MAIL_KEY, is_complaint=True)

REPORTS = {
    "a bounce with the mail": (bounce(), BOUNCED),
    "a bounce with its headers": (bounce(original="text/rfc822-headers"), BOUNCED),
    "a full mailbox, for good": (bounce(status="5.2.2"), BOUNCED),
    "a complaint": (complaint(), COMPLAINED),
    "no complaint": (complaint("not-spam"), None),
    "a delay": (bounce(action="delayed", status="4.4.1"), None),
    "a passing failure": (bounce(status="4.2.2"), None),
    "a delivery": (bounce(action="delivered", status="2.0.0"), None),
    "a bounce of another's mail": (bounce(key="!"), None),
    "an answer of a person": (b"From: a@b.example\r\nSubject: Re: Your mail\r\n\r\nThank you\r\n", None),
    "nothing": (b"", None),
    "bytes": (bytes(range(256)) * 9, None),
    "a report cut short": (bounce()[:700], None),
    "a report without parts": (b"Content-Type: multipart/report; boundary=b\r\n\r\n--b\r\n--b--\r\n", None),
}


@pytest.mark.parametrize(("raw", "report"), REPORTS.values(), ids=REPORTS)
def test_only_lasting_failures_and_complaints_of_our_mail_are_reports(raw: bytes, report: MailReport | None) -> None:
    assert parse_report(raw) == report
