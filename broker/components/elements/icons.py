"""Line icons in the colour of the text: the stylesheet masks one out of a file."""

import reflex as rx

ICONS = (
    *("phone", "call", "arrow", "back", "check", "down", "right", "left", "info", "alert", "close", "plus", "menu"),
    *("home", "key", "loop", "search", "percent", "upload", "pound", "filter", "chart", "keyhole", "wifi", "lock"),
    *("pen", "print", "shield"),
)
"""The icons of `assets/art/icons.svg` in their order, each in a square of 24 units; `assets/site.css` counts them."""


def icon(name: str) -> rx.Component:
    """Draw an icon by name, 1.25em square, hidden from screen readers; raises ValueError for an unknown name."""
    return rx.el.i(class_name=f"i i-{ICONS[ICONS.index(name)]}")
