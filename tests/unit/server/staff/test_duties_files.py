import asyncio
import csv
import io

from starlette.datastructures import FormData, Headers

from broker.duties.service import Duties
from broker.routes import STAFF_FORMS
from broker.server.downloads import BYTE_ORDER_MARK
from broker.server.forms.posts import Sender
from broker.server.response import Answer
from broker.server.staff.duties import DutiesFiles
from broker.settings import Settings
from broker.staff.audit import Act
from tests.unit.duties.test_complaints import FORM, saved
from tests.unit.enquiries.enquiring import Calendar, running
from tests.unit.server.staff.test_case_export import FIRM, SignedIn


class Provider(SignedIn):
    @property
    def duties(self) -> Duties:
        return self.services.duties


def complaints_file(settings: Settings, who: str | None = "ada") -> tuple[Answer, list[str]]:
    """Return the answer to the form, and what the audit record says of exports."""

    async def block() -> tuple[Answer, list[str]]:
        async with running(settings, Calendar()) as services:
            saved(await services.duties.complaints.add({**FORM, "name": "=1+1 Ash"}, who="ben"))
            post = DutiesFiles(Provider(services, who), firm=FIRM).posts()[STAFF_FORMS["complaints-file"]]
            answer = await post.answer(FormData(), Sender(address="192.0.2.7", headers=Headers({})))
            entries = await services.audit.latest(50)
            return answer, [each.detail for each in entries if each.what is Act.COMPLAINTS_EXPORTED]

    return asyncio.run(block())


def test_register_is_a_file_and_is_recorded(db_settings: Settings) -> None:
    answer, record = complaints_file(db_settings)
    assert (answer.status, record) == (200, ["1 as CSV"])
    assert answer.headers["content-disposition"] == 'attachment; filename="complaints-2026-03-31.csv"'
    assert answer.body.startswith(BYTE_ORDER_MARK)
    (row,) = csv.DictReader(io.StringIO(answer.body.decode("utf-8-sig"), newline=""))
    assert (row["Number"], row["Name"]) == ("C-0001", "'=1+1 Ash")


def test_nobody_gets_the_register(db_settings: Settings) -> None:
    for who, status in (("", 303), (None, 503)):
        answer, record = complaints_file(db_settings, who)
        assert (answer.status, record, b"Ash" in answer.body) == (status, [], False)
