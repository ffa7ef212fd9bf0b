from collections.abc import AsyncIterator
from itertools import count
from typing import Any
from unittest.mock import AsyncMock

import pytest

from broker import routes
from broker.cases.case import Case, Refused
from broker.cases.case_changes import CaseChanges
from broker.cases.lists import CaseLists
from broker.cases.service import AWAY
from broker.state.staff.cases import EMPTY, NOBODY, EnquiriesState
from broker.state.staff.menu import MenuState
from tests.unit.staff.watched_site import Site
from tests.unit.state.tab import StaffTab, address, enquire

LIST = routes.STAFF_ENQUIRIES

_positions = count(1)


@pytest.fixture
def tab(staff_site: Site) -> StaffTab:  # noqa: ARG001 - a tab needs the services to be there
    return StaffTab(EnquiriesState)


def names(tab: StaffTab) -> list[str]:
    return [row.name for row in tab.state.rows]


async def opened(tab: StaffTab, staff_site: Site, *people: str) -> list[str]:
    """Store enquiries of these names, open the list, and return their references."""
    references = [await enquire(staff_site, name=name, message=f"From {name}") for name in people]
    await tab.open(LIST)
    return references


async def test_address_is_the_list_and_the_words_stay_out_of_it(tab: StaffTab, staff_site: Site) -> None:
    await opened(tab, staff_site, "Zoë Ash", "Abe Birch")
    assert (tab.state.status, sorted(names(tab))) == ("loaded", ["Abe Birch", "Zoë Ash"])
    assert await tab.do("search", "zoe") is None
    assert (names(tab), tab.state.form["text"]) == (["Zoë Ash"], "zoe")
    to = address(await tab.do("narrow", "stage", "enquiry"))
    assert to == f"{LIST}?stage=enquiry"
    await tab.open(str(to))
    assert (names(tab), tab.state.form["text"], tab.state.form["stage"]) == (["Zoë Ash"], "zoe", "enquiry")
    assert address(await tab.do("clear")) == LIST
    await tab.open(LIST)
    assert (len(names(tab)), tab.state.form["text"]) == (2, "")


async def test_words_of_the_top_bar_search_every_case_from_any_page(tab: StaffTab, staff_site: Site) -> None:
    await opened(tab, staff_site, "Zoë Ash", "Abe Birch")
    await tab.open(f"{LIST}?tab=closed&sort=name")
    assert address(await tab.do("find", {"find": "zoë"})) == LIST
    await tab.open(LIST)
    assert (names(tab), tab.state.form["text"]) == (["Zoë Ash"], "zoë")
    assert await tab.do("find", {"find": "birch"}) is None
    assert (names(tab), tab.state.form["text"]) == (["Abe Birch"], "birch")


async def test_form_is_filled_again_only_where_something_else_changed_the_list(tab: StaffTab, staff_site: Site) -> None:
    await opened(tab, staff_site, "Zoë Ash")

    def is_filled_anew() -> bool:
        before[:] = [*before[-1:], tab.state.version]
        return before[0] != before[-1]

    before = [tab.state.version]
    await tab.do("search", "zoë")
    await tab.open(str(address(await tab.do("narrow", "due", "today"))))
    assert not is_filled_anew()
    await tab.open(f"{LIST}?tab=closed")
    assert is_filled_anew()
    await tab.open(LIST)
    assert not is_filled_anew()
    await tab.do("clear")
    assert is_filled_anew()


async def test_ticks_outlive_a_socket_that_comes_back(tab: StaffTab, staff_site: Site) -> None:
    references = await opened(tab, staff_site, "Zoë Ash", "Abe Birch")
    await tab.do("tick", references[0])
    await tab.come_back()
    assert tab.state.ticked == (references[0],)
    await tab.open(f"{LIST}?tab=closed")
    assert tab.state.ticked == ()


async def test_list_of_mine_is_of_the_signed_in_account(staff_site: Site) -> None:
    mine = await enquire(staff_site, name="Zoë Ash")
    await enquire(staff_site, name="Abe Birch")
    await staff_site.services.cases.assign(mine, "ada", version=1, who="ben")
    for name, whose, found in (("ada", "@me", ["Zoë Ash"]), ("ben", "@me", []), ("ben", "@nobody", ["Abe Birch"])):
        tab = StaffTab(EnquiriesState, name)
        await tab.open(f"{LIST}?adviser={whose}")
        assert (names(tab), tab.state.status) == (found, "loaded" if found else "empty")


async def test_page_past_the_end_is_the_last_one(tab: StaffTab, staff_site: Site) -> None:
    await opened(tab, staff_site, "A", "B", "C")
    await tab.open(f"{LIST}?page=900")
    assert (len(names(tab)), tab.state.found.earlier, tab.state.found.later) == (3, "", "")


async def test_looking_again_shows_what_is_new_and_leaves_the_form_and_the_ticks(
    tab: StaffTab, staff_site: Site
) -> None:
    await tab.do("look_again")
    assert tab.state.status == "idle"
    (first,) = await opened(tab, staff_site, "Zoë Ash")
    await tab.do("tick", first)
    version = tab.state.version
    await enquire(staff_site, name="Abe Birch", message="Later")
    await tab.do("look_again")
    assert (len(names(tab)), tab.state.version, tab.state.ticked) == (2, version, (first,))


async def test_ticked_cases_are_handed_over_once_and_undone(tab: StaffTab, staff_site: Site) -> None:
    first, second, third = await opened(tab, staff_site, "Zoë Ash", "Abe Birch", "Cy Cedar")
    await tab.do("tick_all")
    assert (set(tab.state.ticked), tab.state.ticked_words) == ({first, second, third}, "3 ticked")
    await tab.do("tick", third)
    assert await tab.do("hand_over", {"account": "ben"}) == MenuState.count
    assert (tab.state.result, tab.state.ticked, tab.state.can_undo) == ("2 cases handed to ben", (), True)
    assert {row.reference: row.who for row in tab.state.rows} == {first: "ben", second: "ben", third: ""}
    await tab.do("hand_over", {"account": "ada"})
    assert (tab.state.result, {row.who for row in tab.state.rows}) == ("No case handed to ada", {"ben", ""})
    assert (tab.state.can_undo, tab.state.is_done) == (False, False)
    assert await tab.do("undo") == MenuState.count
    assert tab.state.is_done
    assert (tab.state.result, {row.who for row in tab.state.rows}) == ("2 cases undone", {""})
    await tab.do("dismiss")
    assert tab.state.result == ""
    await tab.do("tick", first)
    await tab.do("hand_over", {"account": NOBODY})
    assert tab.state.result.startswith("No case handed to nobody")


async def test_case_that_was_changed_since_it_was_ticked_is_left_out_and_said(tab: StaffTab, staff_site: Site) -> None:
    first, _ = await opened(tab, staff_site, "Zoë Ash", "Abe Birch")
    await tab.do("tick_all")
    await staff_site.services.cases.assign(first, "ben", version=1, who="ben")
    await tab.do("look_again")
    await tab.do("close_cases", {"reason": "spam"})
    left = f"Left out: {first}: somebody has changed it since it was ticked"
    assert tab.state.result == f"1 case closed. {left}"
    case = await staff_site.services.cases.open(first, who="ada")
    assert isinstance(case, Case)
    assert (case.head.state, case.head.assigned, [row.reference for row in tab.state.rows]) == ("new", "ben", [first])


async def test_due_time_of_the_ticked_is_in_uk_time(tab: StaffTab, staff_site: Site) -> None:
    (reference,) = await opened(tab, staff_site, "Zoë Ash")
    await tab.do("tick", reference)
    for form in ({}, {"day": "2026-07-01"}, {"day": "x", "time": "10:00"}, {"day": [], "time": 7}):
        await tab.do("change_due", form)
        assert (tab.state.refused, tab.state.ticked) == ("Choose a day and a time", (reference,))
    day = staff_site.calendar.now.replace(year=staff_site.calendar.now.year + 1, month=7, day=1)
    await tab.do("change_due", {"day": f"{day:%Y-%m-%d}", "time": "10:00"})
    assert (tab.state.refused, tab.state.result) == ("", "1 case due 1 July, 10:00")
    case = await staff_site.services.cases.open(reference, who="ada")
    assert isinstance(case, Case)
    assert case.head.next_due
    assert f"{case.head.next_due:%m-%d %H:%M}" == "07-01 09:00"


async def test_words_that_closed_cases_alone_have_are_found_there(tab: StaffTab, staff_site: Site) -> None:
    first, _ = await opened(tab, staff_site, "Zoë Ash", "Abe Birch")
    await tab.do("tick", first)
    await tab.do("close_cases", {"reason": "spam"})
    await tab.do("find", {"find": first})
    assert (tab.state.status, tab.state.found.elsewhere) == (EMPTY, "1 case under “Closed”")
    await tab.open(tab.state.found.elsewhere_href)
    assert ([row.reference for row in tab.state.rows], tab.state.found.elsewhere) == ([first], "")
    await tab.do("search", "birch")
    assert (tab.state.status, tab.state.found.elsewhere) == (EMPTY, "1 case under “Everyone’s open”")


async def test_refused_change_keeps_the_ticks(tab: StaffTab, staff_site: Site) -> None:
    (reference,) = await opened(tab, staff_site, "Zoë Ash")
    await tab.do("tick", reference)
    await tab.do("hand_over", {"account": "nobody we know"})
    assert (tab.state.refused, tab.state.ticked) == ("Choose one of the accounts", (reference,))
    for handler in ("hand_over", "close_cases"):
        await tab.do(handler, {})
        assert (tab.state.refused.startswith("Choose "), tab.state.ticked) == (True, (reference,))
    await tab.do("untick")
    assert (tab.state.ticked, tab.state.ticked_words) == ((), "0 ticked")


async def test_ticks_end_with_another_list(tab: StaffTab, staff_site: Site) -> None:
    (reference,) = await opened(tab, staff_site, "Zoë Ash")
    for change in (tab.open(f"{LIST}?tab=closed"), tab.do("search", "zoë")):
        await tab.open(LIST)
        await tab.do("tick", reference)
        assert tab.state.ticked == (reference,)
        await change
        assert tab.state.ticked == ()


async def test_filter_is_saved_renamed_and_removed(tab: StaffTab, staff_site: Site) -> None:
    await opened(tab, staff_site, "Zoë Ash")
    await tab.open(f"{LIST}?stage=enquiry&sort=-amount")
    await tab.do("save_filter", {"name": "Early"})
    assert (tab.state.result, tab.state.found.tabs[-1].label, tab.state.found.tabs[-1].count) == ("Saved", "Early", "1")
    await tab.do("rename_filter", {"name": "First"})
    assert tab.state.found.saved_name == "First"
    await tab.do("rename_filter", {"name": ""})
    assert tab.state.refused == "Give the filter a name of at most 40 characters"
    ben = StaffTab(EnquiriesState, "ben")
    await ben.open(LIST)
    assert len(ben.state.found.tabs) == len(tab.state.found.tabs) - 1
    await tab.do("delete_filter")
    assert (tab.state.found.saved, len(tab.state.found.tabs)) == (0, len(ben.state.found.tabs))


async def test_columns_are_hidden_for_the_account(tab: StaffTab, staff_site: Site) -> None:
    await opened(tab, staff_site, "Zoë Ash")
    for name in ("source", "kind", "name", "no such"):
        await tab.do("toggle_column", name)
    assert (tab.state.hidden_class, set(tab.state.hidden)) == ("no-kind no-source", {"kind", "source"})
    await tab.do("toggle_column", "kind")
    again = StaffTab(EnquiriesState)
    await again.open(LIST)
    assert again.state.hidden_class == "no-source"


async def news_of(tab: StaffTab, *changed: str) -> None:
    """Have a tab learn once which cases have changed."""

    async def news() -> AsyncIterator[frozenset[str]]:
        yield frozenset()
        yield frozenset(changed)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("broker.state.staff.cases.news", news)
        patch.setattr(CaseChanges, "position", next(_positions))
        patch.setattr("broker.state.staff.cases.still_signed_in", AsyncMock(return_value=True))
        await tab.do("watch")


async def test_change_by_a_colleague_shows_in_its_place_and_a_new_case_waits(tab: StaffTab, staff_site: Site) -> None:
    first, second = await opened(tab, staff_site, "Zoë Ash", "Abe Birch")
    await tab.do("tick", second)
    order = [row.reference for row in tab.state.rows]
    await staff_site.services.cases.assign(first, "ben", version=1, who="ben")
    await staff_site.services.cases.close([second], "spam", who="ben")
    third = await enquire(staff_site, name="Cy Cedar", message="Later")
    await news_of(tab, first, second, third, "HG-2222-3333")
    assert [row.reference for row in tab.state.rows] == order
    assert {row.reference: (row.who, row.is_closed) for row in tab.state.rows} == {
        first: ("ben", False),
        second: ("", True),
    }
    assert (tab.state.fresh, tab.state.ticked) == ("1 new", (second,))
    await news_of(tab, third)
    assert tab.state.fresh == "1 new"
    await tab.do("look_again")
    assert (tab.state.fresh, sorted(names(tab))) == ("", ["Cy Cedar", "Zoë Ash"])


async def test_tabs_count_again_whatever_others_change(tab: StaffTab, staff_site: Site) -> None:
    def shown() -> dict[str, str]:
        return {each.label: each.count for each in tab.state.found.tabs}

    first, _ = await opened(tab, staff_site, "Zoë Ash", "Abe Birch")
    before = shown()
    await staff_site.services.cases.close([first], "spam", who="ben")
    await news_of(tab, first)
    assert (before["Closed"], shown()["Closed"], before["Everyone’s open"], shown()["Everyone’s open"]) == (
        "0",
        "1",
        "2",
        "1",
    )
    await staff_site.services.cases.close([await enquire(staff_site, name="Cy Cedar")], "spam", who="ben")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(CaseLists, "counts", AsyncMock(return_value=Refused(words=AWAY)))
        await news_of(tab, first)
    assert (tab.state.status, shown()["Closed"]) == ("loaded", "1")


async def test_new_case_of_another_list_or_of_a_search_is_not_counted(tab: StaffTab, staff_site: Site) -> None:
    await opened(tab, staff_site, "Zoë Ash")
    third = await enquire(staff_site, name="Cy Cedar", message="Later")
    for change in (tab.open(f"{LIST}?tab=closed"), tab.open(f"{LIST}?adviser=@me")):
        await change
        await news_of(tab, third)
        assert tab.state.fresh == ""
    await tab.open(LIST)
    await tab.do("search", "ash")
    await news_of(tab, third)
    assert tab.state.fresh == ""


async def test_tab_of_a_session_that_is_over_is_told_no_news(tab: StaffTab, staff_site: Site) -> None:
    (first,) = await opened(tab, staff_site, "Zoë Ash")
    await staff_site.services.cases.assign(first, "ben", version=1, who="ben")

    async def news() -> AsyncIterator[frozenset[str]]:
        yield frozenset((first,))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("broker.state.staff.cases.news", news)
        await tab.do("watch")
    assert tab.state.rows == ()


async def test_database_that_is_away_is_said_and_nothing_of_the_list_stays(tab: StaffTab, staff_site: Site) -> None:
    await opened(tab, staff_site, "Zoë Ash")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(CaseLists, "counts", AsyncMock(return_value=Refused(words=AWAY)))
        await tab.do("look_again")
    assert (tab.state.status, tab.state.problem, names(tab)) == ("failed", AWAY, [])
    await tab.do("open")
    assert (tab.state.status, tab.state.problem, len(names(tab))) == ("loaded", "", 1)


HOSTILE: list[Any] = [None, 7, [], "x", {}, {"text": 7, "name": [], "account": {}, "reason": None}, "\ud800\0"]
HANDLERS = (
    "submit",
    "find",
    "search",
    "tick",
    "hand_over",
    "close_cases",
    "change_due",
    "save_filter",
    "rename_filter",
)


async def test_hostile_arguments_change_nothing(tab: StaffTab, staff_site: Site) -> None:
    (reference,) = await opened(tab, staff_site, "Zoë Ash")
    await tab.do("tick", reference)
    for given in HOSTILE:
        for name in (*HANDLERS, "toggle_column"):
            await tab.do(name, given)
            assert tab.state.status in ("loaded", "empty"), (name, given)
        assert address(await tab.do("narrow", given, given)) == LIST
    case = await staff_site.services.cases.open(reference, who="ada")
    assert isinstance(case, Case)
    assert case.head.version == 1
