"""The list of enquiries without a browser: its address, its words, and what handlers make of anything at all."""

from typing import Any

import pytest

from broker import routes
from broker.domain.staff.enquiry_workflow import Refused
from broker.services.staff.enquiry_admin import AWAY, EnquiryAdmin
from broker.settings import Settings
from broker.state.staff.enquiries import EnquiriesState
from tests.unit.state.enquiry_tabs import StaffTab, Work, at_work

LIST = routes.STAFF_ENQUIRIES


def names(tab: StaffTab) -> list[str]:
    """Return who stands in the list."""
    return [row.name for row in tab.state.found.rows]


def test_address_is_the_search_and_the_words_stay_out_of_it(
    db_settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def block(work: Work) -> None:
        for name in ("Zoë Ash", "Abe Birch"):
            await work.enquiry(name=name)
        tab = StaffTab(EnquiriesState)
        await tab.open(LIST)
        assert (tab.state.status, names(tab)) == ("loaded", ["Abe Birch", "Zoë Ash"])
        assert await tab.do("submit", {"text": "zoë", "kind": "", "whose": "", "order": "promise"}) is None
        assert (names(tab), tab.state.form["text"]) == (["Zoë Ash"], "zoë")
        to = await tab.do("submit", {"text": "birch", "kind": "callback", "whose": "", "order": "oldest"})
        assert to == f"{LIST}?kind=callback&order=oldest"
        await tab.open(str(to))
        assert (names(tab), tab.state.form["text"]) == (["Abe Birch"], "birch")
        assert await tab.do("clear") == f"{LIST}?order=oldest"
        await tab.open(f"{LIST}?order=oldest")
        assert (names(tab), tab.state.form["text"]) == (["Zoë Ash", "Abe Birch"], "")

    at_work(db_settings, monkeypatch, block)


def test_form_is_filled_anew_only_where_it_asks_for_something_else(
    db_settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def block(work: Work) -> None:
        await work.enquiry(name="Zoë Ash")
        tab = StaffTab(EnquiriesState)

        def is_filled_anew() -> bool:
            before[:] = [*before[-1:], tab.state.version]
            return before[0] != before[-1]

        before = [tab.state.version]
        await tab.open(LIST)
        assert is_filled_anew()
        await tab.do("submit", {"text": "zoë", "kind": "", "whose": "", "order": "promise"})
        assert not is_filled_anew()
        to = await tab.do("submit", {"text": "zoë", "kind": "callback", "whose": "", "order": "promise"})
        await tab.open(str(to))
        assert not is_filled_anew()
        await tab.open(f"{LIST}?kind=callback&state=new")
        assert not is_filled_anew()
        await tab.open(LIST)
        assert is_filled_anew()
        await tab.do("clear")
        assert is_filled_anew()

    at_work(db_settings, monkeypatch, block)


def test_mine_are_those_of_whoever_looks(db_settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    async def block(work: Work) -> None:
        mine = await work.enquiry(name="Zoë Ash")
        await work.enquiry(name="Abe Birch")
        await work.services.enquiry_admin.assign(mine, "ada", version=1, who="ben")
        for name, whose, found in (
            ("ada", "mine", ["Zoë Ash"]),
            ("ben", "mine", []),
            ("ben", "nobodys", ["Abe Birch"]),
        ):
            tab = StaffTab(EnquiriesState, name)
            await tab.open(f"{LIST}?whose={whose}")
            assert (names(tab), tab.state.status) == (found, "loaded" if found else "empty")

    at_work(db_settings, monkeypatch, block)


def test_page_past_the_end_is_the_last_one(db_settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    async def block(work: Work) -> None:
        for number in range(3):
            await work.enquiry(message=f"Number {number}")
        tab = StaffTab(EnquiriesState)
        await tab.open(f"{LIST}?page=900")
        assert (len(names(tab)), tab.state.found.earlier, tab.state.found.later) == (3, "", "")

    at_work(db_settings, monkeypatch, block)


def test_looking_again_shows_what_is_new_and_leaves_the_form(
    db_settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def block(work: Work) -> None:
        tab = StaffTab(EnquiriesState)
        await tab.do("look_again")
        assert (tab.state.status, tab.state.read_at) == ("idle", "")
        await tab.open(LIST)
        assert (tab.state.status, tab.state.found.sentence) == ("empty", "There are no enquiries yet")
        version = tab.state.version
        await work.enquiry(name="Zoë Ash")
        work.calendar.forward(hours=1, minutes=2)
        await tab.do("look_again")
        assert (names(tab), tab.state.version, tab.state.read_at) == (["Zoë Ash"], version, "14:02")

    at_work(db_settings, monkeypatch, block)


def test_database_that_is_away_is_said_and_nothing_of_the_list_stays(
    db_settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def block(work: Work) -> None:
        await work.enquiry()
        tab = StaffTab(EnquiriesState)
        await tab.open(LIST)

        async def away(*_: object, **__: object) -> Refused:
            return Refused(words=AWAY)

        with monkeypatch.context() as patch:
            patch.setattr(EnquiryAdmin, "counts", away)
            await tab.do("look_again")
        assert (tab.state.status, tab.state.problem, names(tab)) == ("failed", AWAY, [])
        await tab.do("open")
        assert (tab.state.status, tab.state.problem, len(names(tab))) == ("loaded", "", 1)

    at_work(db_settings, monkeypatch, block)


HOSTILE: list[Any] = [None, 7, [], "x", {}, {"text": 7, "kind": [], "whose": {}, "order": None}, {"text": "\ud800\0"}]


def test_anything_may_come_from_a_page(db_settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    async def block(work: Work) -> None:
        await work.enquiry()
        tab = StaffTab(EnquiriesState)
        await tab.open(LIST)
        for given in HOSTILE:
            assert await tab.do("submit", given) is None
            assert tab.state.status in ("loaded", "empty")

    at_work(db_settings, monkeypatch, block)


def test_handlers_are_these_and_no_others() -> None:
    assert set(EnquiriesState.event_handlers) - {"setvar"} == {"open", "submit", "clear", "look_again"}
