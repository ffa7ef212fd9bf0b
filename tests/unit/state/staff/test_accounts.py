from dataclasses import replace
from typing import Any
from unittest.mock import AsyncMock

import pytest

from broker import routes
from broker.services import current
from broker.staff.people import EMAIL, LAST_OWNER, NAME, ROLE
from broker.staff.people_view import IN_TURN
from broker.state.staff import accounts as module
from broker.state.staff.accounts import AWAY, FAILED, LOADED, AccountsState
from broker.state.staff.menu import MenuState
from broker.storage.errors import StorageError
from tests.unit.staff.watched_site import Site
from tests.unit.state.tab import StaffTab

DONE = "ref_accounts_done"
FORM = {NAME: "Ben Template", EMAIL: "b.template@example.com", ROLE: "adviser"}


@pytest.fixture
async def tab(staff_site: Site) -> StaffTab:  # noqa: ARG001 - a tab needs the services to be there
    tab = StaffTab(AccountsState)
    await tab.open(routes.staff_account_of("ben"))
    return tab


def focused(event: Any) -> str:
    """Return Reflex's name of the element that an event focuses."""
    return str(event.args[0][1]).strip('"')


def states(tab: StaffTab) -> dict[str, str]:
    return {each.shown_name: each.state for each in tab.state.people}


async def test_people_are_listed_with_the_details_of_the_one_in_the_address(tab: StaffTab) -> None:
    assert (tab.state.status, tab.state.sentence) == (LOADED, "2 people at work")
    assert states(tab) == {"ada": "Password alone", "ben": "Password alone"}
    assert [each.is_chosen for each in tab.state.people] == [False, True]
    assert (tab.state.chosen.account, tab.state.chosen.role) == ("ben", "owner")
    await tab.open(routes.staff_account_of("nobody"))
    assert tab.state.chosen.id == 0


async def test_link_of_an_invitation_is_shown_once(tab: StaffTab) -> None:
    await tab.do("invite", FORM)
    assert tab.state.link.startswith("http://localhost:3000/staff/link/?link=")
    assert (tab.state.sentence, states(tab)["Ben Template"][:13]) == ("2 people at work, 1 invited", "Invited, ends")
    assert [each.name for each in tab.state.links] == ["Ben Template"]
    link = tab.state.link
    await tab.come_back()
    assert tab.state.link == link
    await tab.open(routes.STAFF_ACCOUNTS)
    assert tab.state.link == ""
    await tab.do("withdraw", tab.state.links[0].id)
    assert (tab.state.links, "Ben Template" in states(tab)) == ((), False)


async def test_link_that_no_mail_brings_says_so(tab: StaffTab, monkeypatch: pytest.MonkeyPatch) -> None:
    assert tab.state.chosen.email == ""
    assert focused(await tab.do("make_link", tab.state.chosen.id)) == DONE
    words = "A link for ben. No address is known to mail it to: bring it to them. It is shown here this once;"
    assert tab.state.link_words.startswith(words)
    await tab.do("invite", FORM)
    assert "It is mailed, and shown here this once" in tab.state.link_words
    without_server = replace(current(), sends_mail=False)
    monkeypatch.setattr(module, "current", lambda: without_server)
    await tab.do("invite", {**FORM, NAME: "Cara Example", EMAIL: "c.example@example.com"})
    assert "Its mail waits: no mail server is set up. It is shown here this once" in tab.state.link_words


async def test_problem_of_an_invitation_stands_at_its_field(tab: StaffTab) -> None:
    for form in ({**FORM, EMAIL: "nowhere"}, {**FORM, EMAIL: ["b@example.com"]}):
        await tab.do("invite", form)
        assert list(tab.state.errors) == [EMAIL]
    await tab.do("invite", None)
    assert list(tab.state.errors) == [NAME, EMAIL, ROLE]
    assert len(tab.state.people) == 2


async def test_role_is_changed_but_not_that_of_the_last_owner(tab: StaffTab) -> None:
    await tab.do("set_role", "adviser")
    assert (tab.state.chosen.role, tab.state.refused) == ("adviser", "")
    await tab.open(routes.staff_account_of("ada"))
    assert await tab.do("set_role", "logos") is None, "the menu keeps the focus"
    assert (tab.state.chosen.role, tab.state.refused) == ("owner", LAST_OWNER)


async def test_database_that_is_away_is_said_and_the_page_stays(
    tab: StaffTab, staff_site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    away = AsyncMock(side_effect=StorageError("away"))
    with monkeypatch.context() as failing:
        for name in ("people", "invite", "make_link", "disable"):
            failing.setattr(staff_site.services.staff.admin, name, away)
        for handler, given in (("invite", FORM), ("make_link", 1), ("disable", {"to": ""})):
            await tab.do(handler, given)
            assert (tab.state.status, tab.state.refused, tab.state.version) == (LOADED, AWAY, "0")
        other = StaffTab(AccountsState)
        await other.open(routes.STAFF_ACCOUNTS)
        assert other.state.status == FAILED
    await tab.do("invite", FORM)
    assert (tab.state.refused, states(tab)["Ben Template"][:7]) == ("", "Invited")


async def test_account_is_disabled_and_enabled(tab: StaffTab) -> None:
    assert [each.value for each in tab.state.chosen.heirs] == ["ada", ""]
    focus, count = await tab.do("disable", {"to": "ada"})
    assert (focused(focus), count) == (DONE, MenuState.count)
    assert tab.state.result == "ben can no longer sign in."
    assert (tab.state.chosen.is_enabled, states(tab)["ben"][:8]) == (False, "Disabled")
    assert focused(await tab.do("enable")) == DONE
    assert tab.state.chosen.is_enabled


@pytest.mark.parametrize("form", [None, {}, {"to": 5}, {"to": IN_TURN}, {"to": "nobody.here"}])
async def test_forged_hand_over_gives_work_to_nobody_unknown(tab: StaffTab, form: object) -> None:
    await tab.do("disable", form)
    is_refused = isinstance(form, dict) and form.get("to") == "nobody.here"
    assert tab.state.chosen.is_enabled is is_refused


@pytest.mark.parametrize("number", [0, -1, True, "1", None, 2**40])
async def test_forged_number_ends_nothing(tab: StaffTab, number: object) -> None:
    for handler in ("make_link", "withdraw", "remove_passkey", "end_session"):
        await tab.do(handler, number)
        assert (tab.state.result, tab.state.link) == ("", "")
