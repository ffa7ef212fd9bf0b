"""Parts of an unfilled page, which the edge draws as often as it has something to put into them."""

from __future__ import annotations

import reflex as rx

from broker.presenters.marks import CLOSES, OPENS


def whether(name: str, *content: rx.Component | str) -> rx.Component:
    """Draw a part that is there once for every entry of that name: none, one or several."""
    return rx.fragment(OPENS.format(name), *content, CLOSES.format(name))
