"""Line icons, drawn inline so that they take the colour of the text beside them."""

from __future__ import annotations

import reflex as rx

from broker.components.drawings.icons import ICON


def icon(name: str) -> rx.Component:
    """Draw an icon by name, 1.25em square, hidden from screen readers; raises KeyError for an unknown name."""
    return rx.el.svg(rx.el.path(d=ICON[name]), class_name="i", view_box="0 0 24 24", aria_hidden="true")
