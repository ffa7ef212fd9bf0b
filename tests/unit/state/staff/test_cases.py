from typing import Any
from unittest.mock import AsyncMock

import pytest

from broker import routes
from broker.cases.case import Refused
from broker.cases.service import AWAY, CaseService
from broker.state.staff.cases import EnquiriesState
from tests.unit.staff.watched_site import Site
from tests.unit.state.tab import StaffTab, address, enquire

LIST = routes.STAFF_ENQUIRIES
FORM = {"text": "zoë", "kind": "", "whose": "", "order": "promise"}


@pytest.fixture
def tab(staff_site: Site) -> StaffTab:  # noqa: ARG001 - a tab needs the services to be there
    return StaffTab(EnquiriesState)


def names(tab: StaffTab) -> list[str]:
    return [row.name for row in tab.state.found.rows]


async def test_address_is_the_search_and_the_words_stay_out_of_it(tab: StaffTab, staff_site: Site) -> None:
    for name in ("Zoë Ash", "Abe Birch"):
        await enquire(staff_site, name=name)
    await tab.open(LIST)
    assert (tab.state.status, names(tab)) == ("loaded", ["Abe Birch", "Zoë Ash"])
    assert await tab.do("submit", FORM) is None
    assert (names(tab), tab.state.form["text"]) == (["Zoë Ash"], "zoë")
    to = address(await tab.do("submit", {**FORM, "text": "birch", "kind": "callback", "order": "oldest"}))
    assert to == f"{LIST}?kind=callback&order=oldest"
    await tab.open(str(to))
    assert (names(tab), tab.state.form["text"]) == (["Abe Birch"], "birch")
    assert address(await tab.do("clear")) == f"{LIST}?order=oldest"
    await tab.open(f"{LIST}?order=oldest")
    assert (names(tab), tab.state.form["text"]) == (["Zoë Ash", "Abe Birch"], "")


async def test_words_of_the_top_bar_search_every_case_from_any_page(tab: StaffTab, staff_site: Site) -> None:
    for name in ("Zoë Ash", "Abe Birch"):
        await enquire(staff_site, name=name)
    await tab.open(f"{LIST}?kind=callback&order=oldest")
    assert address(await tab.do("find", {"find": "zoë"})) == f"{LIST}?order=oldest"
    await tab.open(f"{LIST}?order=oldest")
    assert (names(tab), tab.state.form["text"]) == (["Zoë Ash"], "zoë")
    assert await tab.do("find", {"find": "birch"}) is None
    assert (names(tab), tab.state.form["text"]) == (["Abe Birch"], "birch")


async def test_form_is_filled_again_only_where_it_asks_for_something_else(tab: StaffTab, staff_site: Site) -> None:
    await enquire(staff_site, name="Zoë Ash")

    def is_filled_anew() -> bool:
        before[:] = [*before[-1:], tab.state.version]
        return before[0] != before[-1]

    before = [tab.state.version]
    await tab.open(LIST)
    assert is_filled_anew()
    await tab.do("submit", FORM)
    assert not is_filled_anew()
    to = address(await tab.do("submit", {**FORM, "kind": "callback"}))
    await tab.open(str(to))
    assert not is_filled_anew()
    await tab.open(f"{LIST}?kind=callback&state=new")
    assert not is_filled_anew()
    await tab.open(LIST)
    assert is_filled_anew()
    await tab.do("clear")
    assert is_filled_anew()


async def test_filter_mine_lists_the_enquiries_of_the_signed_in_account(staff_site: Site) -> None:
    mine = await enquire(staff_site, name="Zoë Ash")
    await enquire(staff_site, name="Abe Birch")
    await staff_site.services.cases.assign(mine, "ada", version=1, who="ben")
    for name, whose, found in (("ada", "mine", ["Zoë Ash"]), ("ben", "mine", []), ("ben", "nobodys", ["Abe Birch"])):
        tab = StaffTab(EnquiriesState, name)
        await tab.open(f"{LIST}?whose={whose}")
        assert (names(tab), tab.state.status) == (found, "loaded" if found else "empty")


async def test_page_past_the_end_is_the_last_one(tab: StaffTab, staff_site: Site) -> None:
    for number in range(3):
        await enquire(staff_site, message=f"Number {number}")
    await tab.open(f"{LIST}?page=900")
    assert (len(names(tab)), tab.state.found.earlier, tab.state.found.later) == (3, "", "")


async def test_looking_again_shows_what_is_new_and_leaves_the_form(tab: StaffTab, staff_site: Site) -> None:
    await tab.do("look_again")
    assert (tab.state.status, tab.state.read_at) == ("idle", "")
    await tab.open(LIST)
    assert (tab.state.status, tab.state.found.sentence) == ("empty", "There are no enquiries yet")
    version = tab.state.version
    await enquire(staff_site, name="Zoë Ash")
    staff_site.calendar.forward(hours=1, minutes=2)
    await tab.do("look_again")
    assert (names(tab), tab.state.version, tab.state.read_at) == (["Zoë Ash"], version, "14:02")


async def test_database_that_is_away_is_said_and_nothing_of_the_list_stays(tab: StaffTab, staff_site: Site) -> None:
    await enquire(staff_site)
    await tab.open(LIST)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(CaseService, "counts", AsyncMock(return_value=Refused(words=AWAY)))
        await tab.do("look_again")
    assert (tab.state.status, tab.state.problem, names(tab)) == ("failed", AWAY, [])
    await tab.do("open")
    assert (tab.state.status, tab.state.problem, len(names(tab))) == ("loaded", "", 1)


HOSTILE: list[Any] = [None, 7, [], "x", {}, {"text": 7, "kind": [], "whose": {}, "order": None}, {"text": "\ud800\0"}]


async def test_hostile_form_changes_nothing(tab: StaffTab, staff_site: Site) -> None:
    await enquire(staff_site)
    await tab.open(LIST)
    for given in HOSTILE:
        assert await tab.do("submit", given) is None
        assert await tab.do("find", given) is None
        assert tab.state.status in ("loaded", "empty")
