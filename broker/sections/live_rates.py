"""Blocks of rates that stand in the page as they were when it was built, and give place to what is true now."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import reflex as rx

from broker import routes
from broker.components.best_deals import best_panels, best_table
from broker.components.messages import note
from broker.components.rate_tables import rate_table, table_words
from broker.components.text import more_link
from broker.content.lender_texts import LtvText
from broker.content.site import Site
from broker.presenters.best_deals import BestDeals
from broker.presenters.rate_tables import RatesTable, RatesTables
from broker.state.live_rates import LiveRatesState

BASIS = "Based on value of £200,000 at 50% LTV"
"""Words of specification 2."""

NO_TEXTS: Mapping[int, LtvText] = MappingProxyType({})

_HERE = rx.Var("(typeof window === 'undefined' ? '-' : window.location.pathname)").to(str)
"""The page on screen, known to the browser alone: so every page of a family can share one script. At build, none."""


def best_rates_table(built: BestDeals, site: Site) -> rx.Component:
    """Draw three deals as a table with their lenders."""
    return _newest(_best(built, site, best_table), _best(LiveRatesState.blocks.best, site, best_table))


def best_rates_panels(built: BestDeals, site: Site) -> rx.Component:
    """Draw three deals as panels side by side."""
    return _newest(_best(built, site, best_panels), _best(LiveRatesState.blocks.best, site, best_panels))


def ltv_tables(
    built: RatesTables, site: Site, *, first_head: str, texts: Mapping[int, LtvText] = NO_TEXTS
) -> rx.Component:
    """Draw the tables of a page; `first_head` heads the column that names each row, `texts` are said of an LTV."""
    live = LiveRatesState.blocks.tables
    words = {"risk": site.risk_warning, "buy_to_let": site.buy_to_let_sentence}
    return rx.fragment(
        *(
            _with_text(
                texts.get(table.ltv),
                _newest(_table(table, first_head), _table(live.tables[place], first_head)),
            )
            for place, table in enumerate(built.tables)
        ),
        _newest(table_words(built, **words), table_words(live, **words)),
    )


def _with_text(text: LtvText | None, table: rx.Component) -> rx.Component:
    """Put a table between what is said of its loan to value and the call to action."""
    if text is None:
        return table
    return rx.el.div(
        rx.el.p(text.description),
        table,
        *([rx.el.p(more_link(text.cta_text, routes.CONTACT))] if text.cta_text else []),
        class_name="stack",
    )


def _table(table: RatesTable | Any, first_head: str) -> rx.Component:
    drawn = rate_table(table, first_head=first_head)
    if isinstance(table, RatesTable):
        return drawn if table.rows else _none()
    return rx.cond(table.rows.length() > 0, drawn, _none())


def _best(best: BestDeals | Any, site: Site, draw: Any) -> rx.Component:
    listed = draw(best, risk=site.risk_warning, buy_to_let=site.buy_to_let_sentence)
    if isinstance(best, BestDeals):
        return listed if best.deals else _none()
    return rx.cond(best.deals.length() > 0, listed, _none())


def _none() -> rx.Component:
    return note("No such deal is listed at present", "Deals come and go by the day: search for others, or ask us.")


def _newest(built: rx.Component, live: rx.Component) -> rx.Component:
    """Draw what was built; the style sheet hides it while something newer of this very page stands before it."""
    return rx.el.div(
        rx.el.div(rx.cond(LiveRatesState.path == _HERE, live), class_name="live-rates"),
        rx.el.div(built),
    )
