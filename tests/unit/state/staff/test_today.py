import inspect
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any
from unittest.mock import AsyncMock

import pytest

from broker import routes
from broker.cases.case import Refused
from broker.cases.case_changes import CaseChanges
from broker.cases.service import AWAY, CaseService
from broker.state.staff import today as module
from broker.state.staff.case import CaseState
from broker.state.staff.today import TodayState
from tests.unit.enquiries.enquiring import BEGINNING
from tests.unit.staff.watched_site import Site
from tests.unit.state.tab import StaffTab, address, enquire


async def opened(path: str = routes.STAFF, name: str = "ada") -> StaffTab:
    tab = StaffTab(TodayState, name)
    tab.go(path)
    await tab.do("open_case")
    await tab.do("open_day")
    return tab


def rows(tab: StaffTab, key: str = "new") -> list[str]:
    return [row.reference for group in tab.state.day.groups if group.key == key for row in group.rows]


def new_stamp(tab: StaffTab) -> str:
    return tab.state.day.first_new


async def test_day_is_listed_beside_the_case_of_the_address(staff_site: Site) -> None:
    references = [await enquire(staff_site, message=str(number)) for number in range(2)]
    tab = await opened(f"{routes.STAFF}?reference={references[0]}")
    assert (tab.state.day_status, rows(tab)) == ("loaded", references)
    assert (tab.state.reference, tab.state.found.reference, tab.state.place) == (references[0], references[0], "1 of 2")
    assert tab.state.next_href == f"{routes.STAFF}?reference={references[1]}"
    assert tab.state.menu_counts[routes.STAFF] == "2"
    alone = await opened()
    assert (alone.state.status, alone.state.reference) == ("none", "")


async def test_case_is_shown_with_what_follows_it_in_the_list_on_screen(staff_site: Site) -> None:
    references = [await enquire(staff_site, message=str(number)) for number in range(3)]
    tab = await opened(f"{routes.STAFF}?reference={references[0]}")
    tab.go(f"{routes.STAFF}?reference={references[1]}")
    await tab.do("open_case")
    assert (tab.state.reference, tab.state.place) == (references[1], "2 of 3")
    assert tab.state.next_href == f"{routes.STAFF}?reference={references[2]}"


async def test_next_goes_on_in_the_list_after_the_outcome_of_a_call(staff_site: Site) -> None:
    references = [await enquire(staff_site, message=str(number)) for number in range(3)]
    tab = await opened(f"{routes.STAFF}?reference={references[1]}")
    choose, record = (inspect.unwrap(CaseState.event_handlers[each].fn) for each in ("choose", "record"))
    choose(tab.state, "no-answer", tab.state.found.stamp)
    await record(tab.state, tab.state.plan.choices[-1].due, "", "", tab.state.plan.stamp)
    await tab.do("open_day")
    assert references[1] not in rows(tab)
    assert tab.state.next_href == f"{routes.STAFF}?reference={references[2]}"


async def test_outcome_gives_the_focus_to_what_is_next_or_else_to_the_heading(staff_site: Site) -> None:
    reference = await enquire(staff_site)

    async def focused(path: str) -> str | None:
        tab = await opened(path)
        choose, record = (inspect.unwrap(CaseState.event_handlers[each].fn) for each in ("choose", "record"))
        choose(tab.state, "no-answer", tab.state.found.stamp)
        event: Any = await record(tab.state, tab.state.plan.choices[0].due, "", "", tab.state.plan.stamp)
        return event and event.args[0][1]._var_value

    assert await focused(f"{routes.STAFF}?reference={reference}") == "ref_case_heading"
    await enquire(staff_site, message="another")
    assert await focused(f"{routes.STAFF}?reference={reference}") == "ref_case_next"
    assert await focused(f"{routes.STAFF_ENQUIRY}?reference={reference}") == "ref_case_heading"


async def test_new_enquiry_is_taken_by_one_press_and_opened(staff_site: Site) -> None:
    reference = await enquire(staff_site)
    tab = await opened()
    assert address(await tab.do("take_row", new_stamp(tab))) == f"{routes.STAFF}?reference={reference}"
    assert (tab.state.result, tab.state.can_undo, rows(tab)) == ("It is yours", True, [])
    await staff_site.services.cases.set_due([reference], BEGINNING + timedelta(hours=2), who="ada", action="Call")
    other = await opened(name="ben")
    assert rows(other, "due") == []
    menu = dict(other.state.menu_counts)
    await other.do("show", True)
    assert dict(other.state.menu_counts) == menu
    assert [row.initials for group in other.state.day.groups for row in group.rows] == ["AD"]


async def test_enquiry_that_a_colleague_took_first_is_not_taken(staff_site: Site) -> None:
    await enquire(staff_site)
    ada, ben = await opened(), await opened(name="ben")
    stamp = new_stamp(ada)
    await ben.do("take_row", new_stamp(ben))
    assert await ada.do("take_row", stamp) is None
    assert (ada.state.result, rows(ada)) == ("ben has this case already", [])


async def test_rows_that_come_meanwhile_wait_until_they_are_asked_for(
    staff_site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = await enquire(staff_site)
    tab = await opened()

    async def follow(_: CaseChanges) -> AsyncIterator[frozenset[str]]:
        yield frozenset((await enquire(staff_site, message="Another"),))

    monkeypatch.setattr(CaseChanges, "follow", follow)
    monkeypatch.setattr(module, "still_signed_in", AsyncMock(return_value=True))
    await tab.do("watch_day")
    held = {row.reference: row.is_new for group in tab.state.day.groups for row in group.rows}
    assert (tab.state.waiting, held.pop(first), list(held.values())) == (1, False, [True])
    await tab.do("settle")
    assert (tab.state.waiting, {row.is_new for group in tab.state.day.groups for row in group.rows}) == (0, {False})


async def test_watching_ends_with_the_session(staff_site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    tab = await opened(f"{routes.STAFF}?reference={await enquire(staff_site)}")

    async def follow(_: CaseChanges) -> AsyncIterator[frozenset[str]]:
        yield frozenset(("HG-2222-3333",))

    monkeypatch.setattr(CaseChanges, "follow", follow)
    looked = AsyncMock()
    monkeypatch.setattr(CaseState, "_follow", looked)
    await tab.do("watch_day")
    assert (looked.await_count, tab.state.day_status, tab.state.found.name) == (0, "idle", "")


async def test_day_that_cannot_be_read_is_said_and_one_that_was_read_stays(staff_site: Site) -> None:
    reference = await enquire(staff_site)
    tab = await opened()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(CaseService, "today", AsyncMock(return_value=Refused(words=AWAY)))
        await tab.do("show", True)
        assert (tab.state.day_status, rows(tab)) == ("loaded", [reference])
        assert tab.state.day_problem.startswith("No answer from the desk since 13:00")
        failed = await opened()
        assert (failed.state.day_status, failed.state.day_problem) == ("failed", AWAY)
    await failed.do("open_day")
    assert failed.state.day_status == "loaded"


async def test_hostile_arguments_change_nothing(staff_site: Site) -> None:
    reference = await enquire(staff_site)
    tab = await opened()
    for given in (None, 7, "", "x", [], {}, {"name": []}, "\ud800"):
        for handler in ("show", "take_row"):
            await tab.do(handler, given)
    await tab.do("show", False)
    assert (rows(tab), tab.state.everyone) == ([reference], False)
