from typing import Any
from unittest.mock import AsyncMock

import pytest

from broker import routes
from broker.cases.case import Refused
from broker.cases.service import CaseService
from broker.duties.complaint import ASSIGNED
from broker.duties.complaints import AWAY
from broker.duties.people import NEEDS_OWNER, NOT_CONFIRMED, NOTHING_TYPED
from broker.duties.promotion import PublicPage
from broker.duties.promotions import UNKNOWN
from broker.staff.audit import Act
from broker.staff.roles import Right
from broker.state.staff.duties import ADD, CHANGE, CLOSE, FAILED, LETTER, LOADED, ComplaintsState
from broker.state.staff.person import ASK, CORRECT, PersonState
from broker.state.staff.promotions import FIRST, PromotionsState
from broker.storage.errors import StorageError
from tests.unit.duties.test_complaints import FORM as COMPLAINT
from tests.unit.staff.watched_site import Site
from tests.unit.state.tab import StaffTab, enquire

FOCUS = "ref_complaint_heading"
"""Reflex's name of the element that gets the focus."""

DONE = "ref_person_done"
"""The same of what is said after an action on a person's data."""

FORM = {**COMPLAINT, "email": "", "reference": "", "received": "2026-03-30", "assigned": "ben"}


@pytest.fixture
async def tab(staff_site: Site) -> StaffTab:  # noqa: ARG001 - a tab needs the services to be there
    return await opened("ada")


async def opened(name: str) -> StaffTab:
    tab = StaffTab(ComplaintsState)
    tab.state.staff_name = name
    await tab.do("open")
    return tab


async def recorded(tab: StaffTab, **changes: str) -> None:
    await tab.do("begin", ADD)
    await tab.do("submit", {**FORM, **changes})


def value(tab: StaffTab, name: str) -> Any:
    return next(field for field in tab.state.form.fields if field.name == name)


async def test_new_complaint_is_with_whoever_enters_it_where_they_may_hold_one(tab: StaffTab) -> None:
    await tab.do("begin", ADD)
    assert value(tab, ASSIGNED).value == "ada"
    await tab.do("submit", {**FORM, "subject": "", "assigned": ""})
    assert value(tab, ASSIGNED).value == "", "nobody was chosen"
    keeper = await opened("eli")
    await keeper.do("begin", ADD)
    assert value(keeper, ASSIGNED).value == ""
    await recorded(tab, assigned="")
    await tab.do("begin", CHANGE)
    assert value(tab, ASSIGNED).value == "", "a recorded complaint stays with nobody"


async def test_complaint_is_recorded_answered_and_closed(tab: StaffTab) -> None:
    assert (tab.state.status, tab.state.found.count) == (LOADED, "none open")
    await recorded(tab)
    assert tab.state.result == "C-0001 is recorded"
    (line,) = tab.state.found.lines
    assert (line.label, line.who, line.assigned, line.letters) == ("C-0001", "A. Example", "ben", "Acknowledge it")
    await tab.do("begin", LETTER)
    assert FOCUS in str(await tab.do("submit", {"letter": "summary", "sent": "2026-03-31"}))
    await tab.do("begin", CLOSE)
    await tab.do("submit", {"outcome": "upheld", "closed": "2026-03-31", "redress": "250"})
    assert (tab.state.result, tab.state.one.state, tab.state.found.lines) == ("C-0001 is closed", "Settled", ())
    await tab.do("toggle_closed")
    assert [line.summary.words for line in tab.state.found.lines] == ["settled on day 1"]
    assert tab.state.found.half_years[0].lines[1].counts == ("1", "1", "0", "0")


async def test_complaint_about_a_case_begins_with_its_reference_and_its_person(tab: StaffTab, staff_site: Site) -> None:
    reference = await enquire(staff_site)
    tab.state.staff_rights = (Right.CASES.value, Right.COMPLAINTS.value)
    tab.go(routes.staff_complaint(reference))
    await tab.do("open")
    person = {name: value(tab, name).value for name in ("name", "telephone", "email", "reference", "matter", "about")}
    assert (tab.state.form.title, person) == (
        "New complaint",
        {
            "name": "Zebedee Quillfeather",
            "telephone": "07700 900123",
            "email": "zebedee@quill.example",
            "reference": reference,
            "matter": "",
            "about": "",
        },
    )
    (read,) = await staff_site.services.audit.latest(1)
    assert (read.who, read.what, read.about) == ("ada", Act.ENQUIRY_READ, reference)
    await tab.do("submit", {**FORM, "reference": reference})
    assert tab.state.result == "C-0001 is recorded"


@pytest.mark.parametrize("rights", [(Right.COMPLAINTS.value,), (Right.CASES.value, Right.COMPLAINTS.value)])
async def test_complaint_begins_with_the_reference_alone_where_no_case_may_be_read(
    tab: StaffTab, staff_site: Site, rights: tuple[str, ...]
) -> None:
    is_without_right = Right.CASES.value not in rights
    reference = await enquire(staff_site) if is_without_right else "HG-7K3M-Q2XD"
    tab.state.staff_rights = rights
    tab.go(routes.staff_complaint(reference))
    await tab.do("open")
    assert (value(tab, "name").value, value(tab, "reference").value) == ("", reference)


@pytest.mark.parametrize("number", ["0", "2", "-1", "9" * 30, "²"])
async def test_address_of_a_complaint_opens_that_one_alone(tab: StaffTab, number: str) -> None:
    await recorded(tab)
    await tab.open(routes.staff_complaint_of(1))
    assert (tab.state.one.label, tab.state.form.title) == ("C-0001", "")
    await tab.open(routes.with_query(routes.STAFF_DUTIES, {"complaint": number}))
    assert (tab.state.status, tab.state.one.label) == (LOADED, "")


@pytest.mark.parametrize("reference", ["", "no such", "HG-1"])
async def test_address_without_a_reference_opens_no_form(tab: StaffTab, reference: str) -> None:
    tab.go(routes.staff_complaint(reference))
    await tab.do("open")
    assert (tab.state.status, tab.state.form.title) == (LOADED, "")


async def test_section_that_was_chosen_is_marked(tab: StaffTab) -> None:
    for chosen, marked in (("person", "person"), ("nonsense", "person")):
        await tab.do("choose", chosen)
        assert tab.state.section == marked


async def test_refused_form_keeps_what_was_typed(tab: StaffTab) -> None:
    await recorded(tab, received="2026-04-30")
    assert (value(tab, "name").value, value(tab, "received").problem) == (
        "A. Example",
        "Enter a date that is not in the future",
    )
    assert tab.state.found.lines == ()


async def test_form_gives_the_focus_to_its_first_field_or_the_first_with_a_problem(tab: StaffTab) -> None:
    await tab.do("begin", ADD)
    assert [field.name for field in tab.state.form.fields if field.has_focus] == ["name"]
    await tab.do("submit", {**FORM, "subject": "", "cause": ""})
    assert [field.name for field in tab.state.form.fields if field.has_focus] == ["subject"]


async def test_socket_that_comes_back_closes_nothing(staff_site: Site) -> None:
    reference = await enquire(staff_site, name="A. Example")
    tab = StaffTab(ComplaintsState)
    await tab.open(routes.with_query(routes.STAFF_DUTIES, {"reference": reference}))
    await tab.do("submit", {**FORM, "name": "", "reference": reference})
    await tab.come_back()
    assert (value(tab, "about").value, value(tab, "name").problem != "") == (FORM["about"], True)
    await tab.do("cancel")
    await tab.come_back()
    assert tab.state.form.title == ""
    await recorded(tab)
    await tab.come_back()
    assert (tab.state.one.label, tab.state.result) == ("C-0001", "C-0001 is recorded")
    await tab.open(routes.STAFF_DUTIES)
    assert (tab.state.one.label, tab.state.result) == ("", "")


async def test_person_stays_found_when_a_file_of_theirs_was_downloaded(staff_site: Site) -> None:
    await enquire(staff_site, name="A. Example")
    tab = StaffTab(PersonState)
    await tab.open(routes.STAFF_DUTIES)
    await tab.do("find", {"person": "07700 900123"})
    found = tab.state.found
    await tab.come_back()
    assert (tab.state.found, found.found_by) == (found, "07700 900123")
    await tab.do("begin", CORRECT)
    await tab.come_back()
    assert tab.state.form.title != ""
    await tab.open(routes.STAFF_FIGURES)
    assert tab.state.found.found_by == ""


async def test_two_who_correct_one_complaint_see_each_other(tab: StaffTab) -> None:
    await recorded(tab)
    ben = await opened("ben")
    assert FOCUS in str(await ben.do("read", 1))
    await ben.do("begin", CHANGE)
    await tab.do("begin", CHANGE)
    await tab.do("submit", {**FORM, "about": "Booked twice"})
    await ben.do("submit", {**FORM, "about": "Rude"})
    assert ben.state.refused.startswith("ada changed C-0001 at 13:00, and nothing of yours was saved")
    assert "Booked twice" in str(ben.state.one.facts)
    assert ben.state.form.title
    await ben.do("submit", {**FORM, "about": "Rude"})
    assert ben.state.result == "C-0001 is changed"


async def test_form_of_a_complaint_has_its_values(tab: StaffTab) -> None:
    await recorded(tab, vulnerable="on")
    await tab.do("begin", CHANGE)
    assert (value(tab, "about").value, value(tab, "vulnerable").value) == ("Valuation booked late", "on")
    await tab.do("cancel")
    assert not tab.state.form.title


@pytest.mark.parametrize("doing", [CHANGE, LETTER, CLOSE, "delete", ""])
async def test_form_without_a_complaint_stays_closed(tab: StaffTab, doing: str) -> None:
    await tab.do("begin", doing)
    await tab.do("submit", FORM)
    assert (tab.state.form.title, tab.state.found.lines) == ("", ())


async def test_unknown_complaint_is_refused(tab: StaffTab) -> None:
    await tab.do("read", 9)
    assert (tab.state.refused, tab.state.one.number) == ("There is no such complaint", 0)


async def test_database_away_keeps_what_was_typed(
    tab: StaffTab, staff_site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    store: Any = staff_site.services.duties.complaints._store
    away = AsyncMock(side_effect=StorageError("away"))
    with monkeypatch.context() as failing:
        failing.setattr(store, "add", away)
        failing.setattr(store, "all", away)
        await tab.do("begin", ADD)
        failing.setattr(CaseService, "accounts", AsyncMock(return_value=Refused(words=AWAY)))
        await tab.do("submit", FORM)
        assert (tab.state.refused, value(tab, "name").value) == (AWAY, "A. Example")
        assert (value(tab, "assigned").value, "ben" in str(value(tab, "assigned").choices)) == ("ben", True)
        key = tab.state.form.key
        for handler in ("look_again", "toggle_closed"):
            await tab.do(handler)
            assert (tab.state.status, tab.state.refused, tab.state.form.key) == (LOADED, AWAY, key)
        other = await opened("ben")
        assert (other.state.status, other.state.problem) == (FAILED, AWAY)
    await tab.do("submit", FORM)
    assert (tab.state.result, tab.state.refused) == ("C-0001 is recorded", "")


async def test_person_is_found_corrected_asked_for_and_deleted(staff_site: Site) -> None:
    reference = await enquire(staff_site)
    tab = StaffTab(PersonState)
    tab.state.staff_name = "ada"
    await tab.do("open")
    await tab.do("find", {"person": "07700 900123"})
    assert tab.state.found.heading.startswith("\u2068Zebedee Quillfeather\u2069: ")
    await tab.do("begin", ASK)
    assert DONE in str(await tab.do("submit", {"kind": "deletion", "asked": "2026-03-31"}))
    assert [each.due for each in tab.state.requests] == ["answer by Thu 30 Apr"]
    await tab.do("add_also")
    assert (tab.state.found.found_by, tab.state.found.also) == ("07700 900123, zebedee@quill.example", "")
    await tab.do("delete", {"typed": reference})
    assert tab.state.refused == NEEDS_OWNER
    tab.state.staff_rights = ("accounts",)
    await tab.do("delete", {"typed": "HG-AAAA-AAAA"})
    assert tab.state.refused == NOT_CONFIRMED
    await tab.do("begin", CORRECT)
    await tab.do("submit", {"name": "A. Example", "email": "corrected@example.com"})
    assert tab.state.found.heading.startswith("\u2068A. Example\u2069: ")
    assert (tab.state.found.found_by, tab.state.result) == (
        "07700 900123, corrected@example.com, zebedee@quill.example",
        "It is corrected",
    )
    assert DONE in str(await tab.do("delete", {"typed": reference}))
    assert (tab.state.found.found_by, "records are deleted" in tab.state.result) == ("", True)
    assert "no longer lead to this person" in tab.state.result
    assert tab.state.requests == ()


async def test_nothing_of_a_person_is_done_before_one_is_found(staff_site: Site) -> None:
    del staff_site
    tab = StaffTab(PersonState)
    tab.state.staff_rights = ("accounts",)
    for name, given in (("delete", {"typed": ""}), ("submit", {"name": "A"}), ("begin", CORRECT), ("find", {})):
        await tab.do(name, given)
    assert (tab.state.form.title, tab.state.refused) == ("", NOTHING_TYPED)


async def test_promotion_is_looked_at_and_approved(staff_site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    pages = [PublicPage(path=f"/{number}/", text="A rate of 4%. No fee.") for number in range(FIRST + 3)]
    service: Any = staff_site.services.duties.promotions
    monkeypatch.setattr(service, "_pages", AsyncMock(return_value=pages))
    tab = StaffTab(PromotionsState)
    tab.state.staff_name = "olga"
    await tab.do("open")
    assert (len(tab.state.lines), tab.state.more) == (FIRST + 3, 0)
    for page in pages:
        await tab.do("look", page.path)
        await tab.do("approve")
    assert (tab.state.result, len(tab.state.lines), tab.state.more) == (f"/{FIRST + 2}/ is approved", FIRST, 3)
    await tab.do("show_all")
    assert {line.state for line in tab.state.lines} == {"Approved"}
    pages[0] = PublicPage(path="/0/", text="A rate of 4%. A fee.")
    await tab.do("open")
    assert "ref_promotion_heading" in str(await tab.do("look", "/0/"))
    assert (tab.state.one.added, tab.state.one.removed) == (("A fee.",), ("No fee.",))
    await tab.do("look", "/nowhere/")
    await tab.do("approve")
    assert (tab.state.one.path, tab.state.refused) == ("", UNKNOWN)
