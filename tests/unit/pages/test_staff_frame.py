"""The frame of staff pages: what the signed-in account may not use is not shown."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
import reflex as rx

from broker import routes
from broker.pages import all_pages
from broker.pages.staff import cases, duties, logos, today
from broker.pages.staff.frame import _key_strip, key_button
from broker.pages.staff.promotions import _section
from broker.staff.roles import Right
from broker.state.staff.caller import CallerState
from broker.state.staff.menu import MenuState
from tests.unit.pages.whole_site import inputs


def conditions(component: Any, outer: str = "") -> Iterator[tuple[Any, str]]:
    """Yield each part of a component with what it is shown for; empty for what is always shown."""
    yield component, outer
    own = str(component.cond) if component.tag is None and hasattr(component, "cond") else ""
    for child in component.children:
        yield from conditions(child, f"{outer} {own}".strip())


def listed(component: Any) -> Iterator[tuple[str, str]]:
    """Yield each key in a component with what it is shown for."""
    for part, shown in conditions(component):
        if part.tag == "kbd":
            yield str(part.children[0].contents).strip('"'), shown


@pytest.mark.parametrize(
    ("key", "right"),
    [
        *(("/", Right.CASES), ("+", Right.CASES), ("g t", Right.CASES), ("g l", Right.LOGOS)),
        *(("g a", Right.ACCOUNTS), ("g r", Right.ACCOUNTS), ("g o", Right.PROMOTIONS)),
    ],
)
def test_keys_of_pages_are_listed_for_roles_that_may_see_them(key: str, right: Right) -> None:
    found = [shown for each, shown in listed(_key_strip((), None)) if each == key]
    assert found
    assert [shown for shown in found if f'"{right.value}"' not in shown] == []


def test_keys_that_every_role_has_and_those_of_the_page_are_always_listed() -> None:
    keys = (("j k", "move"), ("/", "find a lender"))
    found = dict(listed(_key_strip(keys, rx.Var("read"))))
    assert [found[key] for key in ("j k", "/", "Esc", "?")] == [""] * 4


def test_tab_of_complaints_is_on_the_page_of_promotions_for_roles_that_may_see_them() -> None:
    href = f'"{routes.STAFF_DUTIES}"'
    (shown,) = (shown for part, shown in conditions(_section()) if href == str(getattr(part, "to", "")))
    assert f'"{Right.COMPLAINTS.value}"' in shown


def test_form_of_a_caller_does_not_stay_open_over_another_page() -> None:
    pages = [page for page in all_pages(inputs()) if page.route.startswith((routes.STAFF, routes.UPDATE_LENDERS))]
    closing: tuple[Any, ...] = (CallerState.follow_address, MenuState.leave_caller)
    assert len(pages) > 3
    assert [page.route for page in pages if not any(each in (page.on_load or ()) for each in closing)] == []


def controls_in_sight(component: Any) -> Iterator[str]:
    """Yield the buttons and inputs that stand on a page whose data never come, but for those that need scripts."""
    if "needs-script" in str(component.class_name) or "popover" in component.custom_attrs:
        return
    if component.tag in ("button", "Button", "input"):
        yield str(component)
    if component.tag or not hasattr(component, "cond"):
        for child in component.children:
            yield from controls_in_sight(child)


def undo_key() -> Any:
    return key_button("z", "Undo", press=rx.noop())


@pytest.mark.parametrize(
    "draw", [cases._beside, duties._actions, today._head, logos._upload_section, logos._fetches, undo_key]
)
def test_controls_beside_a_list_are_hidden_without_scripts(draw: Callable[[], Any]) -> None:
    assert list(controls_in_sight(draw())) == []
