from datetime import date

import pytest

from broker.duties.complaint import Complaint, ComplaintState, LetterKind, NotDone, Overtaken, Saved
from broker.duties.complaint_store import CLOSED, UNKNOWN, ComplaintStore
from broker.duties.complaints import AWAY, CORRECT, KEY_LOST, ComplaintService, Outcome
from broker.settings import Settings
from broker.staff.audit_log import AuditStore
from broker.storage.database import Database
from broker.storage.encryption import SecretKeys
from tests.databases.fixtures import KEY
from tests.unit.duties.test_complaint import FORM as COMPLAINT
from tests.unit.enquiries.enquiring import Calendar, running

FORM = {**COMPLAINT, "received": "2026-03-31", "matter": "It came two weeks late"}
"""Received on the day on which the calendar begins, a Tuesday before Easter."""


@pytest.fixture
def service(database: Database, calendar: Calendar) -> ComplaintService:
    return service_over(database, calendar)


def service_over(database: Database, calendar: Calendar, key: str = KEY) -> ComplaintService:
    return ComplaintService(ComplaintStore(database, SecretKeys((key,))), audit=AuditStore(database), clock=calendar)


def saved(outcome: Outcome) -> Complaint:
    assert isinstance(outcome, Saved), outcome
    return outcome.complaint


async def test_complaint_goes_from_receipt_to_its_end(
    service: ComplaintService, database: Database, calendar: Calendar
) -> None:
    first = saved(await service.add(FORM, who="ada"))
    assert first.label == "C-0001"
    calendar.forward(days=1)
    letter = {"letter": "acknowledgement", "sent": "2026-04-01", "words": "We look into it"}
    second = saved(await service.add_letter(first, letter, who="bob"))
    assert [(each.kind, each.words) for each in second.letters] == [(LetterKind.ACKNOWLEDGEMENT, "We look into it")]
    third = saved(await service.add_letter(second, {**letter, "letter": "summary"}, who="bob"))
    ending = {"outcome": "upheld", "closed": "2026-04-01", "redress": "250", "remedy": "Fee refunded"}
    last = saved(await service.close(third, ending, who="ada"))
    assert last.ending
    assert (last.ending.redress, last.ending.remedy) == (250, "Fee refunded")
    assert last.state(service.today) is ComplaintState.SETTLED
    assert await service.open(1, who="ada") == last
    assert await service.all() == (last,)
    entries = [each.sentence for each in reversed(await AuditStore(database).latest(10))]
    assert entries == [
        "recorded complaint C-0001",
        "recorded a letter of complaint C-0001 (acknowledgement, 2026-04-01)",
        "recorded a letter of complaint C-0001 (summary, 2026-04-01)",
        "closed complaint C-0001 (upheld)",
        "read complaint C-0001",
    ]


async def test_two_who_change_one_complaint_see_each_other(service: ComplaintService) -> None:
    held = saved(await service.add(FORM, who="ada"))
    changed = saved(await service.change(1, {**FORM, "cause": "manner"}, version=1, who="ada"))
    late = await service.change(1, {**FORM, "about": "Rude"}, version=held.version, who="bob")
    assert late == Overtaken(complaint=changed)
    letter = {"letter": "final", "sent": "2026-03-31"}
    assert await service.add_letter(held, letter, who="bob") == Overtaken(complaint=changed)


async def test_closed_complaint_is_closed_once_and_may_be_corrected(service: ComplaintService) -> None:
    held = saved(await service.add(FORM, who="ada"))
    ending = {"outcome": "withdrawn", "closed": "2026-03-31", "remedy": "Nothing"}
    closed = saved(await service.close(held, ending, who="ada"))
    assert await service.close(closed, ending, who="ada") == NotDone(words=CLOSED)
    corrected = saved(await service.change(1, {**FORM, "name": "ب" * 200}, version=2, who="ada"))
    assert corrected.record.person.name == "ب" * 200
    assert corrected.ending == closed.ending


async def test_form_with_a_mistake_changes_nothing(service: ComplaintService) -> None:
    found = await service.add({**FORM, "about": ""}, who="ada")
    assert isinstance(found, NotDone)
    assert (found.words, [each.field for each in found.problems]) == (CORRECT, ["about"])
    assert await service.all() == ()
    assert await service.open(1, who="ada") == NotDone(words=UNKNOWN)


async def test_what_is_personal_is_encrypted(service: ComplaintService, database: Database, calendar: Calendar) -> None:
    held = saved(await service.add(FORM, who="ada"))
    saved(await service.add_letter(held, {"letter": "final", "sent": "2026-03-31", "words": "Sorry"}, who="ada"))
    other = service_over(database, calendar, "another key that is long enough to be one")
    assert await other.all() == NotDone(words=KEY_LOST)


async def test_complaint_is_deleted_once_closed_and_three_years_old(
    service: ComplaintService, database: Database
) -> None:
    saved(await service.add(FORM, who="ada"))
    held = saved(await service.add(FORM, who="ada"))
    saved(await service.close(held, {"outcome": "withdrawn", "closed": "2026-03-31"}, who="ada"))
    store = ComplaintStore(database, SecretKeys((KEY,)))
    assert [await store.delete_due(day) for day in (date(2029, 3, 31), date(2029, 4, 1))] == [0, 1]
    left = await store.all()
    assert [each.label for each in left] == ["C-0001"]


async def test_more_years_reach_complaints_that_are_kept_already(service: ComplaintService, database: Database) -> None:
    held = saved(await service.add(FORM, who="ada"))
    assert held.keep_until == date(2029, 3, 31)
    saved(await service.close(held, {"outcome": "withdrawn", "closed": "2026-03-31"}, who="ada"))
    longer = ComplaintStore(database, SecretKeys((KEY,)), years=6)
    assert [await longer.hold() for _ in range(2)] == [1, 0]
    assert [each.keep_until for each in await longer.all()] == [date(2032, 3, 31)]
    assert [await longer.delete_due(date(2032, 3, day)) for day in (30, 31)] == [0, 0]
    assert await longer.delete_due(date(2032, 4, 1)) == 1


async def test_settings_say_how_long_advice_and_complaints_are_kept(db_settings: Settings) -> None:
    async with running(db_settings.changed(advice_years=6, complaint_years=7)) as services:
        kept = {rule.setting: rule.kept for rule in services.duties.rules if rule.setting}
        held = saved(await services.duties.complaints.add(FORM, who="ada"))
    assert held.keep_until == date(2033, 3, 31)
    assert (kept["BROKER_ADVICE_YEARS"], kept["BROKER_COMPLAINT_YEARS"]) == ("6 years", "7 years")


async def test_number_is_used_once(service: ComplaintService, database: Database) -> None:
    held = saved(await service.add(FORM, who="ada"))
    saved(await service.close(held, {"outcome": "withdrawn", "closed": "2026-03-31"}, who="ada"))
    await ComplaintStore(database, SecretKeys((KEY,))).delete_due(date(2029, 4, 1))
    assert saved(await service.add(FORM, who="ada")).label == "C-0002"


async def test_database_away_refuses_and_says_so(service: ComplaintService, database: Database) -> None:
    database.problem = "away"
    assert await service.add(FORM, who="ada") == NotDone(words=AWAY)
    assert await service.all() == NotDone(words=AWAY)
    database.problem = ""
    assert await service.all() == ()
