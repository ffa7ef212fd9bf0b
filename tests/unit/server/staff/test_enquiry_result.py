from dataclasses import replace

import pytest
from starlette.types import Scope

from broker import services
from broker.calculators.registry import CALCULATORS
from broker.documents.document import Document, Letterhead
from broker.documents.plans import calculator_document, letterhead
from broker.enquiries.enquiry import Attachment
from broker.routes import STAFF_RESULT
from broker.server.response import Answer
from broker.server.result_pdfs import result_handler
from broker.server.staff.access import is_staff
from broker.services import Services
from broker.settings import Settings
from broker.staff.accounts import StaffSession
from broker.staff.audit import Act
from broker.staff.roles import Role
from broker.storage.errors import StorageError
from tests.our_content import STORE
from tests.pdf_text import read_pdf
from tests.unit.enquiries.enquiring import BEGINNING, running, sent, thanked
from tests.unit.server.site import SITE

DOCUMENT = calculator_document(next(each for each in CALCULATORS if each.slug == "repayment"), {"loan": "187500"})


def head() -> Letterhead:
    return letterhead(STORE.site(), site_url=SITE)


async def answered(settings: Settings, document: Document | None) -> tuple[Answer, list[Act]]:
    """Return the answer for an enquiry with a document, and what the record then tells of it."""
    async with running(settings) as opened:
        services.install(opened)
        submission = replace(sent(), attachment=Attachment(document=document))
        reference = thanked(await opened.enquiries.submit(submission)).reference
        scope: Scope = {"type": "http", "query_string": f"reference={reference}".encode(), "headers": []}
        answer = await result_handler(head)(scope)
        assert answer is not None
        opened.pdf.close()
        return answer, [each.what for each in await opened.audit.latest(9, about=reference)]


@pytest.fixture(autouse=True)
def _services(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "_installed", [])


def sign_in(monkeypatch: pytest.MonkeyPatch, who: str | None) -> None:
    """Have somebody signed in, nobody (empty), or the check fail (None)."""

    async def session(_: Services, *__: object) -> StaffSession | None:
        if who is None:
            raise StorageError("away")
        found = StaffSession(key="k", account_id=1, name=who, role=Role.OWNER, started=BEGINNING, touched=BEGINNING)
        return found if who else None

    monkeypatch.setattr("broker.server.result_pdfs.current_session", session)


async def test_staff_have_the_document_as_it_was_sent(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    sign_in(monkeypatch, "ada")
    answer, record = await answered(settings, DOCUMENT)
    found = read_pdf(answer.body)
    assert (answer.status, answer.headers["cache-control"], record) == (200, "no-store", [Act.ENQUIRY_READ])
    assert {"£187,500", "£1,206.92"} <= found.amounts
    assert "31 March 2026" in found.words


@pytest.mark.parametrize(
    ("who", "document", "status"), [("", DOCUMENT, 403), (None, DOCUMENT, 503), ("ada", None, 404)]
)
async def test_nobody_else_has_it_and_an_enquiry_without_one_says_so(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, who: str | None, document: Document | None, status: int
) -> None:
    sign_in(monkeypatch, who)
    answer, record = await answered(settings, document)
    assert (answer.status, b"%PDF" in answer.body) == (status, False)
    assert record == ([Act.ENQUIRY_READ] if who else [])
    assert is_staff(STAFF_RESULT)
