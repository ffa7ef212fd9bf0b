"""The frame of the staff pages, and parts that they share. Exported, they hold no data: each loads its own."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import reflex as rx
from reflex_base.utils.imports import ImportDict
from reflex_components_core.el.elements.inline import A

from broker import routes
from broker.cases.list_view import MAX_TEXT
from broker.components.chakra import connection_notice, desk_button, desk_scope
from broker.components.client_scripts import expression, script_function, shared_component
from broker.components.client_values import client_handler, memoized_section
from broker.components.elements import button, drawing, icon, jump_link, note, plain_link, skeleton, visually_hidden
from broker.components.forms.fields import select
from broker.components.forms.post_form import ListForm, post_form
from broker.components.jinja import Content, Handler
from broker.pages.registry import BuildInputs, Page
from broker.pages.staff.caller import caller_form, caller_opener
from broker.staff.accounts import IDLE_TIMEOUT
from broker.staff.menu import ACCOUNT_MENU, DEMO_WORDS, MENU, Entry
from broker.staff.menu import keys as keys_of_menu
from broker.staff.path_rights import right_for
from broker.staff.roles import Right
from broker.state.staff.access import StaffState
from broker.state.staff.caller import CallerState
from broker.state.staff.cases import FIND, EnquiriesState
from broker.state.staff.menu import MenuState

Keys: TypeAlias = Sequence[tuple[str, str]]
"""Keys of a page, each with what it does; an element says by `data-key` that a key presses or focuses it."""

_KEYS: Keys = (
    *(("/", "search"), ("+", "a caller")),
    *((key, each.words.lower()) for key, each in keys_of_menu().items()),
    *(("Esc", "leave a field"), ("?", "all keys")),
)
"""Keys of every page."""

_PATHS: Mapping[str, str] = {
    **dict.fromkeys(("/", "+"), routes.STAFF_ENQUIRIES),
    **{key: each.href for key, each in keys_of_menu().items()},
}
"""What a role must be allowed to use for a key of every page to be there; the other keys are there for all."""

_SHOWN_KEYS = 8
"""Keys of a page that stand along its foot; the others are in the dialog alone."""


_KEYS_ID, _ACCOUNT_ID, _FIND_BOX_ID = "keys", "account", "find-box"

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
    live: rx.Var | None = None,
    is_whole: bool = False,
) -> Page:
    """Return a page of the staff area.

    `right` is what a role needs for it, as the server is told by `PATH_RIGHTS`; raises ValueError for another one.
    `menu` is the path of the menu's entry for a page that has none of its own; `beside` draws what stands beside the
    heading. `live` is the time at which a page that stays up to date was read last. A page that `is_whole` fills the
    window between the bars with panes of its own, which scroll, and draws its own `h1`.
    """
    if right_for(route) is not right:
        raise ValueError(f"{route} needs {right.value} here and {right_for(route).value} in PATH_RIGHTS")
    caller = CallerState.follow_address if right is Right.CASES else MenuState.leave_caller
    return Page(
        route=route,
        counted_as=None,
        title=title,
        description=description,
        render=lambda: _layout(
            inputs,
            menu or route,
            draw() if is_whole else _content(heading, beside(), draw()),
            keys=keys,
            live=live,
            look="panes" if is_whole else "stack loose page",
        ),
        on_load=[caller, *(on_load if isinstance(on_load, Sequence) else (on_load,)), MenuState.count],
        indexed=False,
    )


def _content(heading: str, beside: rx.Component, content: rx.Component) -> rx.Component:
    return rx.fragment(
        rx.el.div(rx.el.h1(heading, tab_index=-1), beside, class_name="ph"),
        shared_component(staff_problem, script=_STAFF),
        content,
    )


def _layout(
    inputs: BuildInputs, path: str, content: rx.Component, *, keys: Keys, live: rx.Var | None, look: str
) -> rx.Component:
    page = rx.el.div(
        rx.el.script(_SET_THEME),
        rx.el.link(rel="stylesheet", href=STYLESHEET),
        jump_link("Skip to main content", "main", class_name="skip"),
        shared_component(_staff_values, script=_STAFF),
        shared_component(_staff_header, inputs.store.site().name, path, script=_STAFF),
        shared_component(connection_notice, script=_STAFF),
        rx.el.main(content, id="main", class_name=look, tab_index=-1),
        shared_component(_key_strip, tuple(keys), live, script=_STAFF),
        shared_component(caller_form, inputs.store.site().consent.spoken, script=_STAFF),
        class_name="site staff desk",
    )
    return desk_scope(page)


def _staff_header(firm: str, path: str) -> rx.Component:
    more = rx.el.button(
        icon("menu"),
        "More",
        type="button",
        class_name="only-small",
        custom_attrs={"popoverTarget": _ACCOUNT_ID, "aria-haspopup": "menu"},
    )
    links = (_item(each, path, "" if each.icon else "only-wide") for each in MENU)
    return rx.el.header(
        rx.el.a(
            drawing("mark-on-dark", width=24, height=27, class_name="mark", lazy=False),
            rx.el.span(firm.partition(" ")[0]),
            href=routes.STAFF,
            class_name="desk-brand",
            aria_label=f"{firm}, today for staff",
        ),
        rx.cond(_STATE.is_demo, rx.el.span(DEMO_WORDS, class_name="desk-demo")),
        rx.el.nav(
            rx.el.ul(*links, rx.el.li(more, class_name="only-small")), aria_label="Staff", class_name="desk-menu"
        ),
        rx.el.div(
            rx.cond(may(routes.STAFF_ENQUIRIES), rx.fragment(_find(), _find_opener(), caller_opener())),
            _account_menu(path),
            class_name="desk-acts",
        ),
        class_name="desk-bar",
    )


def may(path: str) -> rx.Var[bool]:
    """Return whether the signed-in account may use a path; False until the server has said who it is."""
    return _STATE.staff_rights.contains(right_for(path).value)


def _item(each: Entry, path: str, class_name: str = "") -> rx.Component:
    """Draw an entry for an account that may use its page."""
    return rx.cond(may(each.href), rx.el.li(_link(each, path), class_name=class_name))


def _link(each: Entry, path: str) -> rx.Component:
    counts = _STATE.menu_counts
    count = rx.cond(counts.contains(each.href), rx.el.span(counts[each.href], class_name="c"))
    draw = A.create if each.is_template else rx.el.a
    return draw(
        *((icon(each.icon),) if each.icon else ()),
        each.words,
        count if each in MENU else rx.fragment(),
        href=each.href,
        custom_attrs=({"data-go": each.key} if each.key else {})
        | ({"aria-current": "page"} if each.href == path else {}),
    )


def _find() -> rx.Component:
    """Draw the field that finds cases, on small screens in a box that a button opens.

    It is a post, so that without scripts no name gets into an address.
    """
    box = rx.el.input(
        id=FIND,
        name=FIND,
        type="search",
        placeholder="Name, phone, reference",
        auto_complete="off",
        spell_check=False,
        max_length=MAX_TEXT,
        custom_attrs={"data-key": "/"},
    )
    return rx.el.form(
        rx.el.label(
            icon("search"),
            visually_hidden("Search cases"),
            box,
            rx.el.kbd("/", aria_hidden="true"),
            custom_attrs={"ref": script_function("desk", "showSearchOfAddress")},
        ),
        id=_FIND_BOX_ID,
        on_submit=[hide_box(_FIND_BOX_ID), EnquiriesState.find],
        method="post",
        role="search",
        class_name="desk-find needs-script",
        custom_attrs={"popover": "auto"},
    )


def _find_opener() -> rx.Component:
    show = client_handler(script_function("desk", "showSearch").call(FIND))
    return rx.el.button(
        icon("search"), rx.el.span("Search cases"), type="button", on_click=show, class_name="desk-act find-opener"
    )


def _account_menu(path: str) -> rx.Component:
    """Draw the account's button and what it opens, by the browser's own popover: it works without scripts too."""
    name = _STATE.staff_name.to(str)
    initials = _STATE.staff_initials.to(str)
    opener = rx.el.button(
        initials,
        type="button",
        class_name=f"desk-avatar {_STATE.staff_tone}",
        custom_attrs={
            "popoverTarget": _ACCOUNT_ID,
            "aria-label": initials + ", signed in as " + name + ": your account, light or dark, keys, sign out",
        },
    )
    entries = (
        *(_item(each, path, "only-small") for each in MENU if not each.icon),
        *(_item(each, path) for each in ACCOUNT_MENU),
        rx.el.li(plain_link("The site as visitors see it", href=routes.HOME)),
        rx.el.li(_entry("Light or dark", script_function("desk", "turnTheme").call(routes.STAFF_FORMS["look"]))),
        rx.el.li(_entry("Keys", script_function("desk", "showKeys").call(_KEYS_ID))),
        rx.el.li(post_form(rx.el.button("Sign out", type="submit"), action=routes.STAFF_FORMS["sign-out"])),
    )
    return rx.fragment(
        opener,
        rx.el.div(
            rx.el.p("Signed in as ", name, ". What you do here is recorded."),
            rx.el.ul(*entries),
            id=_ACCOUNT_ID,
            custom_attrs={"popover": "auto"},
            class_name="menu-box",
        ),
    )


def _entry(words: str, pressed: rx.Var) -> rx.Component:
    return rx.el.button(words, type="button", on_click=client_handler(pressed), class_name="needs-script")


def _with_own(keys: Keys, shared: Keys) -> Keys:
    """Return the keys of a page and those that all share, but for those that it has for something else."""
    return (*keys, *(each for each in shared if each[0] not in dict(keys)))


def _key_strip(keys: Keys, live: rx.Var | None) -> rx.Component:
    """Draw the keys of a page along its foot, and all of them in a dialog: those that the signed-in account has."""
    keys_work = script_function("desk", "watchKeys").call(_KEYS_ID)
    # once more, for a page that React drew again
    start = expression(f"({_SET_THEME}, {keys_work!s})", keys_work)
    own = dict(keys)

    def allowed(key: str, drawn: rx.Component) -> rx.Component:
        return rx.cond(may(_PATHS[key]), drawn) if key in _PATHS and key not in own else drawn

    listed = (
        allowed(key, rx.el.div(rx.el.dt(rx.el.kbd(key)), rx.el.dd(words))) for key, words in _with_own(keys, _KEYS)
    )
    look = routes.STAFF_FORMS["look"]
    switch = client_handler(script_function("desk", "switchKeys").call(rx.Var("typed.target"), look))
    off = rx.el.label(
        rx.el.input(type="checkbox", custom_attrs={"onChange": switch}), "Single keys work", class_name="tick"
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
    shown = (
        allowed(key, rx.el.span(rx.el.kbd(key), words))
        for key, words in _with_own(keys[:_SHOWN_KEYS], (_KEYS[0], _KEYS[-1]))
    )
    read = rx.fragment() if live is None else rx.cond(live != "", rx.el.span("Live. Read ", live, class_name="push"))
    return rx.el.footer(*shown, read, dialog, class_name="desk-strip", on_mount=client_handler(start))


def hide_box(identity: str) -> rx.Var:
    """Return the handler that closes an open box of the browser's own popover."""
    return client_handler(rx.Var(f"document.getElementById('{identity}').hidePopover()"))


def key_button(key: str, words: str, *, press: Handler) -> rx.Component:
    """Draw a button that nobody sees, which a key presses."""
    return rx.el.button(
        words, type="button", on_click=press, class_name="vh needs-script", tab_index=-1, custom_attrs={"data-key": key}
    )


def desk_toast(
    words: rx.Var, *, is_done: rx.Var, number: rx.Var, undo: Handler, can_undo: rx.Var, close: Handler | None = None
) -> rx.Component:
    """Draw what was done in a live region for eight seconds, and longer while the pointer or the focus is in it.

    With `close` it stays until its button is pressed. `number` changes with each change that `words` say; `undo` is
    pressed by its button, or by `z` while `words` stand, where `can_undo`. What is not `is_done`, as nothing was
    changed, has no tick.
    The library has no toast.
    """
    undo_button = desk_button(
        "Undo", rx.el.kbd("z", aria_hidden="true"), size="xs", on_click=undo, custom_attrs={"data-key": "z"}
    )
    closing = (
        rx.fragment()
        if close is None
        else desk_button(icon("close"), size="xs", on_click=close, custom_attrs={"aria-label": "Close"})
    )
    look = "desk-toast" if close is None else "desk-toast stays"
    undoing = rx.cond(can_undo, undo_button)
    mark = rx.cond(is_done, icon("check"), icon("info"))
    box = rx.el.div(mark, rx.el.span(words), undoing, closing, class_name=look, key=number)
    return rx.el.div(rx.cond(words != "", box), role="status")


def staff_problem() -> rx.Component:
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
    form: ListForm, *fields: rx.Component, submit: Callable[..., Handler], label: str, title: str
) -> rx.Component:
    """Draw the filters of a list; `label` names the form, and `title` the section."""
    return memoized_section(
        form.changes.state,
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
