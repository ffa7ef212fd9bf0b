"""Blocks of rates as they were when the page was built, replaced by live rates when the page is opened."""

from collections.abc import Callable

import reflex as rx

from broker.components.elements.messages import note
from broker.components.rates.best_deals import best_panels, best_table
from broker.components.rates.rate_tables import rate_table, table_words
from broker.components.shared_component import shared_component
from broker.content.models.site import Site
from broker.presenters.rates.best_deals import AWAY, BestDeals
from broker.presenters.rates.rate_blocks import RatesTable, RatesTables
from broker.state.rates.live_rates import LiveRatesState

BASIS = "Based on value of £200,000 at 50% LTV"
"""Words of specification 2."""

AWAY_SINCE_BUILD = "We could not update these rates"

TABLES = "live_tables"
"""The script that the tables share."""

_HERE = rx.Var("(typeof window === 'undefined' ? '-' : window.location.pathname)").to(str)
"""The path of the page in the browser, so that every page of a family can share one script; `-` at build."""


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
            _newest(_table(table, first_head), shared_component(_live_table, place, first_head, script=TABLES))
            for place, table in enumerate(built.tables)
        ),
        _notes(built, site),
    )


def _notes(built: RatesTables, site: Site) -> rx.Component:
    return _newest(_words(built, site), shared_component(_live_words, site, script=TABLES))


def _words(tables: RatesTables, site: Site) -> rx.Component:
    return table_words(tables, risk=site.risk_warning, buy_to_let=site.buy_to_let_sentence)


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
    listed = draw(best, risk=site.risk_warning, buy_to_let=site.buy_to_let_sentence)
    if isinstance(best, BestDeals):
        return listed if best.deals else _unread() if best.away else no_deals()
    return rx.cond(best.deals.length() > 0, listed, rx.cond(best.away != "", _unread(), no_deals()))


def no_deals() -> rx.Component:
    return note("This deal is not available at the moment", "Deals change every day. Search for another, or ask us.")


def _unread() -> rx.Component:
    return note("We could not load these rates", "Please open the page again in a minute, or ask us.", tone="warn")


def _away() -> rx.Component:
    """Say that the rates of the page are those that it was built with, where newer ones could not be read."""
    away = LiveRatesState.away_path == _HERE
    return rx.el.div(rx.cond(away, note(AWAY_SINCE_BUILD, AWAY, tone="warn")), role="status")


def _newest(built: rx.Component, live: rx.Component, *notices: rx.Component) -> rx.Component:
    """Draw the built block after the live one; the stylesheet hides it while the live one has content."""
    return rx.el.div(*notices, live, rx.el.div(built))
