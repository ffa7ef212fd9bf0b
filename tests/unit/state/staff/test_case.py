from typing import Any
from unittest.mock import AsyncMock

import pytest

from broker import routes
from broker.cases.case import Refused
from broker.cases.service import AWAY, CaseService
from broker.state.staff.case import ANOTHER, EnquiryPageState
from tests.unit.staff.watched_site import Site
from tests.unit.state.tab import StaffTab, enquire


async def opened(reference: str, name: str = "ada") -> StaffTab:
    tab = StaffTab(EnquiryPageState, name)
    await tab.open(routes.staff_enquiry(reference))
    return tab


def stamp(tab: StaffTab) -> str:
    return tab.state.found.stamp


async def test_enquiry_is_worked_through(staff_site: Site) -> None:
    tab = await opened(await enquire(staff_site))
    assert (tab.state.status, tab.state.found.name) == ("loaded", "Zebedee Quillfeather")
    assert tab.state.accounts == ("ada", "ben")
    await tab.do("take", stamp(tab))
    assert (tab.state.result, tab.state.found.is_mine) == ("You have this enquiry now", True)
    await tab.do("move", "called", stamp(tab))
    assert (tab.state.result, tab.state.found.state) == ("This enquiry is called now", "Called")
    await tab.do("assign", {"account": "", "stamp": stamp(tab)})
    assert (tab.state.result, tab.state.found.assigned) == ("Nobody has this enquiry now", "")
    before = tab.state.note_stamp
    await tab.do("add_note", {"note": "Rang.", "stamp": stamp(tab)})
    assert (tab.state.result, [note.text for note in tab.state.found.notes]) == ("Your note is kept", ["Rang."])
    assert tab.state.note_stamp != before
    assert tab.state.history[0].did == "You wrote a note"
    assert (tab.state.refused, tab.state.meanwhile.heading) == ("", "")


async def test_conflicting_change_is_refused_with_who_changed_what(staff_site: Site) -> None:
    reference = await enquire(staff_site)
    ada, ben = await opened(reference), await opened(reference, "ben")
    await ben.do("take", stamp(ben))
    await ben.do("add_note", {"note": "Mine.", "stamp": stamp(ben)})
    typed = ada.state.note_stamp
    old = stamp(ada)
    for handler, given, wanted in (
        ("move", ("closed", old), "State: Closed"),
        ("assign", ({"account": "ada", "stamp": old},), "Give it to ada"),
    ):
        late = await opened(reference)
        late.state.found, late.state._seen = ada.state.found, ada.state._seen
        await late.do(handler, *given)
        told = late.state.meanwhile
        assert told.heading == "Nothing was changed: ben changed it meanwhile"
        assert [line.partition(",")[0] for line in told.lines] == ["ben gave it to ben", "ben wrote a note"]
        assert (told.wanted, late.state.result) == (wanted, "")
        assert (late.state.found.assigned, late.state.found.state, late.state.note_stamp) == ("ben", "New", typed)
    await late.do("move", "closed", stamp(late))
    assert (late.state.found.state, late.state.meanwhile.heading) == ("Closed", "")


async def test_change_is_made_to_the_version_that_was_on_screen(staff_site: Site) -> None:
    reference = await enquire(staff_site)
    ada, ben = await opened(reference), await opened(reference, "ben")
    on_screen = stamp(ada)
    await ben.do("move", "called", stamp(ben))
    await ada.do("look_again")
    assert ada.state.meanwhile.heading == "This enquiry was changed while you had it open"
    await ada.do("move", "closed", on_screen)
    assert (ada.state.found.state, ada.state.result) == ("Called", "")
    assert ada.state.meanwhile.heading.startswith("Nothing was changed: ben")


async def test_deleting_takes_a_reason_and_a_second_word(staff_site: Site) -> None:
    reference = await enquire(staff_site)
    tab, other = await opened(reference), await opened(reference, "ben")
    await tab.do("delete", stamp(tab))
    assert (tab.state.status, tab.state.refused_at) == ("loaded", "reason")
    await tab.do("ask", {"reason": "because"})
    assert (tab.state.asked, tab.state.refused) == ("", "Choose why this enquiry is deleted")
    await tab.do("ask", {"reason": "spam"})
    assert (tab.state.asked, tab.state.asked_words) == ("spam", "it is spam")
    await tab.do("keep")
    assert (tab.state.asked, tab.state.result) == ("", "Nothing was deleted")
    await tab.do("ask", {"reason": "spam"})
    await tab.do("delete", stamp(tab))
    assert (tab.state.status, tab.state.gone_title) == ("gone", f"{reference} is deleted")
    assert tab.state.found.name == ""
    await other.do("add_note", {"note": "Rang.", "stamp": stamp(other)})
    assert (other.state.status, other.state.gone_words[:29]) == ("gone", "ada deleted it today at 13:00")


async def test_button_of_another_enquiry_changes_nothing(staff_site: Site) -> None:
    first, second = await enquire(staff_site), await enquire(staff_site, message="Another")
    tab = await opened(first)
    old = stamp(tab)
    await tab.open(routes.staff_enquiry(second))
    await tab.do("move", "closed", old)
    assert (tab.state.refused, tab.state.refused_at, tab.state.found.reference) == (ANOTHER, "state", second)
    assert [(await opened(each)).state.found.state for each in (first, second)] == ["New", "New"]


async def test_enquiry_that_cannot_be_read_again_stays_on_screen(staff_site: Site) -> None:
    tab = await opened(await enquire(staff_site))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(CaseService, "open", AsyncMock(return_value=Refused(words=AWAY)))
        await tab.do("look_again")
        assert (tab.state.status, tab.state.refused, tab.state.refused_at) == ("loaded", AWAY, "look")
        failed = await opened(tab.state.found.reference)
        assert (failed.state.status, failed.state.problem) == ("failed", AWAY)
    await tab.do("look_again")
    assert (tab.state.status, tab.state.refused) == ("loaded", "")


HOSTILE: list[Any] = [None, "", 7, [], {}, {"stamp": 7, "note": [], "account": {}, "reason": None}, "x:1", "\ud800:2"]


async def test_hostile_arguments_are_refused(staff_site: Site) -> None:
    tab = await opened(await enquire(staff_site))
    for given in HOSTILE:
        for handler in ("take", "assign", "add_note", "ask", "delete"):
            await tab.do(handler, given)
            assert (tab.state.refused != "", tab.state.result) == (True, "")
        await tab.do("move", given, stamp(tab))
        assert tab.state.refused == "Choose one of the states"
        await tab.do("move", "called", given)
        assert tab.state.refused == ANOTHER
    assert (tab.state.status, tab.state.found.state) == ("loaded", "New")


@pytest.mark.usefixtures("staff_site")
@pytest.mark.parametrize("reference", ["", "HG-2222-3333", "x", "%00", "a&reference=b"])
async def test_unknown_reference_is_reported(reference: str) -> None:
    tab = StaffTab(EnquiryPageState)
    await tab.open(f"{routes.STAFF_ENQUIRY}?reference={reference}")
    assert (tab.state.status, tab.state.gone_title[:11]) == ("gone", "There is no")
