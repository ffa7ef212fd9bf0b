"""The Chakra widgets; no other module imports the library. Four faults of reflex-chakra 0.8.2 are corrected here.

Two scopes: `scope` for widgets of visitors' pages, which `site.css` styles, and `desk_scope` for the staff area, whose
widgets take the theme of `desk_theme`. The faults: it imports a function that Reflex has renamed. It wraps the whole
site in its provider as soon as one page has a widget, where a scope wraps the widgets alone. Its slider has no
accessible name unless one is passed, and takes the value under a finger that only scrolls the page
(`js/slider_touch.js`).
"""

import json
from collections.abc import Sequence
from typing import Any, Literal

import reflex as rx
import reflex.utils.types as reflex_types
from reflex_base.utils.types import safe_issubclass
from reflex_components_core.core.banner import has_too_many_connection_errors

from broker.components.client_scripts import script_function
from broker.components.desk_theme import DESK_THEME
from broker.components.elements import icon
from broker.components.jinja import Content, Text, Value

reflex_types._issubclass = safe_issubclass  # pyright: ignore[reportAttributeAccessIssue] - the old name of the same

from reflex_chakra.components import base  # noqa: E402 - needs the assignment above
from reflex_chakra.components.datadisplay import badge as chakra_badge  # noqa: E402 - needs the assignment above
from reflex_chakra.components.datadisplay import table as chakra_table  # noqa: E402 - needs the assignment above
from reflex_chakra.components.forms import button as chakra_button  # noqa: E402 - needs the assignment above
from reflex_chakra.components.forms import slider as chakra_slider  # noqa: E402 - needs the assignment above
from reflex_chakra.components.overlay import menu as chakra_menu  # noqa: E402 - needs the assignment above
from reflex_chakra.components.overlay import modal as chakra_modal  # noqa: E402 - needs the assignment above


def _no_wraps() -> dict[tuple[int, str], rx.Component]:
    return {}


base.ChakraComponent._get_app_wrap_components = staticmethod(_no_wraps)
base.ChakraProvider._get_app_wrap_components = staticmethod(_no_wraps)


class _Scope(rx.Component):
    """An empty theme for the widgets, which `site.css` styles by class.

    The library's own provider sets properties of the root element, for which the browser styles every element again,
    and manages colour modes, which the site does not have.
    """

    library = "@emotion/react"
    tag = "ThemeProvider"

    theme: rx.Var[dict[str, Any]] = rx.Var("({components: {}})")


def scope(*children: rx.Component) -> rx.Component:
    """Wrap the sections that hold a Chakra widget; a page without one does not load the library."""
    return _Scope.create(*children)


def desk_scope(*children: rx.Component) -> rx.Component:
    """Wrap a page of the staff area, whose widgets take its theme."""
    # without breakpoints the library leaves out sizes and variants
    breakpoints = "{details: [{}], isResponsive: () => false}"
    theme = rx.Var(f"({{...{json.dumps(DESK_THEME)}, __breakpoints: {breakpoints}}})", _var_type=dict[str, Any])
    return _Scope.create(*children, theme=theme)


def desk_button(
    *content: Content,
    look: Literal["outline", "ghost", "solid"] = "outline",
    size: Literal["sm", "xs"] = "sm",
    kind: Literal["button", "submit"] = "button",
    **more: Any,
) -> rx.Component:
    return chakra_button.Button.create(*content, size=size, variant=look, type_=kind, **more)


def button_group(*buttons: rx.Component, label: str) -> rx.Component:
    """Draw buttons of which one is pressed (`aria-pressed`)."""
    named = {"aria-label": label}
    return chakra_button.ButtonGroup.create(*buttons, is_attached=True, custom_attrs=named, class_name="desk-group")


def badge(*content: Content, colour: Any) -> rx.Component:
    """Draw a badge; `colour` is green, orange, red, cyan or gray."""
    # as an attribute: the wrapper knows only the library's own variants
    return chakra_badge.Badge.create(*content, custom_attrs={"variant": colour})


def desk_menu(opener: rx.Component, *entries: rx.Component, label: str) -> rx.Component:
    """Draw a button that opens a menu of `menu_entry`s."""
    named = {"aria-label": label}
    return chakra_menu.Menu.create(
        chakra_menu.MenuButton.create(opener, class_name="menu-opener", custom_attrs=named),
        chakra_menu.MenuList.create(*entries, class_name="menu-list"),
    )


def menu_entry(*content: Content, on_click: Any) -> rx.Component:
    return chakra_menu.MenuItem.create(*content, on_click=on_click, class_name="menu-entry")


def desk_table(head: Sequence[rx.Component], rows: rx.Component, *, caption: str, class_name: str = "") -> rx.Component:
    """Draw a table of `column` heads and of `table_row`s; the caption is for screen readers."""
    return chakra_table.Table.create(
        rx.el.caption(caption, class_name="vh"),
        chakra_table.Thead.create(chakra_table.Tr.create(*head)),
        chakra_table.Tbody.create(rows),
        class_name=class_name,
    )


def column(*content: Content, class_name: Text = "", order: Text | None = None) -> rx.Component:
    """Draw the head of a column; `order` is its `aria-sort`."""
    sort = {} if order is None else {"aria-sort": order}
    return chakra_table.Th.create(*content, class_name=class_name, custom_attrs={"scope": "col", **sort})


def table_row(name: rx.Component, *cells: rx.Component, **more: Any) -> rx.Component:
    return chakra_table.Tr.create(name, *cells, **more)


def row_name(*content: Content, class_name: str = "") -> rx.Component:
    return chakra_table.Th.create(*content, class_name=class_name, custom_attrs={"scope": "row"})


def table_cell(*content: Content, class_name: str = "") -> rx.Component:
    return chakra_table.Td.create(*content, class_name=class_name)


def slider(
    value: Value, on_change: rx.Var, *, low: float, high: float, step: float, label: str, spoken: Text, identity: str
) -> rx.Component:
    """Draw a slider from `low` to `high`; `spoken` is its value in words, `on_change` receives its new number."""
    track = chakra_slider.SliderTrack.create(
        chakra_slider.SliderFilledTrack.create(class_name="slider-filled"), class_name="slider-track"
    )
    return chakra_slider.Slider.create(
        track,
        chakra_slider.SliderThumb.create(class_name="slider-thumb"),
        value=_as_int(value),
        on_change=on_change,
        min_=_as_int(low),
        max_=_as_int(high),
        step=_as_int(step),
        focus_thumb_on_change=False,
        class_name="slider",
        custom_attrs={
            "aria-label": label,
            "aria-valuetext": spoken,
            "onPointerDownCapture": script_function("slider_touch", "startSideways"),
        },
        id=identity,
    )


def _as_int(value: Value) -> rx.Var:
    """Return a number typed as the int that the wrapper declares; the library itself takes fractions."""
    return rx.Var(str(rx.Var.create(value)), _var_type=int, _var_data=rx.Var.create(value)._get_all_var_data())


def modal(
    *children: rx.Component, is_open: bool | rx.Var[bool], on_close: rx.Var, title: Text, title_id: str
) -> rx.Component:
    """Draw a modal named by aria-label, as the library sets aria-labelledby: focus goes to `title_id`, Esc closes."""
    box = chakra_modal.ModalContent.create(*children, class_name="modal-box", custom_attrs={"aria-label": title})
    return chakra_modal.Modal.create(
        chakra_modal.ModalOverlay.create(class_name="modal-overlay"),
        box,
        is_open=is_open,
        on_close=on_close,
        block_scroll_on_mount=True,
        return_focus_on_close=True,
        scroll_behavior="outside",
        motion_preset="none",
        size="full",
        custom_attrs={"initialFocusRef": _focus_ref(title_id)},
    )


def connection_notice() -> rx.Component:
    """Draw the staff area's notice of a lost connection; an open modal has its own, as it covers that of the page."""
    words = rx.el.span(rx.el.b("Connection lost."), " Leave this page open: it goes on once the connection is back.")
    lost = rx.el.p(icon("wifi"), words, class_name="al w")
    return rx.el.div(rx.cond(has_too_many_connection_errors, lost), role="status", class_name="lost-connection")


def desk_modal(
    title: Content,
    *content: rx.Component,
    identity: str,
    is_open: rx.Var[bool],
    on_close: Any,
    class_name: str = "",
    focus: str = "",
    focus_after: str = "",
) -> rx.Component:
    """Draw a modal of the staff area with its heading; `class_name` may be wide or desk-drawer.

    Open, it gives the focus to `focus`, an id, or to its heading; closed, to `focus_after` or back to where it was.
    """
    heading = f"{identity}-heading"
    return chakra_modal.Modal.create(
        chakra_modal.ModalOverlay.create(class_name="modal-overlay"),
        chakra_modal.ModalContent.create(
            rx.el.header(
                rx.el.h2(title, id=heading, tab_index=-1),
                desk_button("×", look="ghost", on_click=on_close, custom_attrs={"aria-label": "Close"}),
            ),
            connection_notice(),
            *content,
            class_name=f"modal-box desk-box {class_name}".strip(),
            custom_attrs={"aria-label": title},
        ),
        is_open=is_open,
        on_close=on_close,
        return_focus_on_close=True,
        scroll_behavior="outside",
        motion_preset="none",
        size="full",
        custom_attrs={"initialFocusRef": _focus_ref(focus or heading)}
        | ({"finalFocusRef": _focus_ref(focus_after)} if focus_after else {}),
    )


def _focus_ref(identity: str) -> rx.Var:
    """Return what a modal takes for the ref of the element that gets the focus."""
    return rx.Var("{current: {focus: () => document.getElementById('" + identity + "')?.focus()}}")
