"""The frame of the staff pages, and parts that they share. Exported, they hold no data: each loads its own."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import reflex as rx
from reflex_base.utils.imports import ImportDict

from broker import routes
from broker.components.chakra import desk_button, desk_scope
from broker.components.client_scripts import expression, script_function, shared_component
from broker.components.client_values import client_handler, memoized_section
from broker.components.elements import button, drawing, icon, jump_link, note, plain_link, skeleton, visually_hidden
from broker.components.forms.fields import select
from broker.components.forms.post_form import ListForm, post_form
from broker.components.jinja import Content, Handler
from broker.pages.layout import connection_toast
from broker.pages.registry import BuildInputs, Page
from broker.staff.accounts import IDLE_TIMEOUT
from broker.staff.path_rights import right_for
from broker.staff.roles import Right
from broker.state.staff.access import StaffState


@dataclass(frozen=True, slots=True, kw_only=True)
class _Entry:
    """An entry of the menu: its words, path, icon on small screens, and the key that goes to it after `g`."""

    words: str
    href: str
    icon: str
    key: str


_MENU = (
    _Entry(words="Overview", href=routes.STAFF, icon="home", key="o"),
    _Entry(words="Enquiries", href=routes.STAFF_ENQUIRIES, icon="phone", key="e"),
    _Entry(words="Diary", href=routes.STAFF_DIARY, icon="call", key="d"),
    _Entry(words="Logos", href=routes.UPDATE_LENDERS, icon="upload", key="l"),
    _Entry(words="Record", href=routes.STAFF_RECORD, icon="pen", key="r"),
)

Keys: TypeAlias = Sequence[tuple[str, str]]
"""Keys of a page, each with what it does; an element says by `data-key` that a key presses or focuses it."""

_KEYS: Keys = (*((f"g {each.key}", each.words.lower()) for each in _MENU), ("Esc", "leave a field"), ("?", "all keys"))
"""Keys of every page."""

_KEYS_ID, _ACCOUNT_ID = "keys", "account"

_SET_THEME = (
    "document.documentElement.dataset.theme = /desk_theme=(light|dark)/.exec(document.cookie)?.[1]"
    ' || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")'
)
"""Run before the first paint: the theme that somebody chose in this browser, else that of their system."""

_WARNING_ID = "session-warning"
_WARNING_BEFORE = 5
_WARNING_MINUTES = int(IDLE_TIMEOUT.total_seconds()) // 60 - _WARNING_BEFORE

STYLESHEET = "/desk.css"
"""The stylesheet of staff pages, after that of the site; no page of visitors' loads it."""

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
    right: Right,
    on_load: Handler,
    menu: str = "",
    beside: Callable[[], rx.Component] = rx.fragment,
    keys: Keys = (),
) -> Page:
    """Return a page of the staff area.

    `right` is what a role needs for it, as the server is told by `PATH_RIGHTS`; raises ValueError for another one.
    `menu` is the path of the menu's entry for a page that has none of its own; `beside` draws what stands beside the
    heading.
    """
    if right_for(route) is not right:
        raise ValueError(f"{route} needs {right.value} here and {right_for(route).value} in PATH_RIGHTS")
    return Page(
        route=route,
        counted_as=None,
        title=title,
        description=description,
        render=lambda: _layout(inputs, menu or route, rx.el.h1(heading, tab_index=-1), draw(), beside(), keys=keys),
        on_load=on_load,
        indexed=False,
    )


def _layout(
    inputs: BuildInputs, path: str, heading: rx.Component, content: rx.Component, beside: rx.Component, *, keys: Keys
) -> rx.Component:
    page = rx.el.div(
        rx.el.script(_SET_THEME),
        rx.el.link(rel="stylesheet", href=STYLESHEET),
        jump_link("Skip to main content", "main", class_name="skip"),
        shared_component(_staff_values, script=_STAFF),
        shared_component(_staff_header, inputs.store.site().name, path, script=_STAFF),
        shared_component(connection_toast, script=_STAFF),
        rx.el.main(
            rx.el.div(heading, beside, class_name="ph"),
            shared_component(_staff_problem, script=_STAFF),
            content,
            id="main",
            class_name="stack loose page",
            tab_index=-1,
        ),
        shared_component(_key_strip, tuple(keys), script=_STAFF),
        class_name="site staff desk",
    )
    return desk_scope(page)


def _staff_header(firm: str, path: str) -> rx.Component:
    links = (rx.cond(_may(each.href), rx.el.li(_menu_link(each, is_current=each.href == path))) for each in _MENU)
    return rx.el.header(
        rx.el.a(
            drawing("mark", width=24, height=27, class_name="mark", lazy=False),
            firm.partition(" ")[0],
            href=routes.STAFF,
            class_name="desk-brand",
            aria_label=f"{firm}, overview for staff",
        ),
        rx.el.nav(rx.el.ul(*links), aria_label="Staff", class_name="desk-menu"),
        _account_menu(),
        class_name="desk-bar",
    )


def _menu_link(entry: _Entry, *, is_current: bool) -> rx.Component:
    marks = {"data-go": entry.key} | ({"aria-current": "page"} if is_current else {})
    return rx.el.a(icon(entry.icon), entry.words, href=entry.href, custom_attrs=marks)


def _may(path: str) -> rx.Var[bool]:
    """Return whether the signed-in account may use a path; False until the server has said who it is."""
    return _STATE.staff_rights.contains(right_for(path).value)


def _account_menu() -> rx.Component:
    """Draw the account's button and what it opens, by the browser's own popover: it works without scripts too."""
    name = _STATE.staff_name.to(str)
    initials = name[:2].upper()
    opener = rx.el.button(
        initials,
        type="button",
        class_name="desk-avatar",
        custom_attrs={
            "popoverTarget": _ACCOUNT_ID,
            "aria-label": initials + ", signed in as " + name + ": your account, light or dark, keys, sign out",
        },
    )
    entries = (
        plain_link("Your account", href=routes.STAFF_ACCOUNT),
        plain_link("The site as visitors see it", href=routes.HOME),
        _entry("Light or dark", script_function("desk", "turnTheme").call()),
        _entry("Keys", script_function("desk", "showKeys").call(_KEYS_ID)),
        post_form(rx.el.button("Sign out", type="submit"), action=routes.STAFF_FORMS["sign-out"]),
    )
    listed = rx.el.ul(*map(rx.el.li, entries))
    return rx.el.div(
        opener,
        rx.el.div(
            rx.el.p("Signed in as ", name),
            listed,
            id=_ACCOUNT_ID,
            custom_attrs={"popover": "auto"},
            class_name="menu-box",
        ),
        class_name="push",
    )


def _entry(words: str, pressed: rx.Var) -> rx.Component:
    return rx.el.button(words, type="button", on_click=client_handler(pressed), class_name="needs-script")


def _key_strip(keys: Keys) -> rx.Component:
    """Draw the keys of a page along its foot, and all of them in a dialog."""
    keys_work = script_function("desk", "watchKeys").call(_KEYS_ID)
    # once more, for a page that React drew again
    start = expression(f"({_SET_THEME}, {keys_work!s})", keys_work)
    listed = (rx.el.div(rx.el.dt(rx.el.kbd(key)), rx.el.dd(words)) for key, words in (*keys, *_KEYS))
    switch = client_handler(script_function("desk", "switchKeys").call(rx.Var("typed.target")))
    off = rx.el.label(
        rx.el.input(type="checkbox", custom_attrs={"onChange": switch}),
        "Single keys work on this device",
        class_name="tick",
    )
    dialog = rx.el.dialog(
        rx.el.h2("Keys", id="keys-title"),
        rx.el.dl(*listed),
        off,
        desk_button("Close", on_click=client_handler(rx.Var(f"document.getElementById('{_KEYS_ID}').close()"))),
        id=_KEYS_ID,
        class_name="desk-keys",
        aria_labelledby="keys-title",
    )
    shown = (rx.el.span(rx.el.kbd(key), words) for key, words in (*keys, _KEYS[-1]))
    return rx.el.footer(
        *shown,
        rx.el.span("What you do here is recorded.", class_name="push"),
        dialog,
        class_name="desk-strip",
        on_mount=client_handler(start),
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
