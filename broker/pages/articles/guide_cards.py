"""The guides listing block: a grid with filters, or a carousel (specification 2)."""

from collections.abc import Iterable
from dataclasses import dataclass

import reflex as rx

from broker import routes
from broker.components.client_scripts import expression
from broker.components.client_values import BrowserValues, client_handler, memoized_section
from broker.components.elements import button_link, carousel_band, drawing, icon
from broker.components.jinja import Attributes, Text, foreach, when_text
from broker.components.url_params import VISIT, parameter_after_load
from broker.content.guide_pages import FILTERS, AllGuidesPage, GuideCard, GuideGrid, Tiles, guide_card
from broker.content.guides import ALL, KNOWN_FILTERS, truncate
from broker.content.models.pages import Guide
from broker.jinja_places import Placeholder

_CATEGORY = "category"
"""Query parameter for a category; it wins over the category of the page (decision 26)."""


def guide_grid(grid: GuideGrid, *, has_buttons: bool = False) -> rx.Component:
    """Draw a grid that filters in the browser: every guide is in the page, and the stylesheet hides the others.

    A category in the address wins over the filter of the page.
    """
    picked = guide_filter(grid.chosen, has_buttons=has_buttons)
    return memoized_section(
        picked.values.state,
        *([filter_buttons(picked)] if has_buttons else []),
        count_line(grid, picked),
        rx.el.div(*tiles(grid.tiles), class_name="g3 guides", custom_attrs={"data-chosen": picked.chosen}),
        class_name="stack",
        aria_label="Guides",
    )


def more_guides() -> rx.Component:
    return rx.el.p(rx.el.a("See more guides...", href=routes.GUIDES, class_name="more"))


def listing_heading() -> rx.Component:
    words = rx.el.p("Explore our mortgage guides and calculators")
    return rx.el.div(rx.el.h2("Not ready yet ?", id="guides"), words, class_name="stack tight-8")


def guide_slider(guides: Iterable[Guide]) -> rx.Component:
    more = rx.el.p(button_link("See more guides", routes.GUIDES, look="line"), class_name="slides-more")
    slides = [guide_slide(guide_card(guide)) for guide in guides]
    return carousel_band("Our Mortgage Guides", slides, noun="guides", more=[more])


def guide_slide(card: GuideCard) -> rx.Component:
    read = rx.el.span("Read More ", icon("arrow"), class_name="more", aria_hidden="true")
    return _card(card, rx.el.p(truncate(card.description)), read)


def guide_tile(card: GuideCard, *, first: bool = False) -> rx.Component:
    """Draw a guide's card with its tag; the picture of the `first` is the largest paint of its page."""
    return _card(card, rx.el.p(card.description), tag=[rx.el.span(card.tag, class_name="tag plain")], first=first)


def _card(card: GuideCard, *words: rx.Component, tag: Iterable[rx.Component] = (), first: bool = False) -> rx.Component:
    """Draw a card in the colours of its first category, covered by the link of its title."""
    return rx.el.article(
        rx.el.div(drawing(card.picture, width=420, height=132, first=first), class_name="art"),
        rx.el.div(*tag, rx.el.h3(rx.el.a(card.title, href=card.href)), *words, class_name="body"),
        class_name="card",
        custom_attrs=filter_marks(card),
    )


def tiles(shown: Tiles) -> tuple[rx.Component, ...]:
    return (when_text(shown.first.href, guide_tile(shown.first, first=True)), foreach(shown.others, guide_tile))


def filter_marks(card: GuideCard) -> Attributes:
    """Return the attributes by which the stylesheet filters, orders and colours an entry of a list."""
    return {"data-categories": card.categories, "data-filters": card.filters}


@dataclass(frozen=True, slots=True, kw_only=True)
class GuideFilter:
    """The filter of a list in the browser: what the buttons set, and the filter that counts."""

    values: BrowserValues
    chosen: rx.Var[str]


def guide_filter(chosen: Text = ALL, *, has_buttons: bool = True) -> GuideFilter:
    """Return the filter of a list: the button pressed, else the category of the address, else the page's `chosen`.

    A button counts for this visit of the page alone; another link to the page brings its own category.
    """
    values = BrowserValues("guide_filter", {_CATEGORY: "", "visit": ""})
    named: list[tuple[str, Text]] = [("", chosen), *((value, value) for value in KNOWN_FILTERS)]
    initial = rx.Var.create(rx.match(parameter_after_load(_CATEGORY), *named, ALL)).to(str)
    pressed = rx.cond(values["visit"] == VISIT, values[_CATEGORY], initial).to(str)
    return GuideFilter(values=values, chosen=pressed if has_buttons else initial)


def count_line(page: GuideGrid | AllGuidesPage, picked: GuideFilter) -> rx.Component:
    """Draw the count of a list by the filter that counts: in a template the `count`, in the browser one of `counts`."""
    is_place = isinstance(page.count, Placeholder)
    count = page.count if is_place else rx.Var.create(page.counts).to(dict[str, str])[picked.chosen]
    return rx.el.p(count, class_name="small mute", role="status")


def filter_buttons(picked: GuideFilter, *, after: rx.Var | None = None) -> rx.Component:
    """Draw the buttons of the categories, and run `after` when one was pressed."""

    def press(value: str) -> rx.Var:
        put = picked.values.put({_CATEGORY: value, "visit": VISIT})
        if after is None:
            return put
        return expression(f"({put!s}, {after!s})", put, after)

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
