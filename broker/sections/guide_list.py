"""The guides listing block: a grid with filters, or a carousel (specification 2)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import reflex as rx
from reflex.vars import VarData

from broker import routes
from broker.components.client_values import BrowserValues, client_handler, memoized_section
from broker.components.elements.buttons import button_link
from broker.components.elements.carousel import carousel_band
from broker.components.elements.icons import icon
from broker.components.elements.picture import drawing
from broker.components.url_params import VISIT, parameter_after_load
from broker.content.models.guides import Guide
from broker.domain.guides import ALL, KNOWN_FILTERS, guides_shown
from broker.presenters.guide_page import NextGuide
from broker.presenters.guides import FILTERS, GuideCard, counted, guide_cards

CATEGORY = "category"
"""Query parameter for a category; it wins over the category of the page (decision 26)."""

MAX_GUIDES = 10_000
"""Default of `show_items` (specification 9, showItems)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """How a list of guides is drawn: the options of specification 2, "Guides listing block", in its order.

    `show_items` is the maximum of guides, `is_slider` draws a carousel instead of a grid, `chosen` is the filter of the
    page; `filter_buttons`, `heading` and `more_link` are for a grid, as a carousel has its own.
    """

    show_items: int = MAX_GUIDES
    is_slider: bool = False
    chosen: str = ALL
    filter_buttons: bool = False
    heading: bool = False
    more_link: bool = False


def guides_listing(guides: Iterable[Guide], listing: Listing) -> rx.Component:
    """Draw a list of guides; a category in the address wins over the page's filter, where the page has all guides."""
    cards = guide_cards(guides)
    shown = guides_shown(cards, listing.chosen)[: listing.show_items]
    if listing.is_slider:
        return _slider(shown)
    whole = listing.show_items >= len(cards)
    every = (*shown, *(card for card in cards if card not in shown))
    grid = _filtered(every, listing) if whole else rx.el.div(*_tiles(shown), class_name="g3")
    more = [rx.el.p(rx.el.a("See more guides...", href=routes.GUIDES, class_name="more"))] if listing.more_link else []
    return rx.el.div(*([listing_heading()] if listing.heading else []), grid, *more, class_name="stack loose")


def listing_heading() -> rx.Component:
    words = rx.el.p("Explore our mortgage guides and calculators")
    return rx.el.div(rx.el.h2("Not ready yet ?", id="guides"), words, class_name="stack tight-8")


def _slider(cards: Sequence[GuideCard]) -> rx.Component:
    more = rx.el.p(button_link("See more guides", routes.GUIDES, look="line"), class_name="slides-more")
    return carousel_band(
        "Our Mortgage Guides", [guide_tile(card, short=True) for card in cards], noun="guides", more=[more]
    )


def guide_tile(card: GuideCard, *, short: bool = False, first: bool = False) -> rx.Component:
    """Draw a guide's card in the colours of its first category, covered by the link of its title.

    The picture of the `first` card is the largest paint of its page.
    """
    tag = rx.el.span(card.tag, class_name="tag plain")
    return rx.el.article(
        rx.el.div(drawing(card.picture, width=420, height=132, first=first), class_name="art"),
        rx.el.div(
            *([] if short else [tag]),
            rx.el.h3(rx.el.a(card.title, href=card.href)),
            rx.el.p(card.short if short else card.description),
            *([rx.el.span("Read More ", icon("arrow"), class_name="more", aria_hidden="true")] if short else []),
            class_name="body",
        ),
        class_name="card",
        custom_attrs=filter_marks(card),
    )


def next_tile(guide: NextGuide | Any) -> rx.Component:
    """Draw the card of a guide that the browser or the edge knows."""
    return rx.el.article(
        rx.el.div(drawing(guide.picture, width=420, height=132), class_name="art"),
        rx.el.div(
            rx.el.span(guide.tag, class_name="tag plain"),
            rx.el.h3(rx.el.a(guide.title, href=guide.href)),
            rx.el.p(guide.description),
            class_name="body",
        ),
        class_name="card",
        custom_attrs={"data-categories": guide.categories, "data-filters": guide.filters},
    )


def filter_marks(card: GuideCard) -> dict[str, str]:
    """Return the attributes by which the stylesheet filters, orders and colours an entry of a list."""
    return {"data-categories": " ".join(card.categories), "data-filters": " ".join(card.filters)}


@dataclass(frozen=True, slots=True, kw_only=True)
class GuideFilter:
    """The filter of a list in the browser: what the buttons set, and the filter that counts."""

    values: BrowserValues
    chosen: rx.Var[str]


def guide_filter(chosen: str = ALL, *, has_buttons: bool = True) -> GuideFilter:
    """Return the filter of a list: the button pressed, else the category of the address, else the page's `chosen`.

    A button counts for this visit of the page alone; another link to the page brings its own category.
    """
    values = BrowserValues("guide_filter", {CATEGORY: "", "visit": ""})
    own = chosen if chosen in KNOWN_FILTERS else ALL
    named: list[tuple[str, Any]] = [("", own), *((value, value) for value in KNOWN_FILTERS)]
    initial = rx.Var.create(rx.match(parameter_after_load(CATEGORY), *named, ALL)).to(str)
    pressed = rx.cond(values["visit"] == VISIT, values[CATEGORY], initial).to(str)
    return GuideFilter(values=values, chosen=pressed if has_buttons else initial)


def _filtered(cards: Sequence[GuideCard], listing: Listing) -> rx.Component:
    """Draw a grid that filters in the browser: every guide is in the page, and the stylesheet hides the others."""
    picked = guide_filter(listing.chosen, has_buttons=listing.filter_buttons)
    counts = [(value, counted(len(guides_shown(cards, value)))) for value in KNOWN_FILTERS]
    return memoized_section(
        picked.values.state,
        *([filter_buttons(picked)] if listing.filter_buttons else []),
        rx.el.p(rx.match(picked.chosen, *counts, counts[0][1]), class_name="small mute", role="status"),
        rx.el.div(*_tiles(cards), class_name="g3 guides", custom_attrs={"data-chosen": picked.chosen}),
        class_name="stack",
        aria_label="Guides",
    )


def _tiles(cards: Sequence[GuideCard]) -> list[rx.Component]:
    return [guide_tile(card, first=place == 0) for place, card in enumerate(cards)]


def filter_buttons(picked: GuideFilter, *, after: rx.Var | None = None) -> rx.Component:
    """Draw the buttons of the categories, and run `after` when one was pressed."""

    def press(value: str) -> rx.Var:
        put = picked.values.put({CATEGORY: value, "visit": VISIT})
        if after is None:
            return put
        used = VarData.merge(put._get_all_var_data(), after._get_all_var_data())
        return rx.Var(f"({put!s}, {after!s})", _var_data=used)

    buttons = (
        rx.el.button(
            label,
            type="button",
            class_name="chip",
            on_click=client_handler(press(value)),
            custom_attrs={"aria-pressed": rx.cond(picked.chosen == value, "true", "false")},
        )
        for value, label in FILTERS
    )
    return rx.el.div(*buttons, class_name="chips needs-script", role="group", aria_label="Filter guides")
