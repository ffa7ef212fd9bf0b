"""Today: what is due in order of the day, beside the case that is open."""

from typing import Any

import reflex as rx
from reflex_components_core.el.elements.inline import A

from broker import routes
from broker.cases.today_view import DayGroup, DayRow
from broker.components.chakra import badge, button_group, desk_button
from broker.components.elements import drawing, icon, plain_link, visually_hidden
from broker.pages.registry import BuildInputs, Page
from broker.pages.staff.case import CASE_KEYS, case_article
from broker.pages.staff.frame import not_read, staff_page, staff_problem
from broker.staff.roles import Right
from broker.state.staff.access import FAILED, IDLE
from broker.state.staff.case import NEXT_ID
from broker.state.staff.today import TodayState

_STATE: Any = TodayState
_FOUND = _STATE.day


def pages(inputs: BuildInputs) -> tuple[Page, ...]:
    return (
        staff_page(
            inputs,
            routes.STAFF,
            "Today",
            _today,
            title="Today, for staff",
            description="Staff of the firm see here what is due today, and work on one case after the other.",
            right=Right.CASES,
            on_load=[TodayState.open_case, TodayState.open_day, TodayState.watch_day],
            keys=(("j k", "move"), ("Enter", "open"), *CASE_KEYS),
            live=_STATE.read_at,
            is_whole=True,
        ),
    )


def _today() -> rx.Component:
    place = rx.el.span(_STATE.place, class_name="hint only-small push")
    after = rx.cond(
        _STATE.next_href != "",
        rx.el.a(
            "Next",
            icon("right"),
            rx.el.kbd("n", aria_hidden="true"),
            href=_STATE.next_href,
            id=NEXT_ID,
            class_name="btn line",
            custom_attrs={"data-key": "n"},
        ),
    )
    begin = rx.el.a(
        "Open the next", rx.el.kbd("n"), href=_STATE.next_href, class_name="btn line", custom_attrs={"data-key": "n"}
    )
    first = rx.cond(_STATE.next_href != "", begin)
    case = case_article(
        back=routes.STAFF, back_words="Today", retry=TodayState.open_case, place=place, after=after, first=first
    )
    return rx.fragment(_list(), case)


def _list() -> rx.Component:
    rows = rx.el.div(
        rx.match(
            _STATE.day_status,
            (FAILED, not_read("Today could not be read", _STATE.day_problem, retry=TodayState.open_day)),
            (IDLE, _waiting()),
            _groups(),
        ),
        class_name="day-rows",
        tab_index=0,
        role="region",
        aria_label="What is due",
        on_mouse_leave=rx.cond(_STATE.waiting > 0, TodayState.settle, rx.noop()),
        custom_attrs={"aria-busy": rx.cond(_STATE.day_status == IDLE, "true", "false")},
    )
    return rx.el.section(_head(), rows, aria_label="Today", class_name="day-list")


def _head() -> rx.Component:
    whose = button_group(
        *(
            desk_button(
                words,
                size="xs",
                on_click=TodayState.show(everyone),
                custom_attrs={"aria-pressed": rx.cond(_STATE.everyone == everyone, "true", "false")},
            )
            for words, everyone in (("Mine", False), ("Everyone", True))
        ),
        label="Whose",
    )
    return rx.el.header(
        staff_problem(),
        rx.el.div(
            rx.el.h1("Today", tab_index=-1),
            rx.el.span(_FOUND.day, class_name="hint"),
            rx.el.div(whose, class_name="push needs-script"),
            class_name="line",
        ),
        rx.el.nav(rx.foreach(_FOUND.groups, _chip), aria_label="Parts of today", class_name="jump"),
    )


def _chip(group: DayGroup) -> rx.Component:
    return A.create(
        rx.el.b(group.count),
        rx.el.span(group.chip, group.late),
        href="#day-" + group.key,
        key=group.key,
        class_name=rx.cond(group.late != "", "hot", ""),
    )


def _groups() -> rx.Component:
    empty = rx.el.div(
        drawing("mark", width=36, height=40, class_name="mark"),
        rx.el.b(_FOUND.empty),
        rx.el.span(_FOUND.empty_words),
        rx.el.div(
            rx.cond(
                _FOUND.first_new != "", desk_button("Take the first", on_click=TodayState.take_row(_FOUND.first_new))
            ),
            plain_link("See all cases", href=routes.STAFF_ENQUIRIES, class_name="btn line"),
            class_name="row",
        ),
        class_name="day-empty",
    )
    fresh = rx.cond(
        _STATE.waiting > 0,
        rx.el.div(
            desk_button(_STATE.waiting.to_string() + " new", size="xs", on_click=TodayState.settle),
            class_name="day-new",
        ),
    )
    away = rx.el.div(
        icon("wifi"),
        rx.el.span(_STATE.day_problem, "."),
        desk_button("Try now", size="xs", on_click=TodayState.open_day),
        class_name="al b",
    )
    said = rx.el.div(rx.cond(_STATE.day_problem != "", away), role="status")
    return rx.fragment(said, fresh, rx.cond(_FOUND.empty != "", empty), rx.foreach(_FOUND.groups, _group))


def _waiting() -> rx.Component:
    """Draw the boxes of rows, which appear after 200 ms."""
    words = rx.el.p("This page needs scripts, which aren’t running in your browser.", class_name="no-script-only")
    boxes = (rx.el.li(*(rx.el.i(class_name="sk") for _ in range(3)), class_name="it") for _ in range(8))
    return rx.fragment(words, rx.el.ul(*boxes, class_name="after-200", aria_hidden="true"))


def _group(group: Any) -> rx.Component:
    section = rx.el.section(
        rx.el.h2(group.heading, rx.el.span(group.remark), id="day-" + group.key + "-title"),
        rx.el.ul(rx.foreach(group.rows, _row)),
        id="day-" + group.key,
        aria_labelledby="day-" + group.key + "-title",
        key=group.key,
    )
    return rx.cond(group.rows.length() > 0, section)


def _row(row: DayRow) -> rx.Component:
    look = rx.cond(row.is_late, "it late", rx.cond(row.is_done, "it done", "it")).to(str)
    marks = rx.fragment(
        rx.cond(row.has_needs, rx.el.span(icon("heart"), visually_hidden("has a support need"), class_name="mark-i")),
        rx.cond(row.badge != "", badge(rx.cond(row.has_clock, icon("clock")), row.badge, colour=row.tone)),
        rx.cond(row.initials != "", rx.el.span(row.initials, title=row.who, class_name=f"av {row.who_tone}")),
    )
    return rx.el.li(
        rx.el.span(row.time, class_name="tm"),
        rx.el.span(
            rx.cond(
                row.reference != "",
                rx.el.a(rx.el.bdi(row.name), href=row.href, class_name="nm"),
                # the page of the watches, which the server draws
                plain_link(rx.el.bdi(row.name), href=row.href, class_name="nm"),
            ),
            rx.el.span(rx.el.bdi(row.what), class_name="wh"),
            class_name="cut",
        ),
        rx.el.span(marks, class_name="marks"),
        rx.match(
            row.action,
            ("take", _take(row)),
            ("call", _action(row, "phone", "c")),
            ("video", _action(row, "video", "c")),
            ("write", _action(row, "mail", "r")),
            ("done", rx.el.span(icon("check"), visually_hidden("done"), class_name="act")),
            rx.fragment(),
        ),
        key=row.key,
        class_name=look + rx.cond(row.is_new, " new", "").to(str),
        custom_attrs={
            "data-row": "",
            "aria-current": rx.cond(
                (row.reference != "") & (row.reference == _STATE.reference), "true", rx.Var("undefined")
            ),
        },
    )


def _take(row: DayRow) -> rx.Component:
    return desk_button(
        "Take",
        size="xs",
        on_click=TodayState.take_row(row.stamp),
        custom_attrs={"data-key": "t", "aria-label": "Take " + row.name},
    )


def _action(row: DayRow, mark: str, key: str) -> rx.Component:
    return A.create(
        icon(mark),
        href=row.action_href,
        class_name="act",
        custom_attrs={"data-key": key, "aria-label": row.action_label},
    )
