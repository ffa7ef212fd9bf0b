"""The page of a case: what a script looks up by its id is there once."""

from collections.abc import Iterator
from typing import Any

from broker.pages.staff import case
from broker.pages.staff.case_dialogs import case_dialogs
from broker.state.staff.case import HEADING_ID


def ids(component: Any) -> Iterator[str]:
    """Yield the ids of a component and of all in it."""
    if isinstance(component.id, str):
        yield component.id
    for child in component.children:
        yield from ids(child)


def test_heading_that_gets_the_focus_shares_its_id_with_no_field_of_a_dialog() -> None:
    heading, dialogs = list(ids(case._name())), set(ids(case_dialogs()))
    assert (heading, HEADING_ID in dialogs, "case-name" in dialogs) == ([HEADING_ID], False, True)
