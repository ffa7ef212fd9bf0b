"""A carousel: one slide at a time, two from 768 pixels, three from 920, 20 pixels apart.

It scrolls and snaps by CSS; the arrows scroll it by its visible width (specification 2, "Slider layout").
"""

from collections.abc import Iterable, Sequence

import reflex as rx

from broker.components.client_scripts import scroll_row
from broker.components.client_values import client_handler
from broker.components.elements.icons import icon
from broker.components.screen_types import Attributes


def carousel_band(
    title: str, tiles: Sequence[rx.Component], *, noun: str, more: Iterable[rx.Component] = (), white: bool = False
) -> rx.Component:
    """Draw a band of the page with a carousel, and `more` below; the plural `noun` is the id of its heading."""
    return rx.el.section(
        rx.el.div(carousel(title, tiles, noun=noun), *more, class_name="wrap"),
        class_name="band white" if white else "band",
        aria_labelledby=noun,
    )


def carousel(title: str, tiles: Sequence[rx.Component], *, noun: str) -> rx.Component:
    """Draw the heading with its arrows, and the slides."""
    row = f"{noun}-slides"
    slides = (_slide(tile, f"{place} of {len(tiles)}") for place, tile in enumerate(tiles, 1))
    look: Attributes = {"id": row, "class_name": "slides", "tab_index": 0, "role": "region"}
    return rx.fragment(
        rx.el.div(rx.el.h2(title, id=noun), _arrows(row, noun), class_name="head"),
        rx.el.div(*slides, aria_label=f"{noun.capitalize()} in a row", **look),
    )


def _arrows(row: str, noun: str) -> rx.Component:
    ways = (("left", f"Previous {noun}", False), ("right", f"Next {noun}", True))
    return rx.el.div(
        *(
            rx.el.button(
                icon(mark), type="button", aria_label=label, on_click=client_handler(scroll_row(row, forward=forward))
            )
            for mark, label, forward in ways
        ),
        class_name="arrows needs-script",
    )


def _slide(tile: rx.Component, place: str) -> rx.Component:
    return rx.el.div(tile, role="group", aria_label=place, custom_attrs={"aria-roledescription": "slide"})
