from typing import Any
from unittest.mock import AsyncMock

import pytest

from broker import routes
from broker.cases.case import Refused
from broker.cases.service import AWAY, CaseService
from broker.enquiries.contact_details import EMAIL, TELEPHONE
from broker.state.staff.caller import CallerState
from broker.state.staff.case import CaseState
from tests.unit.staff.watched_site import Site
from tests.unit.state.tab import StaffTab, address, enquire

FORM: dict[str, Any] = {
    "name": "A. Example",
    "telephone": "07700 900999",
    "service": "remortgage",
    "note": "Rang us",
    "privacy": True,
}


async def opened(path: str = routes.STAFF_CALLER) -> StaffTab:
    tab = StaffTab(CallerState, "ada")
    tab.go(path)
    await tab.do("follow_address")
    return tab


async def test_caller_is_entered_by_hand_and_known_ones_are_links_to_their_cases(staff_site: Site) -> None:
    reference = await enquire(staff_site, email="zoe@visitor.example")
    tab = await opened()
    assert tab.state.is_open
    await tab.do("look_up", TELEPHONE, "07700 9001")
    assert tab.state.known == {TELEPHONE: (), EMAIL: ()}
    await tab.do("look_up", TELEPHONE, "07700 900123")
    assert [case.href for case in tab.state.known[TELEPHONE]] == [f"{routes.STAFF}?reference={reference}"]
    await tab.do("look_up", EMAIL, "zoe@visitor.example")
    assert tab.state.known[EMAIL] == tab.state.known[TELEPHONE]
    await tab.do("look_up", EMAIL, "nobody@visitor.example")
    assert (len(tab.state.known[TELEPHONE]), tab.state.known[EMAIL]) == (1, ())
    await tab.do("look_up", "note", "07700 900123")
    assert list(tab.state.known) == [TELEPHONE, EMAIL]
    await tab.do("add", {**FORM, "telephone": "12"})
    assert (list(tab.state.problems), tab.state.is_open) == (["telephone"], True)
    await tab.do("add", {**FORM, "privacy": False})
    assert (list(tab.state.problems), tab.state.is_open) == (["privacy"], True)
    led = address(await tab.do("add", FORM))
    assert led and led.startswith(f"{routes.STAFF}?reference=")
    assert (tab.state.is_open, tab.state.problems) == (False, {})
    case = StaffTab(CaseState, "ada")
    await case.open(led)
    assert (case.state.found.name, case.state.found.service) == ("A. Example", "Remortgage")
    said = [f"{line.who} {line.did}: {line.text}" for line in case.state.found.timeline]
    assert sorted(said) == [
        "A. Example telephoned: ",
        "You entered it by hand: ",
        "You noted: Told by telephone how we use and keep their details",
        "You spoke to them: Rang us",
    ]


async def test_form_opens_over_the_page_and_leaves_it_where_it_was(staff_site: Site) -> None:
    path = routes.staff_enquiry(await enquire(staff_site))
    tab = await opened(path)
    assert not tab.state.is_open
    await tab.do("show")
    await tab.do("look_up", TELEPHONE, "07700 900123")
    assert (tab.state.is_open, len(tab.state.known[TELEPHONE])) == (True, 1)
    assert await tab.do("close") is None
    await tab.do("show")
    assert (tab.state.is_open, tab.state.known[TELEPHONE]) == (True, ())


async def test_form_of_the_address_is_closed_with_it(staff_site: Site) -> None:
    del staff_site
    tab = await opened()
    assert address(await tab.do("close")) == routes.STAFF
    await tab.do("show")
    await tab.do("leave")  # by a press on the link to a case
    assert not tab.state.is_open
    await tab.do("show")
    tab.go(routes.STAFF)
    await tab.do("follow_address")
    assert not tab.state.is_open


async def test_form_stays_when_the_socket_comes_back_to_its_page(staff_site: Site) -> None:
    del staff_site
    tab = await opened(routes.STAFF)
    await tab.do("show")
    await tab.come_back("follow_address")
    assert tab.state.is_open


async def test_caller_who_is_not_entered_stays_in_the_form(staff_site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    del staff_site
    monkeypatch.setattr(CaseService, "add_caller", AsyncMock(return_value=Refused(words=AWAY)))
    tab = await opened()
    await tab.do("add", FORM)
    assert (tab.state.is_open, tab.state.refused) == (True, AWAY)


async def test_hostile_arguments_change_nothing(staff_site: Site) -> None:
    del staff_site
    tab = await opened()
    for given in (None, 7, "", "x", [], {}, {"name": []}, "\ud800"):
        await tab.do("add", given)
        for name in (TELEPHONE, given):
            await tab.do("look_up", name, given)
    assert (tab.state.is_open, tab.state.known) == (True, {TELEPHONE: (), EMAIL: ()})
