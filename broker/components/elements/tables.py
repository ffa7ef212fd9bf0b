"""Tables with a caption, scoped headers and right-aligned numbers, in a frame that scrolls by keyboard."""

from collections.abc import Sequence
from typing import Any

import reflex as rx


def scrolling(table: rx.Component, label: str, *, class_name: str = "scroll-x") -> rx.Component:
    """Put a table in a frame that scrolls sideways and can have focus."""
    return rx.el.div(table, class_name=class_name, tab_index=0, role="region", aria_label=label)


def figures_table(caption: str, heads: Sequence[str], *, body: Any) -> rx.Component:
    """Draw a table whose first column names the row and whose others are numbers."""
    cells = [rx.el.th(heads[0], scope="col"), *(rx.el.th(head, scope="col", class_name="n") for head in heads[1:])]
    table = rx.el.table(rx.el.caption(caption), rx.el.thead(rx.el.tr(*cells)), rx.el.tbody(body), class_name="tbl")
    return scrolling(table, caption)
