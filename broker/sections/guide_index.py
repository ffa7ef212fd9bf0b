"""The page of all guides: where to start, by situation, and a compact list to search and filter."""

import reflex as rx

from broker import routes
from broker.components.client_scripts import script_function
from broker.components.client_values import client_handler, memoized_section
from broker.components.foreach import foreach
from broker.components.forms.field import field
from broker.components.forms.post_form import PostForm
from broker.components.jinja import when_text
from broker.presenters.guide_lists import AllGuidesPage, Tiles
from broker.presenters.guides import GuideCard
from broker.sections.guide_list import (
    GuideFilter,
    count_line,
    filter_buttons,
    filter_marks,
    guide_filter,
    listing_heading,
    tiles,
)

FORM, LIST = "guide-search", "guide-list"


def starters(shown: Tiles) -> rx.Component:
    """Draw the guide to start from in each situation; nothing where none of them is there."""
    return when_text(
        shown.first.href,
        rx.el.section(
            rx.el.div(
                rx.el.h2("Start where you are", id="starters"),
                rx.el.div(*tiles(shown), class_name="g3 starters"),
                class_name="wrap band-s stack loose",
            ),
            aria_labelledby="starters",
            class_name="white",
        ),
    )


def guide_index(page: AllGuidesPage) -> rx.Component:
    """Draw every guide as a title, its category and one line, with the category buttons and a search.

    Both work in the browser alone; without scripts the whole list stands there.
    """
    picked = guide_filter()
    block = memoized_section(
        picked.values.state,
        listing_heading(),
        _search(page, picked),
        filter_buttons(picked, after=script_function("list_filter", "filterSoon").call(FORM, LIST)),
        rx.el.ul(
            foreach(page.guides, _entry),
            id=LIST,
            class_name="g3 guides guide-index",
            custom_attrs={"data-chosen": picked.chosen},
        ),
        class_name="stack",
        aria_label="Guides",
    )
    return rx.el.div(block, class_name="wrap band-s")


def _search(page: AllGuidesPage, picked: GuideFilter) -> rx.Component:
    box = rx.el.input(id="guide-words", name="q", type="search", auto_complete="off")
    return PostForm.create(
        field("Search the guides", rx.el.div(box, class_name="num"), identity="guide-words"),
        count_line(page, picked),
        method="get",
        action=routes.GUIDES,
        on_change=client_handler(script_function("list_filter", "filterEntries").call(FORM, LIST)),
        on_submit=client_handler(rx.Var("typed.preventDefault()")),
        id=FORM,
        class_name="text-width stack needs-script",
        role="search",
        aria_label="Search the guides",
    )


def _entry(card: GuideCard) -> rx.Component:
    return rx.el.li(
        rx.el.a(card.title, href=card.href),
        rx.el.p(rx.el.b(card.tag), rx.el.span(" ", card.description), class_name="small mute"),
        custom_attrs={**filter_marks(card), "data-words": card.tag},
    )
