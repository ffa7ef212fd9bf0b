import asyncio
import csv
import io
import json
from typing import cast

from starlette.datastructures import FormData, Headers

from broker.documents.pdf import PdfService
from broker.duties.service import Duties
from broker.routes import STAFF_FORMS
from broker.server.downloads import BYTE_ORDER_MARK
from broker.server.forms.posts import Sender
from broker.server.response import Answer
from broker.server.staff.duties import DutiesFiles
from broker.services import Services
from broker.settings import Settings
from broker.staff.audit import Act
from tests.our_content import letterhead_of_site
from tests.unit.duties.test_complaints import FORM, saved
from tests.unit.enquiries.enquiring import Calendar, running, sent
from tests.unit.server.staff.test_case_export import FIRM, SignedIn


class Provider(SignedIn):
    @property
    def duties(self) -> Duties:
        return self.services.duties

    @property
    def pdf(self) -> PdfService:
        return self.services.pdf


def complaints_file(settings: Settings, who: str | None = "ada") -> tuple[Answer, list[str]]:
    """Return the answer to the form, and what the audit record says of exports."""

    async def block() -> tuple[Answer, list[str]]:
        async with running(settings, Calendar()) as services:
            saved(await services.duties.complaints.add({**FORM, "name": "=1+1 Ash"}, who="ben"))
            post = DutiesFiles(
                cast(Services, Provider(services, who)), firm=FIRM, letterhead=letterhead_of_site
            ).posts()[STAFF_FORMS["complaints-file"]]
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


def person_file(settings: Settings, form: str, who: str | None = "ada") -> Answer:
    """Return the answer to the form that asks for what is held under a telephone number."""

    async def block() -> Answer:
        async with running(settings, Calendar()) as services:
            await services.enquiries.submit(sent(name="Zoë مثال", telephone="07700 900123"))
            provider = Provider(services, who)
            files = DutiesFiles(cast(Services, provider), firm=FIRM, letterhead=letterhead_of_site)
            post = files.posts()[STAFF_FORMS["person-file"]]
            fields = FormData({"person": "07700 900123", "form": form})
            return await post.answer(fields, Sender(address="192.0.2.7", headers=Headers({})))

    return asyncio.run(block())


def test_personal_data_are_a_file_of_either_kind(db_settings: Settings) -> None:
    written = person_file(db_settings, "json")
    assert (written.status, json.loads(written.body)["found_by"]) == (200, ["07700 900123"])
    drawn = person_file(db_settings, "pdf")
    assert (drawn.status, drawn.body[:5]) == (200, b"%PDF-")
    name = 'attachment; filename="personal-data-2026-03-31.pdf"'
    assert drawn.headers["content-disposition"] == name


def test_personal_data_go_to_staff_alone(db_settings: Settings) -> None:
    for form, who, status in (("json", "", 303), ("json", None, 503), ("xlsx", "ada", 400)):
        answer = person_file(db_settings, form, who)
        assert (answer.status, b"900123" in answer.body) == (status, False)
