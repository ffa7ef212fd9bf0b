"""The frame of staff pages: what the signed-in account may not use is not shown."""

from collections.abc import Iterator
from typing import Any

import pytest
import reflex as rx

from broker.pages.staff.frame import _key_strip
from broker.staff.roles import Right


def conditions(component: Any, outer: str = "") -> Iterator[tuple[str, str]]:
    """Yield each key in a component with what it is shown for; empty for what is always shown."""
    if component.tag == "kbd":
        yield str(component.children[0].contents).strip('"'), outer
    own = str(component.cond) if component.tag is None and hasattr(component, "cond") else ""
    for child in component.children:
        yield from conditions(child, f"{outer} {own}".strip())


@pytest.mark.parametrize(
    ("key", "right"),
    [
        *(("/", Right.CASES), ("+", Right.CASES), ("g t", Right.CASES), ("g l", Right.LOGOS)),
        *(("g a", Right.ACCOUNTS), ("g r", Right.ACCOUNTS), ("g o", Right.PROMOTIONS)),
    ],
)
def test_keys_of_pages_are_listed_for_roles_that_may_see_them(key: str, right: Right) -> None:
    found = [shown for listed, shown in conditions(_key_strip((), None)) if listed == key]
    assert found
    assert [shown for shown in found if f'"{right.value}"' not in shown] == []


def test_keys_that_every_role_has_and_those_of_the_page_are_always_listed() -> None:
    keys = (("j k", "move"), ("/", "find a lender"))
    found = dict(conditions(_key_strip(keys, rx.Var("read"))))
    assert [found[key] for key in ("j k", "/", "Esc", "?")] == [""] * 4
