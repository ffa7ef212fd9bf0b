"""The guides listing block: a grid with filters, and a row of slides (specification 2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import reflex as rx

from broker import routes
from broker.components.address import parameter_after_load
from broker.components.browser import BrowserValues, one_piece, reaction, scroll_row
from broker.components.buttons import button_link
from broker.components.icons import icon
from broker.components.inline import inline_style
from broker.components.picture import drawing
from broker.domain.guides import ALL, guides_shown
from broker.presenters.guides import FILTERS, GuideCard, counted
from broker.sections.themes import theme_style

CATEGORY = "category"
"""The parameter of the address that carries a category from page to page; it wins over the page's own (decision 26)."""

MOST = 10_000
"""Most guides of a list where nothing else is said (specification 9, showItems)."""


def guides_grid(
    cards: Sequence[GuideCard], *, filters: bool = False, more: bool = False, show_items: int = MOST
) -> rx.Component:
    """Draw guides as a grid, three to a row; `filters` adds the buttons, `more` the link to all guides."""
    shown = cards[:show_items]
    grid = _filtered(shown) if filters else rx.el.div(*(guide_tile(card) for card in shown), class_name="g3")
    link = rx.el.p(rx.el.a("See more guides...", href=routes.GUIDES, class_name="more"))
    return rx.el.div(grid, *([link] if more else []), class_name="stack")


def not_ready_yet() -> rx.Component:
    """Draw the heading of a grid, in the specification's words."""
    return rx.el.div(rx.el.h2("Not ready yet ?", id="guides"), rx.el.p("Explore our mortgage guides and calculators"))


def guides_slider(cards: Sequence[GuideCard]) -> rx.Component:
    """Draw guides in a row: one slide, two from 768 pixels, three from 920, 20 pixels apart."""
    row = "guide-slides"
    arrows = rx.el.div(
        rx.el.button(
            icon("left"), type="button", aria_label="Previous guides", on_click=reaction(scroll_row(row, forward=False))
        ),
        rx.el.button(
            icon("right"), type="button", aria_label="Next guides", on_click=reaction(scroll_row(row, forward=True))
        ),
        class_name="arrows needs-script",
    )
    slides = (
        rx.el.div(
            guide_tile(card, short=True),
            role="group",
            aria_label=f"{place} of {len(cards)}",
            custom_attrs={"aria-roledescription": "slide"},
        )
        for place, card in enumerate(cards, 1)
    )
    return rx.el.section(
        rx.el.div(
            rx.el.div(rx.el.h2("Our Mortgage Guides", id="guides"), arrows, class_name="head"),
            rx.el.div(*slides, id=row, class_name="slides", tab_index=0, role="region", aria_label="Guides in a row"),
            rx.el.p(button_link("See more guides", routes.GUIDES, look="line"), class_name="slides-more"),
            class_name="wrap",
        ),
        class_name="band",
        aria_labelledby="guides",
    )


def guide_tile(card: GuideCard, *, short: bool = False) -> rx.Component:
    """Draw a guide's card; its title is a link that covers it."""
    tag = rx.el.span(card.tag, class_name="tag plain")
    return rx.el.article(
        rx.el.div(drawing(card.picture, width=420, height=150), class_name="art"),
        rx.el.div(
            *([] if short else [tag]),
            rx.el.h3(rx.el.a(card.title, href=card.href)),
            rx.el.p(card.short if short else card.description),
            rx.el.span("Read More ", icon("arrow"), class_name="more", aria_hidden="true"),
            class_name="body",
        ),
        class_name="card",
        custom_attrs={"data-categories": " ".join(card.categories), **inline_style(theme_style(card.theme))},
    )


def _filtered(cards: Sequence[GuideCard]) -> rx.Component:
    """Draw the grid under its buttons: every guide is in the page, the style sheet hides what a filter leaves out."""
    kept = BrowserValues("guide_filter", {CATEGORY: ""})
    asked = parameter_after_load(CATEGORY)
    known: list[tuple[str, Any]] = [(value, value) for value, _ in FILTERS]
    chosen = rx.cond(kept[CATEGORY] != "", kept[CATEGORY], rx.match(asked, *known, ALL)).to(str)
    counts = [(value, counted(len(guides_shown(cards, value)))) for value, _ in FILTERS]
    buttons = (
        rx.el.button(
            label,
            type="button",
            class_name="chip",
            on_click=reaction(kept.put({CATEGORY: value})),
            custom_attrs={"aria-pressed": rx.cond(chosen == value, "true", "false")},
        )
        for value, label in FILTERS
    )
    return one_piece(
        kept.state,
        rx.el.div(*buttons, class_name="chips needs-script", role="group", aria_label="Filter guides"),
        rx.el.p(rx.match(chosen, *counts, counts[0][1]), class_name="small mute", role="status"),
        rx.el.div(*(guide_tile(card) for card in cards), class_name="g3 guides", custom_attrs={"data-chosen": chosen}),
        class_name="stack",
        aria_label="Guides",
    )
