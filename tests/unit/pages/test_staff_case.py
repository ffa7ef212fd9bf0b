"""The page of a case: what a script looks up by its id is there once."""

from collections.abc import Iterator
from typing import Any

from broker.pages.staff import case
from broker.pages.staff.case_dialogs import case_dialogs
from broker.state.staff.case import HEADING_ID

_NAMES = ("aria-label", "aria-labelledby")


def ids(component: Any) -> Iterator[str]:
    """Yield the ids of a component and of all in it."""
    if isinstance(component.id, str):
        yield component.id
    for child in component.children:
        yield from ids(child)


def regions(component: Any) -> Iterator[str]:
    """Yield the names of the regions in a component, by their words or the id of their heading."""
    named = {
        name: component.custom_attrs.get(name) or getattr(component, name.replace("-", "_"), None) for name in _NAMES
    }
    if component.tag == "section" or "region" in str(getattr(component, "role", "")):
        yield from (str(name) for name in named.values() if name)
    for child in component.children:
        yield from regions(child)


def test_no_region_of_a_case_is_in_another_of_its_name() -> None:
    assert list(regions(case._timeline())) == ["timeline-title"]
    assert [name for name in regions(case._contact()) if name != "A table of the result"] == ["contact-title"]


def test_heading_that_gets_the_focus_shares_its_id_with_no_field_of_a_dialog() -> None:
    heading, dialogs = list(ids(case._name())), set(ids(case_dialogs()))
    assert (heading, HEADING_ID in dialogs, "case-name" in dialogs) == ([HEADING_ID], False, True)
