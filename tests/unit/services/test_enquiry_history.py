"""What staff are told of an enquiry's past, and how often the record tells that they read it."""

from __future__ import annotations

import asyncio

import pytest

from broker.domain.staff.audit import Act, AuditEntry
from broker.domain.staff.enquiry_workflow import Case
from broker.services.staff.enquiry_admin import MAX_HISTORY
from broker.settings import Settings
from tests.unit.services.enquiring import Calendar, running, sent, thanked


def test_enquiry_that_stays_open_is_in_the_record_once(db_settings: Settings) -> None:
    async def block() -> list[tuple[str, Act]]:
        calendar = Calendar()
        async with running(db_settings, calendar) as casework:
            reference = thanked(await casework.enquiries.submit(sent())).reference
            other = thanked(await casework.enquiries.submit(sent(message="Another"))).reference
            await casework.desk.open(reference, who="ada")
            assert isinstance(await casework.desk.open(reference, who="ada", again=True), Case)
            await casework.desk.open(other, who="eve")
            await casework.desk.add_note(reference, "Rang", who="bob")
            assert casework.desk.now == calendar.now
            found = await casework.desk.history(reference.lower())
            assert isinstance(found, tuple)
            return [(entry.who, entry.what) for entry in found]

    assert asyncio.run(block()) == [("bob", Act.ENQUIRY_NOTE), ("ada", Act.ENQUIRY_READ)]


@pytest.mark.parametrize("given", ["", None, 7, "no such", "HG-2222-3333"])
def test_history_of_no_enquiry_is_empty(db_settings: Settings, given: object) -> None:
    async def block() -> object:
        calendar = Calendar()
        async with running(db_settings, calendar) as casework:
            await casework.audit.add(AuditEntry(at=calendar.now, who="ada", what=Act.SIGNED_IN))
            return await casework.desk.history(given)

    assert (asyncio.run(block()), MAX_HISTORY) == ((), 300)
