from typing import Any
from unittest.mock import AsyncMock

import pytest

from broker.cases.case import Refused
from broker.cases.replies import NO_NAME, NO_TEMPLATE
from broker.cases.service import AWAY, CaseService
from broker.staff.audit import Act
from broker.state.staff.templates import NAME, TEXT, TemplatesState
from tests.unit.staff.watched_site import Site
from tests.unit.state.tab import StaffTab


async def opened() -> StaffTab:
    tab = StaffTab(TemplatesState)
    await tab.do("open")
    return tab


async def save(tab: StaffTab, name: object, text: object) -> None:
    await tab.do("save", {NAME: name, TEXT: text})


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


async def test_refused_template_leaves_what_is_typed(staff_site: Site) -> None:
    tab = await opened()
    key = tab.state.form_key
    await save(tab, "", "Dear {name}")
    assert (tab.state.refused, tab.state.form_key) == (NO_NAME, key)
    await save(tab, "Papers", "Dear {title}")
    assert tab.state.refused.startswith("There is no field {title}. There are {name}, ")
    assert tab.state.form_key == key
    await save(tab, "Papers", "Dear {name}")
    assert (tab.state.refused, tab.state.form_key != key) == ("", True)
    await staff_site.services.cases.delete_template("Papers", who="ben")
    await save(tab, "Papers", "Dear {name}, hello")
    assert tab.state.refused == NO_TEMPLATE


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
