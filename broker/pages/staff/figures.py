"""The figures of the firm: six in large, then charts with their tables and files, and a page to print for the board."""

from typing import Any

import reflex as rx
from reflex_components_core.el.elements.inline import A

from broker import routes
from broker.components.chakra import column, desk_button, desk_table, row_name, table_cell, table_row
from broker.components.client_scripts import script_function
from broker.components.client_values import TYPED, client_handler
from broker.components.elements import inline_style, visually_hidden
from broker.components.url_params import NAVIGATE
from broker.figures.figures import ADVISER
from broker.figures.figures_view import PERIODS
from broker.figures.page_view import WEEKS
from broker.pages.registry import BuildInputs, Page
from broker.pages.staff.frame import loading, not_read, staff_page
from broker.staff.roles import Right
from broker.state.staff.figures import FAILED, LOADED, FiguresState

_STATE: Any = FiguresState

_PRINT = client_handler(rx.Var("window.print()"))


def pages(inputs: BuildInputs) -> tuple[Page, ...]:
    firm = inputs.store.site().name
    return (
        staff_page(
            inputs,
            routes.STAFF_FIGURES,
            "Figures",
            lambda: _figures(firm),
            title="Figures, for staff",
            description="Staff of the firm see here how many enquire, how soon they are called, and what comes of it.",
            right=Right.FIGURES,
            on_load=FiguresState.open,
            beside=_beside,
            keys=(("e", "export"), ("p", "print")),
        ),
    )


def _beside() -> rx.Component:
    """Draw when the figures were counted, and what may be chosen."""
    counted = rx.el.span(
        "Counted ", _STATE.page.counted, " from the database; counts of visitors under 5 are not shown", class_name="m"
    )
    again = rx.cond(_STATE.may_count, desk_button("Count again", size="xs", on_click=FiguresState.count_again))
    chosen = rx.el.span(
        _select(
            "Period", WEEKS, _STATE.weeks, *(rx.el.option(words, value=str(weeks)) for weeks, words in PERIODS.items())
        ),
        rx.cond(_STATE.may_count, _advisers()),
        _file_link("Excel, all", _STATE.page.all_files, key="e"),
        desk_button(
            "Print for the board", rx.el.kbd("p", aria_hidden="true"), on_click=_PRINT, custom_attrs={"data-key": "p"}
        ),
        class_name="row push",
    )
    return rx.cond(_STATE.status == LOADED, rx.el.div(counted, again, chosen, class_name="row fig-head"))


def _select(label: Any, name: Any, value: Any, *options: rx.Component) -> rx.Component:
    """Draw a choice that is kept in the address; a change does not scroll the page."""
    chosen = client_handler(script_function("desk", "setParameter").call(NAVIGATE, name, TYPED))
    return rx.el.label(
        visually_hidden(label), rx.el.select(*options, value=value, on_change=chosen, class_name="select")
    )


def _advisers() -> rx.Component:
    named = rx.foreach(_STATE.advisers, lambda name: rx.el.option(name, value=name, key=name))
    return _select("Adviser", ADVISER, _STATE.adviser, rx.el.option("All advisers", value=""), named)


def _file_link(words: str, href: rx.Var, *, of: rx.Var | None = None, key: str = "") -> rx.Component:
    of_what = [] if of is None else [visually_hidden(rx.fragment(" of ", of))]
    named = {"data-key": key} if key else {}
    # a link of the library would be a page of the site
    return A.create(words, *of_what, href=href, download=True, class_name="btn s line", custom_attrs=named)


def _figures(firm: str) -> rx.Component:
    failed = not_read("The figures could not be read", _STATE.problem, retry=FiguresState.open)
    shown = rx.el.div(
        rx.el.p(
            rx.el.b(firm), ". ", _STATE.page.board, ". Counted ", _STATE.page.counted, ".", class_name="only-print"
        ),
        rx.el.dl(rx.foreach(_STATE.page.stats, _stat), class_name="stats"),
        rx.el.div(rx.foreach(_STATE.page.cards, _card), class_name="fig-cards"),
        class_name="stack loose figures",
    )
    return rx.fragment(rx.match(_STATE.status, (LOADED, shown), (FAILED, failed), loading(rows=4)))


def _stat(stat: Any) -> rx.Component:
    change = rx.cond(stat.change != "", rx.el.span(stat.change, " ", class_name=stat.tone))
    return rx.el.div(
        rx.el.dt(stat.label), rx.el.dd(stat.figure), rx.el.dd(change, stat.words), key=stat.label, class_name="st"
    )


def _card(card: Any) -> rx.Component:
    ways = rx.foreach(card.ways, lambda by: rx.el.option("By ", by, value=by, key=by))
    by = _select(rx.fragment(card.title, ": count"), card.name, card.by, ways)
    head = rx.el.div(
        rx.el.div(rx.el.h2(card.title, id=card.name), rx.el.p(card.note)),
        rx.el.span(
            rx.cond(card.by != "", by),
            _file_link("CSV", card.csv, of=card.title),
            _file_link("Excel", card.excel, of=card.title),
            class_name="row push only-screen",
        ),
        class_name="hd",
    )
    return rx.el.section(
        head,
        rx.el.div(_chart(card), _table(card), class_name=rx.cond(card.is_wide, "fig-wide", "")),
        key=card.name,
        class_name=rx.cond(card.is_wide, "card wide", "card"),
        custom_attrs={"aria-labelledby": card.name},
    )


def _chart(card: Any) -> rx.Component:
    """Draw the chart of a card; the table beside it has its figures."""
    chart = card.chart
    legend = rx.el.div(rx.foreach(chart.legend, _key), class_name="key")
    columns = rx.el.div(
        rx.el.div(
            rx.foreach(chart.columns, _column),
            rx.cond(
                chart.line != "",
                rx.el.div(
                    rx.el.span(chart.line_words), class_name="line", custom_attrs=inline_style({"bottom": chart.line})
                ),
            ),
            class_name="cols",
        ),
        rx.el.div(rx.foreach(chart.columns, _axis), class_name="axis"),
    )
    bars = rx.el.div(rx.foreach(chart.bars, _bar), class_name="hb")
    drawn = rx.el.div(
        legend, rx.cond(card.has_columns, columns), rx.cond(card.has_bars, bars), class_name="bd0", aria_hidden="true"
    )
    return rx.cond(card.has_columns | card.has_bars, drawn)


def _key(key: Any) -> rx.Component:
    return rx.el.span(rx.el.i(class_name=key.tone), key.words, key=key.words)


def _column(one: Any) -> rx.Component:
    return rx.el.div(rx.el.b(one.figure), rx.foreach(one.parts, _part), key=f"{one.label} {one.under}")


def _part(part: Any) -> rx.Component:
    return rx.el.i(class_name=part.tone, custom_attrs=inline_style({"height": part.height}), key=part.tone)


def _axis(one: Any) -> rx.Component:
    under = rx.cond(one.under != "", rx.fragment(rx.el.br(), one.under))
    return rx.el.span(one.label, under, key=f"{one.label} {one.under}")


def _bar(bar: Any) -> rx.Component:
    line = rx.el.i(class_name=bar.tone, custom_attrs=inline_style({"width": bar.width}))
    return rx.fragment(
        rx.el.span(bar.label), rx.el.span(line, class_name="t"), rx.el.span(bar.figure, class_name="v"), key=bar.label
    )


def _table(card: Any) -> rx.Component:
    def cells(row: Any) -> list[rx.Component]:
        named = row_name(row[0])
        return [named, rx.foreach(row[1:], lambda cell: table_cell(cell, class_name="n"))]

    rows = rx.fragment(
        rx.foreach(card.rows, lambda row: table_row(*cells(row), key=row[0])),
        rx.cond(card.foot.length() > 0, table_row(*cells(card.foot), class_name="foot")),
    )
    head = [column(card.heads[0]), rx.foreach(card.heads[1:], lambda head: column(head, class_name="n"))]
    table = desk_table(head, rows, caption=card.title, class_name="low")
    return rx.el.div(
        table, class_name="tb-x", tab_index=0, role="region", custom_attrs={"aria-label": card.title + ", as a table"}
    )
