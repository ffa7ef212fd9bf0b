"""The register of promotions: public pages with rates, their approval, and what has changed since."""

from typing import Any

import reflex as rx

from broker import routes
from broker.components.chakra import badge, column, desk_button, desk_table, row_name, table_cell, table_row
from broker.components.elements import button, note, plain_link, visually_hidden
from broker.pages.registry import BuildInputs, Page
from broker.pages.staff.duties import card
from broker.pages.staff.frame import loading, may, not_read, staff_page
from broker.staff.roles import Right
from broker.state.staff.promotions import FAILED, HEADING_ID, LOADED, PromotionsState

_STATE: Any = PromotionsState

_KEYS = (("j k", "move"), ("Enter", "view"), ("Esc", "back to the register"))


def pages(inputs: BuildInputs) -> tuple[Page, ...]:
    return (
        staff_page(
            inputs,
            routes.STAFF_PROMOTIONS,
            "Promotions",
            _section,
            title="Promotions, for staff",
            description="Staff of the firm approve here what the public pages with rates say.",
            right=Right.PROMOTIONS,
            on_load=PromotionsState.open,
            menu=routes.STAFF_DUTIES,
            keys=_KEYS,
        ),
    )


def _section() -> rx.Component:
    failed = not_read("The register could not be read", _STATE.problem, retry=PromotionsState.open)
    tabs = rx.el.ul(
        rx.cond(may(routes.STAFF_DUTIES), rx.el.li(rx.el.a("Complaints and data", href=routes.STAFF_DUTIES))),
        rx.el.li(rx.el.a("Promotions", href=routes.STAFF_PROMOTIONS, custom_attrs={"aria-current": "page"})),
    )
    return rx.fragment(
        rx.el.nav(tabs, class_name="desk-tabs", aria_label="Duties"),
        rx.match(_STATE.status, (LOADED, _register()), (FAILED, failed), loading(rows=3)),
    )


def _register() -> rx.Component:
    heads = [column(head) for head in ("Page", "Rates shown", "By", "Approved", "Due again", "State")]
    table = desk_table(
        [*heads, column(visually_hidden("Action"))],
        rx.foreach(_STATE.lines, _row),
        caption="Pages with rates and their approval",
        class_name="duty-table promotion-table",
    )
    more = desk_button("Show all, ", _STATE.more, " more are approved", on_click=PromotionsState.show_all)
    return rx.el.div(
        rx.el.div(
            rx.cond(_STATE.result != "", rx.el.p(_STATE.result, class_name="said")),
            rx.cond(_STATE.refused != "", note("Not approved. ", _STATE.refused, ".", tone="warn")),
            role="status",
            class_name="said-slot",
        ),
        rx.cond(_STATE.one.path != "", _one()),
        card("promotions", "Promotions register", _STATE.words, table, beside=rx.cond(_STATE.more > 0, more)),
        class_name="stack loose",
    )


def _row(line: Any) -> rx.Component:
    return table_row(
        row_name(line.path, class_name="c0"),
        table_cell(line.rates),
        table_cell(line.who),
        table_cell(line.approved),
        table_cell(line.due),
        table_cell(badge(line.state, colour=line.tone), class_name="h0"),
        table_cell(
            desk_button("View", visually_hidden(line.path), size="xs", on_click=PromotionsState.look(line.path)),
            class_name="i0",
        ),
        key=line.path,
        custom_attrs={"data-row": ""},
    )


def _one() -> rx.Component:
    one = _STATE.one
    return rx.el.section(
        rx.el.div(
            rx.el.h2(one.path, id=HEADING_ID, tab_index=-1),
            badge(one.state, colour=one.tone),
            rx.el.div(
                button("Approve what it shows", look="s", on_click=PromotionsState.approve),
                desk_button(
                    "Back to the register", on_click=PromotionsState.leave, custom_attrs={"data-key": "Escape"}
                ),
                class_name="push row",
            ),
            class_name="row",
        ),
        _sentences("New since it was approved", one.added),
        _sentences("Gone since it was approved", one.removed),
        rx.el.h3("Pages as visitors see them"),
        rx.el.ul(rx.foreach(one.pages, _page), class_name="shown-pages"),
        rx.el.h3("What the first of them shows"),
        rx.el.div(
            rx.foreach(one.lines, rx.el.p), class_name="shown-text", tab_index=0, role="group", aria_label="Text"
        ),
        class_name="panel stack",
        aria_labelledby=HEADING_ID,
    )


def _page(path: Any) -> rx.Component:
    return rx.el.li(plain_link(path, href=path), key=path)


def _sentences(title: str, found: Any) -> rx.Component:
    return rx.cond(found.length() > 0, rx.el.div(rx.el.h3(title), rx.el.ul(rx.foreach(found, rx.el.li))))
