from typing import Any

import pytest

from broker import routes
from broker.cases.case import Refused
from broker.figures.service import AWAY, FigureService
from broker.staff.roles import Role
from broker.state.staff.access import FAILED, LOADED
from broker.state.staff.figures import FiguresState
from tests.unit.staff.watched_site import Site
from tests.unit.state.tab import StaffTab, enquire
from tests.unit.storage.stores import edit, giving


@pytest.fixture
async def site(staff_site: Site) -> Site:
    for number, name in enumerate(("ada", "ben", "ben")):
        await add(staff_site, f"Visitor {number}", name)
    return staff_site


async def add(site: Site, visitor: str, adviser: str) -> None:
    reference = await enquire(site, name=visitor)
    await site.services.cases._cases.change(edit(reference), giving(adviser))


async def opened(role: Role, address: str = routes.STAFF_FIGURES) -> StaffTab:
    tab = StaffTab(FiguresState, "ada")
    tab.state._role = role
    tab.go(address)
    await tab.do("open")
    return tab


def enquiries(tab: StaffTab) -> Any:
    return next(card for card in tab.state.page.cards if card.is_wide).foot[-1]


async def test_an_owner_sees_everybodys_figures_and_chooses(site: Site) -> None:
    del site
    tab = await opened(Role.OWNER)
    assert (tab.state.status, enquiries(tab), tab.state.advisers, tab.state.may_count) == (
        LOADED,
        "3",
        ["ada", "ben"],
        True,
    )
    assert enquiries(await opened(Role.OWNER, f"{routes.STAFF_FIGURES}?adviser=ben&enquiries=adviser")) == "2"


async def test_an_adviser_sees_their_own_whatever_the_address_says(site: Site) -> None:
    del site
    tab = await opened(Role.ADVISER, f"{routes.STAFF_FIGURES}?adviser=ben")
    assert (enquiries(tab), tab.state.adviser, tab.state.advisers, tab.state.may_count) == ("1", "ada", [], False)
    assert "adviser=ben" not in tab.state.page.all_files


async def test_figures_are_counted_again_for_an_owner_alone(site: Site) -> None:
    tabs = [await opened(role) for role in (Role.ADVISER, Role.OWNER)]
    await add(site, "Another", "ada")
    seen = []
    for tab in tabs:
        await tab.do("count_again")
        seen.append(enquiries(tab))
    assert seen == ["1", "4"]


async def test_figures_that_cannot_be_read_say_so(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    del site

    async def away(self: FigureService, **chosen: object) -> Refused:
        del self, chosen
        return Refused(words=AWAY)

    monkeypatch.setattr(FigureService, "report", away)
    tab = await opened(Role.OWNER)
    assert (tab.state.status, tab.state.problem) == (FAILED, AWAY)
