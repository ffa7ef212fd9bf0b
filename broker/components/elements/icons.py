"""Line icons in the colour of the text: the stylesheet masks one out of a file."""

import reflex as rx

from broker.components.drawings.icons import IN_A_ROW


def icon(name: str) -> rx.Component:
    """Draw an icon by name, 1.25em square, hidden from screen readers; raises ValueError for an unknown name."""
    return rx.el.i(class_name=f"i i-{IN_A_ROW[IN_A_ROW.index(name)]}")
