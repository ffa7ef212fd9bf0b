"""Tables with a caption, scoped headers and right-aligned numbers, in a frame that scrolls by keyboard."""

from collections.abc import Sequence
from typing import Any

import reflex as rx

from broker.components.screen_types import Attributes, Content


def scrolling(table: rx.Component, label: Content, *, class_name: str = "scroll-x") -> rx.Component:
    """Put a table in a frame that scrolls sideways and can have focus."""
    return rx.el.div(table, class_name=class_name, tab_index=0, role="region", aria_label=label)


def figures_table(caption: str, heads: Sequence[str], *, body: Content) -> rx.Component:
    """Draw a table whose first column names the row and whose others are numbers."""
    cells = [rx.el.th(heads[0], scope="col"), *(rx.el.th(head, scope="col", class_name="n") for head in heads[1:])]
    table = rx.el.table(rx.el.caption(caption), rx.el.thead(rx.el.tr(*cells)), rx.el.tbody(body), class_name="tbl")
    return scrolling(table, caption)


def card_table(
    caption: rx.Component, heads: Sequence[str], *, body: Content, words: Sequence[str] = ()
) -> rx.Component:
    """Draw a table, with roles since its rows are cards on a narrow screen; columns in `words` hold no numbers."""
    words = (heads[0], *words)
    looks: list[Attributes] = [{} if head in words else {"class_name": "n"} for head in heads]
    cells = (rx.el.th(head, scope="col", role="columnheader", **look) for head, look in zip(heads, looks, strict=True))
    top = rx.el.thead(rx.el.tr(*cells, role="row"), role="rowgroup")
    return rx.el.table(caption, top, rx.el.tbody(body, role="rowgroup"), role="table", class_name="tbl cards")


def card_row(
    name: Sequence[Content],
    figures: Sequence[Content],
    *,
    heads: Sequence[str],
    looks: Sequence[str],
    **attributes: Any,
) -> rx.Component:
    """Draw a row of a `card_table`: the parts of its name, then a figure under each of `heads`, with its classes."""
    cells = (
        rx.el.td(figure, role="cell", class_name=look, custom_attrs={"data-l": head})
        for figure, look, head in zip(figures, looks, heads, strict=True)
    )
    return rx.el.tr(rx.el.th(*name, scope="row", role="rowheader"), *cells, role="row", **attributes)


def prominent(figure: Content) -> rx.Component:
    """Draw a rate, or its APRC at the same size (decision 17)."""
    return rx.el.span(figure, class_name="rt")
