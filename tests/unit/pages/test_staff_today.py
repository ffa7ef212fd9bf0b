"""The page of today: a row leads to its page, whether React draws that or the server."""

from typing import Any

import reflex as rx

from broker.cases.today_view import DayRow
from broker.pages.staff.today import _row


def links(component: Any) -> list[str]:
    """Return the tags of the links with a name in a component, in order."""
    own = [component.tag] if str(component.class_name) == "nm" else []
    return [*own, *(tag for child in component.children for tag in links(child))]


def test_row_without_a_case_has_a_link_that_the_browser_loads() -> None:
    row: Any = rx.Var("row").to(DayRow)
    assert links(_row(row)) == ["Link", "a"]
