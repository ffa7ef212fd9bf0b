from typing import Any
from unittest.mock import AsyncMock

import pytest

from broker.cases.case import Refused
from broker.cases.replies import NO_NAME, NO_TEMPLATE
from broker.cases.service import AWAY, CaseService
from broker.staff.audit import Act
from broker.state.staff.templates import NAME, SUBJECT, TEXT, TemplatesState
from tests.unit.staff.watched_site import Site
from tests.unit.state.tab import StaffTab


async def opened(who: str = "ada") -> StaffTab:
    tab = StaffTab(TemplatesState, who)
    await tab.do("open")
    return tab


async def save(tab: StaffTab, name: object, text: object, subject: object = "") -> None:
    await tab.do("save", {NAME: name, SUBJECT: subject, TEXT: text})


async def test_template_is_written_renamed_and_deleted_and_audited(staff_site: Site) -> None:
    tab = await opened()
    begun = tab.state.names
    await save(tab, "A. Papers", "Dear {name}")
    assert (tab.state.chosen, tab.state.said, tab.state.text) == ("A. Papers", "“A. Papers” is saved", "Dear {name}")
    await save(tab, "A. Payslips", "Dear {name}, from {adviser}")
    assert [name for name in tab.state.names if name not in begun] == ["A. Payslips"]
    await tab.do("delete")
    assert "A. Payslips" in tab.state.names  # it was not confirmed
    await tab.do("ask")
    await tab.do("keep")
    assert not tab.state.is_asked
    await tab.do("ask")
    await tab.do("delete")
    assert (tab.state.names, tab.state.chosen, tab.state.said) == (begun, "", "“A. Payslips” is deleted")
    acts = [(each.who, each.what, each.about) for each in await staff_site.services.audit.latest(3)]
    assert acts == [
        ("ada", Act.TEMPLATE_DELETED, "A. Payslips"),
        ("ada", Act.TEMPLATE_SAVED, "A. Payslips"),
        ("ada", Act.TEMPLATE_SAVED, "A. Papers"),
    ]


@pytest.mark.usefixtures("staff_site")
async def test_refused_template_leaves_what_is_typed() -> None:
    tab = await opened()
    key = tab.state.form_key
    await save(tab, "", "Dear {name}")
    assert (tab.state.refused, tab.state.form_key) == (NO_NAME, key)
    await save(tab, "Papers", "Dear {title}")
    assert tab.state.refused.startswith("There is no field {title}. There are {name}, ")
    assert tab.state.form_key == key
    await save(tab, "Papers", "Dear {name}")
    assert (tab.state.refused, tab.state.form_key != key) == ("", True)


@pytest.mark.usefixtures("staff_site")
async def test_template_that_is_deleted_meanwhile_can_be_added_again() -> None:
    tab, other = await opened(), await opened("ben")
    await save(tab, "Papers", "Dear {name}")
    await other.do("choose", "Papers")
    await other.do("ask")
    await other.do("delete")
    key = tab.state.form_key
    await save(tab, "Papers", "Dear {name}, hello")
    assert (tab.state.refused, tab.state.form_key, tab.state.chosen) == (NO_TEMPLATE, key, "")
    await save(tab, "Papers", "Dear {name}, hello")
    assert (tab.state.refused, tab.state.chosen, tab.state.text) == ("", "Papers", "Dear {name}, hello")


async def two_with(name: str) -> tuple[StaffTab, StaffTab]:
    """Return the tabs of two owners who have the same template open, which one has changed since."""
    mine, theirs = await opened(), await opened("ben")
    await save(mine, name, "First")
    await theirs.do("choose", name)
    await save(theirs, f"{name} of ben", "Theirs\nof two lines", "Their subject")
    return mine, theirs


@pytest.mark.usefixtures("staff_site")
async def test_two_who_change_one_template_see_both_and_lose_nothing() -> None:
    mine, _ = await two_with("A. Papers")
    key = mine.state.form_key
    await save(mine, "A. Papers", "Mine")
    assert (mine.state.form_key, mine.state.said, mine.state.refused) == (key, "", "")
    assert mine.state.theirs_by == "ben changed this template meanwhile. Save again to put yours in its place."
    assert mine.state.theirs == ("Name: A. Papers of ben", "Subject: Their subject", "Theirs", "of two lines")
    assert mine.state.chosen == "A. Papers of ben"
    await save(mine, "A. Papers", "Mine")
    assert (mine.state.said, mine.state.text, mine.state.theirs_by) == ("“A. Papers” is saved", "Mine", "")


@pytest.mark.usefixtures("staff_site")
async def test_template_of_a_colleague_is_taken_in_place_of_ones_own() -> None:
    mine, _ = await two_with("A. Papers")
    await save(mine, "A. Papers", "Mine")
    await mine.do("choose", mine.state.chosen)
    assert (mine.state.name, mine.state.subject, mine.state.text, mine.state.theirs_by) == (
        "A. Papers of ben",
        "Their subject",
        "Theirs\nof two lines",
        "",
    )


@pytest.mark.usefixtures("staff_site")
async def test_template_that_a_colleague_changed_is_not_deleted_unseen() -> None:
    mine, _ = await two_with("A. Papers")
    await mine.do("ask")
    await mine.do("delete")
    assert mine.state.theirs_by == "ben changed this template meanwhile. Nothing was deleted."
    assert "A. Papers of ben" in mine.state.names
    await mine.do("ask")
    await mine.do("delete")
    assert mine.state.said == "“A. Papers of ben” is deleted"


@pytest.mark.usefixtures("staff_site")
async def test_templates_that_cannot_be_read_are_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CaseService, "templates", AsyncMock(return_value=Refused(words=AWAY)))
    assert (await opened()).state.refused == AWAY


HOSTILE: list[Any] = [None, "", 7, [], {}, {NAME: 7, TEXT: []}, {NAME: "Papers", TEXT: None}, "\ud800"]


@pytest.mark.usefixtures("staff_site")
async def test_hostile_arguments_change_nothing() -> None:
    tab = await opened()
    before = tab.state.names
    for given in HOSTILE:
        await tab.do("choose", given)
        await tab.do("save", given)
        assert (tab.state.chosen, tab.state.said) == ("", "")
        assert tab.state.refused
    await tab.do("open")
    assert tab.state.names == before
