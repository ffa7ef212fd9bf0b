from datetime import timedelta

import pytest

from broker.cases.case import MAX_NOTE, DeleteReason
from broker.cases.draft_store import DRAFT_TIME
from broker.services import Services
from tests.unit.enquiries.enquiring import Calendar, sent, thanked


@pytest.fixture
async def reference(services: Services) -> str:
    return thanked(await services.enquiries.submit(sent())).reference


async def test_draft_is_an_accounts_own_until_it_is_saved(services: Services, reference: str) -> None:
    drafts = services.drafts
    assert await drafts.find(reference, who="ada") == ""
    assert await drafts.keep(reference, "Rang, no", who="ada")
    assert await drafts.keep(reference, "Rang, no answer", who="ada")
    assert await drafts.keep(reference, "Mine", who="ben")
    assert [await drafts.find(reference, who=who) for who in ("ada", "ben", "eve")] == ["Rang, no answer", "Mine", ""]
    assert await drafts.keep(reference, "", who="ada")
    assert [await drafts.find(reference, who=who) for who in ("ada", "ben")] == ["", "Mine"]


async def test_draft_goes_with_its_case_and_with_time(services: Services, reference: str, calendar: Calendar) -> None:
    other = thanked(await services.enquiries.submit(sent(message="Another"))).reference
    await services.drafts.keep(reference, "Rang", who="ada")
    await services.drafts.keep(other, "Rang", who="ada")
    await services.cases.delete(reference, DeleteReason.SPAM.value, version=1, who="ada")
    assert [await services.drafts.find(each, who="ada") for each in (reference, other)] == ["", "Rang"]
    calendar.forward(minutes=1 + DRAFT_TIME // timedelta(minutes=1))
    await services.drafts.keep(other, "Rang", who="ben")
    assert [await services.drafts.find(other, who=who) for who in ("ada", "ben")] == ["", "Rang"]


async def test_what_no_page_sends_is_not_kept(services: Services, reference: str) -> None:
    for given in (None, 7, [], {}, "x" * (MAX_NOTE + 1)):
        assert not await services.drafts.keep(reference, given, who="ada")
        assert not await services.drafts.keep(given, "Rang", who="ada")
    assert await services.drafts.keep("HG-2222-3333", "Rang", who="ada")  # of no case
    assert await services.drafts.find("HG-2222-3333", who="ada") == ""
