"""The list of enquiries as a file: for whoever is signed in, of exactly what was listed, and in the record."""

from __future__ import annotations

import asyncio
import csv
import io
import json
from typing import Any

import pytest
from starlette.datastructures import FormData, Headers

from broker.domain.enquiries.enquiry import EnquiryKind
from broker.domain.enquiries.stored_records import StorageError
from broker.domain.staff.accounts import StaffSession
from broker.domain.staff.audit import Act
from broker.routes import STAFF_FORMS
from broker.services import Services
from broker.services.staff.enquiry_admin import EnquiryAdmin
from broker.settings import Settings
from broker.web.forms.posts import Sender
from broker.web.serving.rates_csv import BYTE_ORDER_MARK
from broker.web.serving.response import Answer
from broker.web.staff.enquiry_export import EnquiryFiles
from tests.unit.services.enquiring import BEGINNING, Calendar, running, sent, thanked

FIRM = "Hearthgate Mortgages"


class SignedIn:
    """Tells that ada is signed in, or nobody, or that it cannot be told; the enquiries are the services'."""

    def __init__(self, services: Services, who: str | None = "ada") -> None:
        self.services, self.who = services, who

    @property
    def staff(self) -> Any:
        """Return what is asked who is signed in."""
        return self

    @property
    def enquiry_admin(self) -> EnquiryAdmin:
        """Return the enquiries."""
        return self.services.enquiry_admin

    async def signed_in(self, _: str) -> StaffSession | None:
        """Return the session, or raise StorageError for no name at all."""
        if self.who is None:
            raise StorageError("away")
        session = StaffSession(key="k", account_id=1, name=self.who, started=BEGINNING, touched=BEGINNING)
        return session if self.who else None


def asked(settings: Settings, *, who: str | None = "ada", **fields: str) -> tuple[Answer, list[tuple[str, str]]]:
    """Return the answer to a form over three enquiries, the first of them ada's, and what the record tells."""

    async def block() -> tuple[Answer, list[tuple[str, str]]]:
        async with running(settings, Calendar()) as services:
            mine = thanked(await services.enquiries.submit(sent(name="=1+1 Ash"))).reference
            await services.enquiries.submit(sent(EnquiryKind.CONTACT, name="Zoë Birch"))
            await services.enquiries.submit(sent(name="Abe Birch"))
            database_desk = SignedIn(services, who)
            await services.enquiry_admin.change_state(mine, "called", version=1, who="ben")
            post = EnquiryFiles(database_desk, firm=FIRM).posts()[STAFF_FORMS["enquiries-file"]]
            answer = await post.answer(FormData(fields), Sender(address="192.0.2.7", headers=Headers({})))
            entries = await services.audit.latest(50)
            return answer, [(each.who, each.detail) for each in entries if each.what is Act.ENQUIRIES_EXPORTED]

    return asyncio.run(block())


def names(answer: Answer) -> list[str]:
    """Return who is in a file."""
    if answer.headers["content-type"].startswith("text/csv"):
        assert answer.body.startswith(BYTE_ORDER_MARK)
        return [row["Name"] for row in csv.DictReader(io.StringIO(answer.body.decode("utf-8-sig")))]
    return [each["contact"]["name"] for each in json.loads(answer.body)["enquiries"]]


@pytest.mark.parametrize(
    ("fields", "found", "told"),
    [
        ({"form": "csv", "order": "oldest"}, ["'=1+1 Ash", "Zoë Birch", "Abe Birch"], "3 as CSV: all"),
        ({"form": "json", "order": "newest"}, ["Abe Birch", "Zoë Birch", "=1+1 Ash"], "3 as JSON: all"),
        ({"form": "csv", "state": "called"}, ["'=1+1 Ash"], "1 as CSV: state called"),
        ({"form": "csv", "kind": "contact"}, ["Zoë Birch"], "1 as CSV: kind contact"),
        ({"form": "json", "text": "birch", "order": "oldest"}, ["Zoë Birch", "Abe Birch"], "2 as JSON: by words"),
        ({"form": "csv", "whose": "mine"}, [], "0 as CSV: assigned to ada"),
    ],
)
def test_file_holds_what_was_listed_and_the_record_tells(
    db_settings: Settings, fields: dict[str, str], found: list[str], told: str
) -> None:
    answer, record = asked(db_settings, **fields)
    assert (answer.status, names(answer), record) == (200, found, [("ada", told)])
    name = f"enquiries-2026-03-31.{fields['form']}"
    assert answer.headers["content-disposition"] == f'attachment; filename="{name}"'


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"form": "CSV"},
        {"form": "xlsx"},
        {"form": "csv", "state": "open"},
        {"form": "csv", "kind": "x"},
        {"form": "csv", "whose": "ben"},
        {"form": "csv", "overdue": "yes"},
        {"form": "csv", "order": "name"},
    ],
)
def test_file_that_would_pass_for_another_is_not_made(db_settings: Settings, fields: dict[str, str]) -> None:
    answer, record = asked(db_settings, **fields)
    assert (answer.status, record) == (400, [])
    assert b"Back to the list" in answer.body


def test_nobody_is_led_to_the_sign_in(db_settings: Settings) -> None:
    answer, record = asked(db_settings, who="", form="csv")
    assert (answer.status, answer.headers["location"], answer.body, record) == (
        303,
        "/staff/sign-in/?to=/staff/enquiries/",
        b"",
        [],
    )


def test_session_that_cannot_be_checked_gets_nothing(db_settings: Settings) -> None:
    answer, record = asked(db_settings, who=None, form="csv")
    assert (answer.status, record) == (503, [])
    assert b"Birch" not in answer.body
