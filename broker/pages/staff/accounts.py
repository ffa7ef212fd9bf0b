"""The page of accounts for owners: invite, people, the details of one, and what each role may do."""

from typing import Any

import reflex as rx

from broker import routes
from broker.components.chakra import badge, column, desk_button, desk_table, row_name, table_cell, table_row
from broker.components.client_scripts import script_function
from broker.components.elements import button, note, plain_link, visually_hidden
from broker.components.forms.fields import field, live_error
from broker.components.share import copy_link
from broker.pages.registry import BuildInputs, Page
from broker.pages.staff.frame import loading, not_read, staff_page
from broker.staff.people import EMAIL, MAX_DISPLAY_NAME, NAME, ROLE
from broker.staff.people_view import ROLE_WORDS, Choice, DetailLine, LinkLine, PersonLine, role_table
from broker.staff.roles import Right, Role
from broker.state.staff.accounts import DONE_ID, FAILED, LOADED, AccountsState

_STATE: Any = AccountsState

_ROLES = tuple((role.value, ROLE_WORDS[role]) for role in (Role.ADVISER, Role.OWNER, Role.CONTENT, Role.LOGOS))


def pages(inputs: BuildInputs) -> tuple[Page, ...]:
    return (
        staff_page(
            inputs,
            routes.STAFF_ACCOUNTS,
            "Accounts",
            _accounts,
            title="Accounts, for staff",
            description="Owners of the firm invite staff here, choose what they may do, and end it.",
            right=Right.ACCOUNTS,
            on_load=AccountsState.open,
            beside=_beside,
            keys=(("i", "invite"), ("j k", "move"), ("Enter", "open")),
        ),
    )


def _beside() -> rx.Component:
    return rx.fragment(
        rx.el.p(_STATE.sentence, role="status", class_name="small mute"),
        rx.el.p(plain_link("The record", href=routes.STAFF_RECORD), class_name="push small"),
    )


def _accounts() -> rx.Component:
    failed = not_read("The accounts could not be read", _STATE.problem, retry=AccountsState.open)
    return rx.fragment(rx.match(_STATE.status, (LOADED, _loaded()), (FAILED, failed), loading(rows=4)))


def _loaded() -> rx.Component:
    return rx.el.div(
        _said(),
        _invite(),
        rx.el.div(
            rx.el.div(_people(), _roles(), class_name="stack"),
            rx.cond(_STATE.chosen.id != 0, rx.el.div(_details(), class_name="aside")),
            class_name="desk-side",
        ),
        class_name="stack loose accounts",
    )


def _said() -> rx.Component:
    """Draw what was done or refused, and a link that was just made."""
    link = rx.el.div(
        rx.el.p(_STATE.link_words),
        rx.el.input(
            value=_STATE.link, read_only=True, class_name="input", aria_label="The link", spell_check=False, id="link"
        ),
        copy_link(_STATE.link),
        class_name="panel stack",
    )
    return rx.el.div(
        rx.cond(_STATE.result != "", note(_STATE.result, tone="good")),
        rx.cond(_STATE.refused != "", note(_STATE.refused, tone="bad")),
        rx.cond(_STATE.link != "", link),
        id=DONE_ID,
        tab_index=-1,
        role="status",
        class_name="told stack",
    )


def _invite() -> rx.Component:
    form = rx.el.form(
        _text(NAME, "Name", most=MAX_DISPLAY_NAME, custom_attrs={"data-key": "i"}),
        _text(EMAIL, "Email", most=254, type="email"),
        rx.el.div(
            field(
                "Role",
                _role_select(id=ROLE, name=ROLE),
                identity=ROLE,
                error=live_error(_STATE.errors.get(ROLE, ""), identity=ROLE),
            )
        ),
        button("Send the link", look="s lamp", icon_name="mail", kind="submit"),
        on_submit=AccountsState.invite,
        method="post",
        class_name="invite",
        key=_STATE.version,
    )
    return rx.el.section(
        rx.el.h2("Invite"),
        rx.el.p("One link that works once and ends after 48 hours.", class_name="small mute"),
        form,
        rx.foreach(_STATE.links, _open_link),
        class_name="panel stack",
        aria_label="Invite",
    )


def _role_select(**more: Any) -> rx.Component:
    options = (rx.el.option(words, value=role) for role, words in _ROLES)
    return rx.el.select(*options, class_name="select", **more)


def _text(name: str, label: str, *, most: int, **more: Any) -> rx.Component:
    problem = _STATE.errors.get(name, "")
    box = rx.el.input(
        id=name, name=name, max_length=most, auto_complete="off", spell_check=False, class_name="input", **more
    )
    return field(label, box, identity=name, error=live_error(problem, identity=name))


def _open_link(link: LinkLine) -> rx.Component:
    return rx.el.div(
        rx.el.span(rx.el.b(rx.el.bdi(link.name)), " ", link.words, "."),
        _small("Send again", link.name, AccountsState.make_link(link.id)),
        _small("Withdraw", link.name, AccountsState.withdraw(link.id)),
        class_name="row",
    )


def _small(words: str, about: Any, pressed: Any) -> rx.Component:
    return desk_button(words, visually_hidden(rx.fragment(" ", about)), size="xs", on_click=pressed)


def _people() -> rx.Component:
    counts = (column(head, class_name="i0") for head in ("Passkeys", "Sessions", "Open"))
    initials = column(visually_hidden("Initials"), class_name="v0")
    table = desk_table(
        [initials, *map(column, ("Name", "Email", "Role")), *counts, *map(column, ("Last seen", "State"))],
        rx.foreach(_STATE.people, _person),
        caption="People with an account",
        class_name="people-table",
    )
    return rx.el.section(rx.el.h2("People"), table, class_name="panel listed", aria_label="People")


def _person(person: PersonLine) -> rx.Component:
    return table_row(
        table_cell(rx.el.span(person.initials, class_name=f"av {person.tone}", aria_hidden="true"), class_name="v0"),
        row_name(plain_link(person.shown_name, href=person.href, class_name="linked"), class_name="n0"),
        table_cell(person.email, class_name="e0"),
        table_cell(person.role, class_name="r0"),
        table_cell(person.passkeys, class_name="i0"),
        table_cell(person.sessions, class_name="i0"),
        table_cell(person.cases, class_name="i0"),
        table_cell(person.seen, class_name="l0"),
        table_cell(badge(person.state, colour=person.colour), class_name="s0"),
        custom_attrs={"data-row": "", "aria-current": rx.cond(person.is_chosen, "true", rx.Var("undefined"))},
    )


def _roles() -> rx.Component:
    head = (rx.el.th(words, scope="col") for words in ("May", *(ROLE_WORDS[role] for role in Role)))
    rows = (
        rx.el.tr(rx.el.th(words, scope="row"), *(rx.el.td(extent, class_name=extent) for extent in extents))
        for words, extents in role_table()
    )
    return rx.el.section(
        rx.el.h2("What each role may do"),
        rx.el.p("What a role may not do it does not see. “own” is its own cases alone.", class_name="small mute"),
        rx.el.table(
            rx.el.caption("What each role may do", class_name="vh"),
            rx.el.thead(rx.el.tr(*head)),
            rx.el.tbody(*rows),
            class_name="tbl matrix",
        ),
        class_name="panel stack",
        aria_label="What each role may do",
    )


def _details() -> rx.Component:
    chosen = _STATE.chosen
    role = _role_select(id="their-role", value=chosen.role, on_change=AccountsState.set_role)
    none = rx.el.p("None.", class_name="small mute")
    return rx.el.section(
        rx.el.div(
            rx.el.span(chosen.initials, class_name=f"av {chosen.tone}", aria_hidden="true"),
            rx.el.div(
                rx.el.h2(rx.el.bdi(chosen.shown_name)),
                rx.el.p(chosen.account, ", ", chosen.since, class_name="small mute"),
            ),
            class_name="row",
        ),
        field("Role", role, identity="their-role"),
        rx.el.div(
            rx.el.h3("Sessions"),
            rx.cond(chosen.sessions.length() > 1, _small("End all", chosen.shown_name, AccountsState.end_all)),
            class_name="bar",
        ),
        rx.cond(chosen.sessions.length() == 0, none),
        _lines(chosen.sessions, "End", lambda line: AccountsState.end_session(line.id)),
        rx.el.h3("Passkeys, ", chosen.factors),
        rx.cond(chosen.passkeys.length() == 0, none),
        _lines(chosen.passkeys, "Remove", lambda line: AccountsState.remove_passkey(line.id)),
        rx.cond(
            chosen.is_enabled,
            rx.el.div(
                _small("Reset sign-in by link", chosen.shown_name, AccountsState.make_link(chosen.id)),
                rx.cond(
                    chosen.email == "",
                    rx.el.p(
                        "No email address is known, as the account was made on the server: the link is not mailed, but "
                        "shown to you once, to bring to them.",
                        class_name="small mute",
                    ),
                ),
            ),
        ),
        rx.el.div(
            rx.el.h3("Record"),
            plain_link("All, with dates", href=chosen.record_href, class_name="small"),
            class_name="bar",
        ),
        _lines(chosen.record),
        rx.cond(chosen.is_enabled, _disable()),
        rx.cond(~chosen.is_enabled & chosen.is_set_up, _enable()),
        key=chosen.id,
        tab_index=-1,
        class_name="panel stack",
        aria_label=chosen.shown_name,
        # the table has many rows before it
        custom_attrs={"ref": script_function("desk", "focusPanel")},
    )


def _lines(lines: Any, words: str = "", pressed: Any = None) -> rx.Component:
    def line(each: DetailLine) -> rx.Component:
        act = _small(words, each.words, pressed(each)) if pressed else rx.fragment()
        return rx.el.li(rx.el.span(each.words, rx.el.br(), rx.el.span(each.when, class_name="small mute")), act)

    return rx.el.ul(rx.foreach(lines, line), class_name="acts")


def _disable() -> rx.Component:
    chosen = _STATE.chosen
    heirs = rx.foreach(chosen.heirs, _option)
    to = rx.el.select(heirs, id="to", name="to", class_name="select")
    return rx.el.form(
        rx.el.h3("Disable"),
        rx.el.p(chosen.work, class_name="small"),
        field("Hand over to", to, identity="to"),
        rx.el.button(chosen.disable_words, type="submit", class_name="btn s line bad"),
        on_submit=AccountsState.disable,
        method="post",
        class_name="stack",
    )


def _option(each: Choice) -> rx.Component:
    return rx.el.option(each.words, value=each.value)


def _enable() -> rx.Component:
    return rx.el.div(
        rx.el.h3("Disabled"),
        rx.el.p("Cases that were handed over stay where they are.", class_name="small"),
        button("Enable", look="s line", on_click=AccountsState.enable),
        class_name="stack",
    )
