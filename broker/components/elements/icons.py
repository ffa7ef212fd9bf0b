"""Line icons in the colour of the text beside them: the stylesheet shows one of a file through a mask."""

from __future__ import annotations

import reflex as rx

from broker.components.drawings.icons import IN_A_ROW


def icon(name: str) -> rx.Component:
    """Draw an icon by name, 1.25em square, silent to screen readers; raises ValueError for an unknown name."""
    return rx.el.i(class_name=f"i i-{IN_A_ROW[IN_A_ROW.index(name)]}")
