"""The fanlight: loan to value in ten panes, lit from the left."""

from __future__ import annotations

from math import cos, pi, sin
from typing import Any

import reflex as rx

from broker.domain.arithmetic import choose, minimum
from broker.domain.money import decimals

RING, BARS = "M31 100A69 69 0 0 1 169 100", range(1, 10)


def ltv_dial(ltv: Any) -> rx.Component:
    """Draw a loan to value, in percent, as a figure and a fanlight; a change is announced politely."""
    lit = decimals(minimum(ltv, 100), 1)
    figure = choose(ltv > 999, lambda: "Over 999%", lambda: decimals(ltv, 0) + "%")
    return rx.el.div(
        rx.el.p(rx.el.b(figure, class_name="dial-figure"), rx.el.span(" loan to value", class_name="xs")),
        rx.el.svg(
            rx.el.path(d="M0 104V100a100 100 0 0 1 200 0v4z", class_name="dial-ground"),
            rx.el.path(d=RING, class_name="dial-unlit"),
            rx.el.path(d=RING, class_name="dial-lit", custom_attrs={"pathLength": "100", "strokeDasharray": lit + " 100"}),
            rx.el.path(d=_bars(), class_name="dial-bars"),
            view_box="0 0 200 104",
            class_name="fanlight",
            aria_hidden="true",
        ),
        class_name="ltv dark",
        role="status",
    )


def _bars() -> str:
    angles = [pi * (1 - pane / 10) for pane in BARS]
    ends = [[(100 + r * cos(a), 100 - r * sin(a)) for r in (46, 92)] for a in angles]
    return "".join(f"M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}" for (x1, y1), (x2, y2) in ends)
