"""What staff are told of an enquiry's past, and how often the record tells that they read it."""

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
        async with running(db_settings, calendar) as services:
            reference = thanked(await services.enquiries.submit(sent())).reference
            other = thanked(await services.enquiries.submit(sent(message="Another"))).reference
            await services.enquiry_admin.open(reference, who="ada")
            assert isinstance(await services.enquiry_admin.open(reference, who="ada", again=True), Case)
            await services.enquiry_admin.open(other, who="eve")
            await services.enquiry_admin.add_note(reference, "Rang", who="bob")
            assert services.enquiry_admin.now == calendar.now
            found = await services.enquiry_admin.history(reference.lower())
            assert isinstance(found, tuple)
            return [(entry.who, entry.what) for entry in found]

    assert asyncio.run(block()) == [("bob", Act.ENQUIRY_NOTE), ("ada", Act.ENQUIRY_READ)]


@pytest.mark.parametrize("given", ["", None, 7, "no such", "HG-2222-3333"])
def test_history_of_no_enquiry_is_empty(db_settings: Settings, given: object) -> None:
    async def block() -> object:
        calendar = Calendar()
        async with running(db_settings, calendar) as services:
            await services.audit.add(AuditEntry(at=calendar.now, who="ada", what=Act.SIGNED_IN))
            return await services.enquiry_admin.history(given)

    assert (asyncio.run(block()), MAX_HISTORY) == ((), 300)
