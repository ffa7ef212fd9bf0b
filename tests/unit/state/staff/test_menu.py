from datetime import timedelta

from broker import routes
from broker.staff.roles import Right
from broker.state.staff.caller import CallerState
from broker.state.staff.duties import ADD, ComplaintsState
from broker.state.staff.menu import MenuState
from tests.unit.staff.watched_site import Site
from tests.unit.state.staff.test_duties import FORM
from tests.unit.state.tab import StaffTab, enquire


async def counted(*rights: Right) -> dict[str, str]:
    tab = StaffTab(MenuState)
    tab.state.staff_name, tab.state.staff_rights = "ada", tuple(right.value for right in rights)
    await tab.do("count")
    return dict(tab.state.menu_counts)


async def test_menu_counts_what_is_due_and_complaints_that_press(staff_site: Site) -> None:
    assert await counted(Right.CASES, Right.COMPLAINTS) == {}
    await enquire(staff_site)
    register = StaffTab(ComplaintsState)
    register.state.staff_name = "ada"
    await register.do("begin", ADD)
    await register.do("submit", {**FORM, "received": (staff_site.calendar.now - timedelta(days=90)).date().isoformat()})
    assert await counted(Right.CASES, Right.COMPLAINTS) == {routes.STAFF: "1", routes.STAFF_DUTIES: "1"}


async def test_numbers_are_counted_again_after_a_complaint(staff_site: Site) -> None:
    register = StaffTab(ComplaintsState)
    register.state.staff_name = "ada"
    await register.do("begin", ADD)
    received = (staff_site.calendar.now - timedelta(days=90)).date().isoformat()
    assert MenuState.count in await register.do("submit", {**FORM, "received": received})


async def test_role_is_told_no_number_of_what_it_may_not_see(staff_site: Site) -> None:
    await enquire(staff_site)
    assert await counted(Right.LOGOS, Right.OWN) == {}


async def test_form_of_a_caller_is_closed_over_a_page_that_opens_for_whoever_may_have_it(staff_site: Site) -> None:
    del staff_site
    tab = StaffTab(MenuState)
    tab.go(routes.UPDATE_LENDERS)
    assert await tab.do("leave_caller") is None
    tab.state.staff_rights = (Right.CASES.value,)
    assert await tab.do("leave_caller") is CallerState.leave
    await tab.do("count")
    assert await tab.do("leave_caller") is None  # its socket came back to the page
