from typing import Any
from unittest.mock import AsyncMock

import pytest
from sqlalchemy.ext.asyncio import AsyncConnection

from broker import routes
from broker.staff.audit import Act, AuditEntry
from broker.staff.audit_log import add_entry
from broker.state.staff import audit
from broker.state.staff.audit import EMPTY, FAILED, IDLE, LOADED, AuditState
from broker.storage.errors import StorageError
from tests.unit.enquiries.enquiring import BEGINNING
from tests.unit.staff.watched_site import Site
from tests.unit.state.tab import StaffTab, address, enquire

RECORD = routes.STAFF_RECORD


@pytest.fixture
def tab(empty_site: Site) -> StaffTab:  # noqa: ARG001 - a tab needs the services to be there
    return StaffTab(AuditState)


async def record(site: Site, count: int, *, who: str = "ada", about: str = "HG-2222-2222") -> None:
    async def fill(connection: AsyncConnection) -> None:
        for number in range(count):
            entry = AuditEntry(at=BEGINNING, who=who, what=Act.ENQUIRY_READ, about=about, detail=str(number))
            await add_entry(connection, entry)

    await site.services.audit._database.write(fill)


def numbers(tab: StaffTab) -> list[int]:
    return [line.number for day in tab.state.days for line in day.lines]


async def test_record_comes_fifty_lines_at_a_time(tab: StaffTab, empty_site: Site) -> None:
    await record(empty_site, 120)
    await tab.open(RECORD)
    assert (tab.state.status, numbers(tab), tab.state.last) == (LOADED, list(range(120, 70, -1)), 71)
    assert tab.state.sentence == "50 lines, and there are older ones"
    await tab.do("see_more", 71)
    await tab.do("see_more", 71)
    assert (len(numbers(tab)), tab.state.last) == (100, 21)
    await tab.do("see_more", 21)
    assert (numbers(tab), tab.state.last) == (list(range(120, 0, -1)), 0)
    assert tab.state.sentence == "120 lines, and none older"
    await tab.do("see_more", 0)
    assert (len(numbers(tab)), len(tab.state.days)) == (120, 1)
    await tab.open(RECORD)
    assert len(numbers(tab)) == 50


async def test_tab_that_is_full_leads_on_by_address(
    tab: StaffTab, empty_site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(audit, "MAX_LINES", 100)
    await record(empty_site, 120)
    await tab.open(RECORD + "?who=ada")
    await tab.do("see_more", 71)
    assert (tab.state.last, tab.state.older) == (0, "/staff/record/?who=ada&before=21")
    await tab.open(RECORD + "?who=ada&before=21")
    assert (numbers(tab), tab.state.last, tab.state.older) == (list(range(20, 0, -1)), 0, "")


async def test_address_narrows_and_the_form_shows_it(tab: StaffTab, empty_site: Site) -> None:
    there = await enquire(empty_site)
    await record(empty_site, 1, about=there)
    await record(empty_site, 2, who="bob")
    await tab.open(f"{RECORD}?about={there}&kind=enquiries&who=ada")
    (line,) = tab.state.days[0].lines
    assert (line.who, line.reference, line.href) == ("ada", there, f"/staff/enquiry/?reference={there}")
    assert tab.state.form == {"who": "ada", "about": there, "kind": "enquiries"}
    assert [one.value for one in tab.state.whom] == ["", "ada", "bob"]
    assert tab.state.is_narrowed
    await tab.open(RECORD + "?kind=logos")
    assert (tab.state.status, numbers(tab), tab.state.sentence) == (EMPTY, [], "Nothing in the record fits")


async def test_form_goes_into_the_address_once_it_is_in_the_record(tab: StaffTab, empty_site: Site) -> None:
    await record(empty_site, 2)
    await tab.open(RECORD)
    typed = {"who": "ada", "about": "hg 2222 2222", "kind": "enquiries"}
    assert address(await tab.do("submit", typed)) == "/staff/record/?who=ada&about=HG-2222-2222&kind=enquiries"
    assert await tab.do("submit", {**typed, "about": "Zebedee Quillfeather"}) is None
    assert tab.state.about_problem == "Nothing in the record is about that"
    again = await tab.do("submit", {"who": "", "about": "", "kind": ""})
    assert (again, tab.state.about_problem) == (AuditState.open, "")


async def test_form_is_filled_again_only_where_it_holds_something_else(tab: StaffTab, empty_site: Site) -> None:
    await record(empty_site, 2)
    await tab.open(RECORD)
    first = tab.state.version
    typed = {"who": "ada", "about": "HG-2222-2222", "kind": "enquiries"}
    await tab.open(str(address(await tab.do("submit", typed))))
    assert (tab.state.version, tab.state.form) == (first, typed)
    loosely = {**typed, "who": "", "about": "hg 2222 2222"}
    await tab.open(str(address(await tab.do("submit", loosely))))
    assert (tab.state.version != first, tab.state.form["about"]) == (True, "HG-2222-2222")


HOSTILE: tuple[Any, ...] = (None, 7, "x", [["who", "ada"]], {"about": ["a"]}, {"kind": {}, "who": 7, "before": "12"})


@pytest.mark.parametrize("given", HOSTILE, ids=repr)
async def test_forged_form_asks_for_what_is_there(tab: StaffTab, empty_site: Site, given: Any) -> None:
    await record(empty_site, 60)
    await tab.open(RECORD)
    before = numbers(tab)
    assert await tab.do("submit", given) == AuditState.open
    await tab.do("see_more", given)
    assert (numbers(tab), tab.state.last) == (before, 11)


async def test_record_that_is_away_says_so_and_comes_back(tab: StaffTab, empty_site: Site) -> None:
    await record(empty_site, 60)
    assert tab.state.status == IDLE
    await tab.open(RECORD)
    with pytest.MonkeyPatch.context() as patch:
        for name in ("latest", "names"):
            patch.setattr(empty_site.services.audit, name, AsyncMock(side_effect=StorageError("away")))
        await tab.do("see_more", 11)
        assert (tab.state.status, numbers(tab), tab.state.last) == (FAILED, [], 0)
        await tab.do("see_more", 0)
        assert tab.state.problem.startswith("The record cannot be reached just now")
        await tab.do("open")
        assert tab.state.status == FAILED
    await tab.do("open")
    assert (tab.state.status, len(numbers(tab))) == (LOADED, 50)
