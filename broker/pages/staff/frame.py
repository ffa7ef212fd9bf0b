"""The frame of the staff pages, and parts that they share. Exported, they hold no data: each loads its own."""

from collections.abc import Callable, Sequence
from typing import Any

import reflex as rx
from reflex_base.utils.imports import ImportDict

from broker import routes
from broker.components.client_scripts import script_function, shared_component
from broker.components.client_values import client_handler, memoized_section
from broker.components.elements import button, drawing, jump_link, note, plain_link, skeleton, visually_hidden
from broker.components.forms.fields import select
from broker.components.forms.post_form import ListForm, post_form
from broker.components.jinja import Content, Handler
from broker.pages.layout import connection_toast
from broker.pages.registry import BuildInputs, Page
from broker.staff.accounts import IDLE_TIMEOUT
from broker.state.staff.access import StaffState

_MENU = (
    ("Overview", routes.STAFF),
    ("Enquiries", routes.STAFF_ENQUIRIES),
    ("Lenders and logos", routes.UPDATE_LENDERS),
    ("Record", routes.STAFF_RECORD),
)

_WARNING_ID = "session-warning"
_WARNING_BEFORE = 5
_WARNING_MINUTES = int(IDLE_TIMEOUT.total_seconds()) // 60 - _WARNING_BEFORE

_STAFF = "staff"
"""Name of the script chunk that only staff pages load."""

_STATE: Any = StaffState


class _StaffValues(rx.Fragment):
    """Adds the initial values of staff states to those of other states, which every page loads."""

    def add_imports(self) -> ImportDict:
        return {"$/utils/context": "initialState"}

    def add_custom_code(self) -> list[str]:
        return [f"Object.assign(initialState, {StaffState.initial_values()});"]


def _staff_values() -> rx.Component:
    """Return what every script of staff pages must hold; it draws nothing."""
    return _StaffValues.create()


def staff_page(
    inputs: BuildInputs,
    route: str,
    heading: str,
    draw: Callable[[], rx.Component],
    *,
    title: str,
    description: str,
    on_load: Handler,
    menu: str = "",
) -> Page:
    """Return a page of the staff area; `menu` is the path of the menu's entry for a page that has none of its own."""
    return Page(
        route=route,
        counted_as=None,
        title=title,
        description=description,
        render=lambda: _layout(inputs, menu or route, heading, draw()),
        on_load=on_load,
        indexed=False,
    )


def _layout(inputs: BuildInputs, path: str, title: str, content: rx.Component) -> rx.Component:
    return rx.el.div(
        jump_link("Skip to main content", "main", class_name="skip"),
        shared_component(_staff_values, script=_STAFF),
        shared_component(_staff_header, inputs.store.site().name, path, script=_STAFF),
        shared_component(connection_toast, script=_STAFF),
        rx.el.main(
            rx.el.h1(title, tab_index=-1, class_name="as-h2"),
            shared_component(_staff_problem, script=_STAFF),
            content,
            id="main",
            class_name="wrap band-s stack loose page",
            tab_index=-1,
        ),
        rx.el.footer(rx.el.p("What you do here is recorded.", class_name="wrap xs"), class_name="q-foot"),
        class_name="site staff",
    )


def _staff_header(firm: str, path: str) -> rx.Component:
    links = (
        rx.el.li(rx.el.a(words, href=href, custom_attrs={"aria-current": "page"} if href == path else {}))
        for words, href in _MENU
    )
    return rx.el.header(
        rx.el.div(
            plain_link(
                drawing("mark", width=36, height=40, class_name="mark", lazy=False),
                rx.el.span(firm.partition(" ")[0], rx.el.small("Staff")),
                href=routes.HOME,
                class_name="brand",
            ),
            rx.el.nav(rx.el.ul(*links), aria_label="Staff", class_name="staff-menu"),
            rx.el.div(
                plain_link("Signed in as ", _STATE.staff_name, href=routes.STAFF_ACCOUNT, class_name="small"),
                post_form(
                    rx.el.button("Sign out", type="submit", class_name="btn line s"),
                    action=routes.STAFF_FORMS["sign-out"],
                ),
                class_name="row",
            ),
            class_name="wrap",
        ),
        class_name="top",
    )


def _staff_problem() -> rx.Component:
    """Draw why the session could not be checked, and shortly before its end that it ends."""
    watch = script_function("staff_session", "watchSession").call(routes.STAFF, _WARNING_ID, _WARNING_MINUTES)
    ending = rx.el.p(
        f"You will be signed out in {_WARNING_BEFORE} minutes. Press a key or click anywhere to stay signed in.",
        class_name="note warn",
    )
    return rx.fragment(
        rx.el.div(
            rx.cond(_STATE.staff_problem != "", note(_STATE.staff_problem, tone="bad")), class_name="staff-problem"
        ),
        rx.el.div(
            rx.el.div(ending, id=_WARNING_ID, hidden=True),
            role="status",
            on_mount=client_handler(watch),
            class_name="session-warning",
        ),
    )


def loading(*heading: rx.Component, rows: int) -> rx.Component:
    """Draw placeholders of data that the page requests, and why they stay without scripts."""
    words = "This page needs scripts, which aren’t running in your browser."
    return rx.el.div(rx.el.p(words, class_name="no-script-only"), *heading, skeleton(rows), class_name="stack")


def not_read(title: str, problem: rx.Var, *, retry: Handler) -> rx.Component:
    """Draw that data could not be read, with the button that tries again."""
    again = button("Try again", look="s line", on_click=retry)
    return note(title, rx.el.p(problem, "."), rx.el.p(again), tone="bad")


def read_at(words: str, time: rx.Var, *, look_again: Handler) -> rx.Component:
    again = button("Look again", look="s line", icon_name="loop", on_click=look_again)
    return rx.el.div(rx.el.span(words, time, class_name="small mute"), again, class_name="row")


def table_head(*heads: str, actions: str = "") -> rx.Component:
    """Draw the head of a table, whose last column may hold `actions`, named for screen readers alone."""
    last = [rx.el.th(visually_hidden(actions), scope="col")] if actions else []
    return rx.el.thead(rx.el.tr(*(rx.el.th(head, scope="col") for head in heads), *last))


def cell(head: str, *content: Content, class_name: str | None = "h") -> rx.Component:
    """Draw a table cell, which small screens show with its column's head: two in a row, or three without `h`."""
    return rx.el.td(*content, class_name=class_name, custom_attrs={"data-l": head})


def filter_form(
    form: ListForm,
    *fields: rx.Component,
    submit: Callable[..., Handler],
    label: str,
    title: str,
    above: rx.Component | None = None,
) -> rx.Component:
    """Draw the filters of a list; `label` names the form, and `title` the section."""
    return memoized_section(
        form.changes.state,
        *([] if above is None else [above]),
        rx.el.form(
            *fields,
            on_submit=submit(form.values),
            method="post",
            class_name="panel narrowing",
            role="search",
            aria_label=label,
        ),
        class_name="stack",
        aria_label=title,
    )


def filter_select(form: ListForm, name: str, *, label: str, options: Sequence[tuple[str, str]]) -> rx.Component:
    return select(label, options, identity=name, chosen=form[name], on_change=form.change(name))
