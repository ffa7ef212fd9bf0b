from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from broker import routes
from broker.mail.mail import ReportOutcome
from broker.mail.reports import MailReport
from broker.server.content_hook import AWAY, EXPIRED, FORGED, HEADER, MISSING, sign
from broker.server.edge import api_transformer
from broker.server.mail_hook import ANSWERS, IGNORED, MAX_REPORT_BYTES, MailHook
from broker.server.releases import LiveExport
from broker.settings import Settings
from broker.storage.errors import StorageError
from tests.unit.enquiries.enquiring import BEGINNING, Calendar
from tests.unit.mail.mails import bounce, complaint
from tests.unit.server.site import SITE, put_release

SECRET = "a secret of the webhook for mail, in letters"
NOW = int(BEGINNING.timestamp())


class Records:
    def __init__(self) -> None:
        self.reports: list[MailReport] = []
        self.outcome: ReportOutcome | None = ReportOutcome.RECORDED

    async def record(self, report: MailReport) -> ReportOutcome:
        self.reports.append(report)
        if self.outcome is None:
            raise StorageError("away")
        return self.outcome


@pytest.fixture
def records() -> Records:
    return Records()


def client(folder: Path, records: Records, *secrets: str) -> TestClient:
    settings = Settings(site_url=SITE, mail_hook_secrets=secrets)
    hook = MailHook(settings, lambda: records, clock=Calendar())
    put_release(folder)
    edge = api_transformer(settings, LiveExport(folder, SITE), handlers=hook.handlers(), posts=hook.posts())
    return TestClient(edge(Starlette()), base_url=SITE, follow_redirects=False)


def post(web: TestClient, body: bytes, header: str | None = None) -> tuple[int, str]:
    signed = sign(SECRET, body, at=NOW) if header is None else header
    answer = web.post(routes.MAIL_HOOK, content=body, headers={HEADER: signed})
    return answer.status_code, answer.text


def test_signed_reports_are_recorded_and_other_mail_is_ignored(tmp_path: Path, records: Records) -> None:
    web = client(tmp_path, records, SECRET)
    for body in (bounce(), complaint()):
        assert post(web, body) == ANSWERS[ReportOutcome.RECORDED]
    for body in (bounce(status="4.2.2"), b"Subject: Re: Your mail\r\n\r\nThank you", b""):
        assert post(web, body) == (202, IGNORED)
    assert [each.is_complaint for each in records.reports] == [False, True]
    for records.outcome in (ReportOutcome.REPEATED, ReportOutcome.UNKNOWN):
        assert post(web, bounce()) == ANSWERS[records.outcome]


def test_report_without_a_valid_signature_changes_nothing(tmp_path: Path, records: Records) -> None:
    web, body = client(tmp_path, records, SECRET), bounce()
    forged = sign("another secret of the webhook, in letters", body, at=NOW)
    for header, words in (("", MISSING), (forged, FORGED), (sign(SECRET, body, at=NOW - 301), EXPIRED)):
        assert post(web, body, header) == (401, words)
    assert post(web, b"x" * (MAX_REPORT_BYTES + 1))[0] == 413
    assert web.get(routes.MAIL_HOOK).status_code == 405
    assert records.reports == []


def test_report_is_to_be_sent_again_while_the_database_is_away(tmp_path: Path, records: Records) -> None:
    records.outcome = None
    assert post(client(tmp_path, records, SECRET), bounce()) == (503, AWAY)


def test_address_does_not_exist_without_a_secret(tmp_path: Path, records: Records) -> None:
    assert post(client(tmp_path, records), bounce())[0] in (404, 405)
    assert records.reports == []
