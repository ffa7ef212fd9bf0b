import asyncio
import csv
import io
import json
from typing import Any, cast

from starlette.datastructures import FormData, Headers

from broker.cases.case import Outcome
from broker.cases.changes import CallRecord
from broker.cases.lists import CaseLists
from broker.enquiries.enquiry import EnquiryKind
from broker.routes import STAFF_FORMS
from broker.server.downloads import BYTE_ORDER_MARK
from broker.server.forms.posts import Sender
from broker.server.response import Answer
from broker.server.staff.area import EnquiryFiles
from broker.services import Services
from broker.settings import Settings
from broker.staff.accounts import StaffSession
from broker.staff.audit import Act
from broker.staff.roles import Role
from broker.storage.errors import StorageError
from tests.unit.enquiries.enquiring import BEGINNING, Calendar, running, sent, thanked

FIRM = "Hearthgate Mortgages"


class SignedIn:
    """Staff services in which ada is signed in, nobody (empty), or the check fails (None)."""

    def __init__(self, services: Services, who: str | None = "ada", role: Role = Role.OWNER) -> None:
        self.services, self.who, self.role = services, who, role

    @property
    def staff(self) -> Any:
        return self

    @property
    def sessions(self) -> Any:
        return self

    @property
    def case_lists(self) -> CaseLists:
        return self.services.case_lists

    async def signed_in(self, _: str) -> StaffSession | None:
        if self.who is None:
            raise StorageError("away")
        session = StaffSession(
            key="k", account_id=1, name=self.who, role=self.role, started=BEGINNING, touched=BEGINNING
        )
        return session if self.who else None


Exported = tuple[Answer, list[tuple[str, str]]]
"""The answer to a form, and what the audit record says of it."""


def export(
    settings: Settings, *forms: dict[str, str], who: str | None = "ada", role: Role = Role.OWNER
) -> list[Exported]:
    async def block() -> list[Exported]:
        async with running(settings, Calendar()) as services:
            mine = thanked(await services.enquiries.submit(sent(name="=1+1 Ash"))).reference
            await services.enquiries.submit(sent(EnquiryKind.CONTACT, name="Zoë Birch"))
            await services.enquiries.submit(sent(name="Abe Birch"))
            await services.cases.record(mine, CallRecord(outcome=Outcome.REACHED), version=1, who="ben")
            post = EnquiryFiles(cast(Services, SignedIn(services, who, role)), firm=FIRM).posts()[
                STAFF_FORMS["enquiries-file"]
            ]
            found, seen = [], 0
            for fields in forms:
                answer = await post.answer(FormData(fields), Sender(address="192.0.2.7", headers=Headers({})))
                entries = [each for each in await services.audit.latest(50) if each.what is Act.ENQUIRIES_EXPORTED]
                found.append((answer, [(each.who, each.detail) for each in entries[: len(entries) - seen]]))
                seen = len(entries)
            return found

    return asyncio.run(block())


def names(answer: Answer) -> list[str]:
    if answer.headers["content-type"].startswith("text/csv"):
        assert answer.body.startswith(BYTE_ORDER_MARK)
        return [row["Name"] for row in csv.DictReader(io.StringIO(answer.body.decode("utf-8-sig")))]
    return [each["contact"]["name"] for each in json.loads(answer.body)["enquiries"]]


EXPORTS: tuple[tuple[dict[str, str], list[str], str], ...] = (
    ({"form": "csv", "sort": "name"}, ["'=1+1 Ash", "Abe Birch", "Zoë Birch"], "3 as CSV: open"),
    ({"form": "json", "sort": "-name"}, ["Zoë Birch", "Abe Birch", "=1+1 Ash"], "3 as JSON: open"),
    ({"form": "csv", "state": "called", "references": ""}, ["'=1+1 Ash"], "1 as CSV: open, state called"),
    ({"form": "csv", "stage": "enquiry", "text": "zoe"}, ["Zoë Birch"], "1 as CSV: open, stage enquiry, by words"),
    ({"form": "csv", "tab": "closed"}, [], "0 as CSV: closed"),
    ({"form": "csv", "adviser": "@me"}, [], "0 as CSV: open, adviser @me"),
)


def test_file_holds_what_was_listed_and_is_recorded(db_settings: Settings) -> None:
    answers = export(db_settings, *(fields for fields, _, _ in EXPORTS))
    for (fields, found, detail), (answer, record) in zip(EXPORTS, answers, strict=True):
        assert (answer.status, names(answer), record) == (200, found, [("ada", detail)]), fields
        name = f"enquiries-2026-03-31.{fields['form']}"
        assert answer.headers["content-disposition"] == f'attachment; filename="{name}"'


UNKNOWN: tuple[dict[str, str], ...] = (
    *({}, {"form": "CSV"}, {"form": "pdf"}, {"form": "csv", "state": "open"}, {"form": "csv", "kind": "x"}),
    *({"form": "csv", name: value} for name, value in (("tab", "all"), ("due", "yes"), ("sort", "newest"))),
    *({"form": "csv", "references": value} for value in ("x", "HG-2222-3333,", "HG-2222-3333,' OR 1")),
    {"form": "csv", "references": ",".join(["HG-2222-3333"] * 1_001)},
)


def test_file_of_an_unknown_search_is_refused(db_settings: Settings) -> None:
    for fields, (answer, record) in zip(UNKNOWN, export(db_settings, *UNKNOWN), strict=True):
        assert (answer.status, record) == (400, []), fields
        assert b"Back to the list" in answer.body


def test_advisers_file_holds_its_own_cases_of_what_is_listed_or_ticked(db_settings: Settings) -> None:
    forms = ({"form": "csv"}, {"form": "csv", "state": "new"})
    answers = export(db_settings, *forms, role=Role.ADVISER, who="ben")
    assert [(names(answer), record[0][1]) for answer, record in answers] == [
        (["'=1+1 Ash"], "1 as CSV: open, own alone"),
        ([], "0 as CSV: open, state new, own alone"),
    ]


def test_export_needs_a_session_that_can_be_checked(db_settings: Settings) -> None:
    ((answer, record),) = export(db_settings, {"form": "csv"}, who="")
    location = "/staff/sign-in/?to=/staff/enquiries/"
    assert (answer.status, answer.headers["location"], answer.body, record) == (303, location, b"", [])

    ((answer, record),) = export(db_settings, {"form": "csv"}, who=None)
    assert (answer.status, record) == (503, [])
    assert b"Birch" not in answer.body
