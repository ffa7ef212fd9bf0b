"""Blocks of rates as they were when the page was built, replaced by live rates when the page is opened."""

from collections.abc import Callable, Mapping
from functools import partial

import reflex as rx

from broker.components.client_scripts import shared_component
from broker.components.client_values import memoized_section
from broker.components.elements import (
    button,
    card_row,
    card_table,
    disclosure,
    inline_style,
    note,
    prominent,
    scrolling,
    telephone_link,
)
from broker.components.jinja import Content, Text, Value, when_any
from broker.components.rates.best_deals import best_panels, best_table
from broker.components.rates.product_card import example, read_notice, warnings
from broker.components.rates.rate_tables import rate_table, table_words
from broker.content.models.site import Site
from broker.rates.best_deals import AWAY, BestDeals
from broker.rates.lender_tables import RateBlocks, RatesTable, RatesTables
from broker.rates.lowest_rates import LTVS
from broker.rates.rates_by_ltv import HEIGHT, WIDTH, ByLtvView, LtvRow, share_along
from broker.rates.results import NONE_FOUND, RatesList
from broker.state.rates.live_rates import ByLtvState, LiveRatesState
from broker.state.rates.search import EMPTY, FAILED, LOADED, LOADING, REFUSED, RatesState

_TITLE = "by-ltv"

BASIS = "Based on value of £200,000 at 50% LTV"
"""Words of specification 2."""

_AWAY_SINCE_BUILD = "We could not update these rates"

_TABLES = "live_tables"
"""The script that the tables share."""

_HERE = rx.Var("(typeof window === 'undefined' ? '-' : window.location.pathname)").to(str)
"""The path of the page in the browser, so that every page of a family can share one script; `-` at build."""

_LINES = ("Lowest initial rate", "APRC of the same deal")

_CHART_HEADS = ("Loan to value", "Initial rate", "APRC", "Monthly payment", "Lender fees", "Lender")


def rates_by_ltv(customer: str, *, built: ByLtvView, site: Site) -> rx.Component:
    """Draw the chart of the search on the page; `built` is the chart of the page's default search.

    A chart is shown only if it answers the search on the page; otherwise the block offers to load it. That of the
    build has other rates than a search that finds nothing now. A refused search has none (decision 52).
    """
    here = ByLtvState.customer == customer
    answered = here & (ByLtvState.view.key == ByLtvState.searched)
    own = (ByLtvState.searched == built.key) & (RatesState.status != EMPTY)
    # A list of one item, so that the script holds the chart's expression once and not once a figure.
    shown = rx.Var.create([rx.cond(answered, ByLtvState.view, rx.Var.create(built))]).to(list[ByLtvView])
    block = memoized_section(
        rx.el.h2("Rate by loan to value", id=_TITLE, class_name="as-h3", tab_index=-1),
        rx.el.p("The smaller your loan compared with the property price, the lower the rate tends to be."),
        rx.cond(~here | answered | own, rx.foreach(shown, partial(_chart, site))),
        rx.cond(here & ~answered & (~own | ByLtvState.live), _offer(own, site)),
        class_name="panel stack ltv-block",
        aria_labelledby=_TITLE,
    )
    is_refused = (RatesState.customer == customer) & (RatesState.status == REFUSED)
    return rx.cond(is_refused, rx.fragment(), block)


def _chart(site: Site, shown: ByLtvView) -> rx.Component:
    found = rx.fragment(
        rx.el.p(shown.basis, " Each dot is the lowest rate at that loan to value.", class_name="small"),
        read_notice(shown),
        _rate_chart(shown),
        rx.cond(shown.missing != "", rx.el.p(shown.missing, class_name="small")),
        warnings(site, shown.unregulated),
        example(shown.example, shown.example_aprc),
        _rate_chart_table(shown),
    )
    return rx.cond(shown.example != "", found, note(NONE_FOUND, shown.missing, tone="warn"))


def _offer(own: Value, site: Site) -> rx.Component:
    """Draw the button that loads the chart of the search on the page, or that it is loading or failed."""
    ask = rx.el.p(
        button(
            rx.cond(own, "Show it with the latest rates", "Show it for this search"),
            look="line needs-script",
            icon_name="chart",
            on_click=[ByLtvState.find, rx.set_focus(_TITLE)],
        )
    )
    waiting = rx.el.div(
        rx.el.p("Loading rates for each loan size.", class_name="small mute", role="status"),
        rx.el.span(class_name="sk", custom_attrs=inline_style({"height": "260px"}), aria_hidden="true"),
        class_name="stack",
    )
    failed = note(
        "We could not load the chart",
        rx.el.p(ByLtvState.problem),
        rx.el.p(
            button("Try again", look="s line", on_click=[ByLtvState.find, rx.set_focus(_TITLE)]),
            " or call ",
            telephone_link(site.phone, number=site.tel),
            ".",
        ),
        tone="bad",
    )
    return rx.fragment(rx.match(ByLtvState.status, (LOADING, waiting), (FAILED, failed), ask))


def printed_line(customer: str, *, address: str, built: RatesList, site: Site) -> rx.Component:
    """Draw the line that is printed only: the firm, the date of the rates, and the URL.

    `address` is the page's URL without a search, `built` the list that the page was built with.
    """
    here = ByLtvState.customer == customer
    loaded = here & ((RatesState.status == LOADED) | (RatesState.status == EMPTY))
    found = RatesState.found
    return rx.el.p(
        rx.el.b(site.name),
        f", {site.phone}. ",
        rx.cond(rx.cond(loaded, found.sample, built.sample), "Sample figures, not offers, as at ", "Rates read at "),
        rx.cond(loaded, found.read_at, built.read_at),
        ". ",
        rx.cond(here, ByLtvState.page_address, address),
        class_name="print-only",
    )


def best_rates_table(built: BestDeals, site: Site) -> rx.Component:
    return _newest(
        _best(built, site, best_table), shared_component(_live_best, site, best_table), shared_component(_away)
    )


def best_rates_panels(built: BestDeals, site: Site) -> rx.Component:
    return _newest(
        _best(built, site, best_panels), shared_component(_live_best, site, best_panels), shared_component(_away)
    )


def ltv_tables(built: RatesTables, site: Site, *, first_head: str) -> rx.Component:
    """Draw the tables of a page; `first_head` heads the first column."""
    return rx.fragment(
        *(
            _newest(_table(table, first_head), shared_component(_live_table, place, first_head, script=_TABLES))
            for place, table in enumerate(built.tables)
        ),
        _notes(built, site),
    )


def deposit_rates(built: RateBlocks, site: Site) -> rx.Component:
    """Draw the table of small deposits below the best rates; nothing for a page built without one."""
    if not built.deposits.tables:
        return rx.fragment()
    return _newest(_deposits(built, site), shared_component(_live_deposits, site))


def _deposits(blocks: RateBlocks, site: Site) -> rx.Component:
    """Draw the table; the best rates, where there are any, have the example and the warning of both."""
    tables = blocks.deposits
    date = rx.el.p(tables.read, class_name="small mute")
    words = when_any(blocks.best.deals, date, otherwise=_words(tables, site))
    return rx.el.div(_table(tables.tables[0], "Deposit"), words, class_name="stack")


def _live_deposits(site: Site) -> rx.Component:
    blocks = LiveRatesState.blocks
    return _live(rx.cond(blocks.deposits.example != "", _deposits(blocks, site), no_deals()))


def _notes(built: RatesTables, site: Site) -> rx.Component:
    return _newest(_words(built, site), shared_component(_live_words, site, script=_TABLES))


def _words(tables: RatesTables, site: Site) -> rx.Component:
    return table_words(tables, site)


def _live_words(site: Site) -> rx.Component:
    return _live(_words(LiveRatesState.blocks.tables, site))


def _live_table(place: int, first_head: str) -> rx.Component:
    return _live(_table(LiveRatesState.blocks.tables.tables[place], first_head))


def _live_best(site: Site, draw: Callable[..., rx.Component]) -> rx.Component:
    return _live(_best(LiveRatesState.blocks.best, site, draw))


def _live(drawn: rx.Component) -> rx.Component:
    """Draw live rates while they belong to the page on screen."""
    return rx.el.div(rx.cond(LiveRatesState.path == _HERE, drawn), class_name="live-rates")


def _table(table: RatesTable, first_head: str) -> rx.Component:
    drawn = rate_table(table, first_head=first_head)
    if isinstance(table, RatesTable):
        return drawn if table.rows else no_deals()
    return rx.cond(table.rows.length() > 0, drawn, no_deals())


def _best(best: BestDeals, site: Site, draw: Callable[..., rx.Component]) -> rx.Component:
    listed = draw(best, site)
    if isinstance(best, BestDeals):
        return listed if best.deals else _unread() if best.away else no_deals()
    return rx.cond(best.deals.length() > 0, listed, rx.cond(best.away != "", _unread(), no_deals()))


def no_deals() -> rx.Component:
    return note("This deal is not available at the moment", "Deals change every day. Search for another, or ask us.")


def _unread() -> rx.Component:
    return note("We could not load these rates", "Please open the page again in a minute, or ask us.", tone="warn")


def _away() -> rx.Component:
    """Draw the notice that newer rates could not be read, so the page shows those of its build."""
    away = LiveRatesState.away_path == _HERE
    notice = note(_AWAY_SINCE_BUILD, AWAY, tone="warn")
    return rx.el.div(rx.cond(away, notice), role="status", class_name="rates-away")


def _newest(built: rx.Component, live: rx.Component, *notices: rx.Component) -> rx.Component:
    """Draw the built block after the live one; the stylesheet hides it while the live one has content."""
    return rx.el.div(*notices, live, rx.el.div(built))


def _rate_chart(view: ByLtvView) -> rx.Component:
    """Draw the two lines of a ByLtvView, and a mark at the visitor's own loan to value."""
    keys = (rx.el.li(rx.el.i(class_name=f"key-{place}"), line) for place, line in enumerate(_LINES))
    return rx.el.figure(
        rx.el.figcaption(rx.el.ul(*keys, class_name="keys")),
        rx.el.div(
            _chart_lines(view),
            rx.foreach(view.rates, lambda mark: _mark(mark.text, "up", {"top": mark.place})),
            *(_mark(f"{ltv}", "along", {"left": share_along(ltv)}) for ltv in LTVS),
            _mark(view.own.text, rx.cond(view.own_late, "own late", "own"), {"left": view.own.place}),
            role="img",
            aria_label=view.words,
            class_name="plot",
        ),
        rx.el.p("Loan to value, % of the property price", class_name="xs mute centre", aria_hidden="true"),
        class_name="chart by-ltv",
    )


def _rate_chart_table(view: ByLtvView) -> rx.Component:
    """Draw the figures of the chart as a table in a disclosure; rate and APRC at one size (decision 17)."""
    body = rx.foreach(view.rows, _chart_row)
    table = card_table(rx.el.caption(view.basis), _CHART_HEADS, body=body, words=_CHART_HEADS[-1:])
    frame = scrolling(table, "Lowest rate by loan to value")
    return disclosure("Show the chart as a table", frame, icon_name="chart")


def _chart_lines(view: ByLtvView) -> rx.Component:
    """Draw the lines; lines without length are dots, which keep their shape at any width of the drawing."""
    paths = (
        (view.grid, "grid"),
        (view.aprc_line, "line-1"),
        (view.aprc_dots, "dots-1"),
        (view.rate_line, "line-0"),
        (view.rate_dots, "dots-0"),
    )
    return rx.el.svg(
        *(rx.el.path(d=drawn, class_name=name) for drawn, name in paths),
        view_box=f"0 0 {WIDTH} {HEIGHT}",
        custom_attrs={"preserveAspectRatio": "none"},
    )


def _mark(text: Content, name: Text, style: Mapping[str, Text]) -> rx.Component:
    return rx.el.span(text, class_name=name, custom_attrs=inline_style(style))


def _chart_row(row: LtvRow) -> rx.Component:
    name = (
        rx.el.b(row.ltv, class_name="rt"),
        rx.cond(row.yours, rx.el.span("Nearest yours", class_name="tag")),
        rx.el.span(row.loan, " loan", class_name="xs mute"),
    )
    figures = (prominent(row.rate), prominent(row.aprc), row.payment, row.fees, row.lender)
    return card_row(name, figures, heads=_CHART_HEADS[1:], looks=("n h", "n h", "n h", "n h", "whole"))
