"""Steps in order, each with its number on a plate."""

from __future__ import annotations

from collections.abc import Sequence

import reflex as rx


def steps(entries: Sequence[tuple[str, str]]) -> rx.Component:
    """Draw steps; each is a title and a sentence."""
    return rx.el.ol(
        *(rx.el.li(rx.el.div(rx.el.h3(title), rx.el.p(text))) for title, text in entries), class_name="steps"
    )
