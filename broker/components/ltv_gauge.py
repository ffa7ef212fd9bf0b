"""The fanlight: loan to value in ten panes, lit from the left."""

from typing import Any

import reflex as rx

from broker.components.drawings.fanlight import BARS, FRAME, RING, RING_LENGTH, VIEW_BOX
from broker.domain.arithmetic import choose, minimum
from broker.domain.loan_to_value import ltv_figure
from broker.domain.money import decimals


def ltv_gauge(ltv: Any) -> rx.Component:
    """Draw a loan to value in percent, as it is shown, as a figure and a fanlight; it announces changes politely."""
    lit = decimals(minimum(ltv, 100), 1)
    figure = choose(ltv > 999, lambda: "Over 999%", lambda: ltv_figure(ltv) + "%")
    return rx.el.div(
        rx.el.p(rx.el.b(figure, class_name="dial-figure"), rx.el.span(" loan to value", class_name="xs")),
        rx.el.svg(
            rx.el.path(d=FRAME, class_name="dial-ground"),
            rx.el.path(d=RING, class_name="dial-unlit"),
            rx.el.path(
                d=RING,
                class_name="dial-lit",
                custom_attrs={"pathLength": str(RING_LENGTH), "strokeDasharray": lit + f" {RING_LENGTH}"},
            ),
            rx.el.path(d=BARS, class_name="dial-bars"),
            view_box=VIEW_BOX,
            class_name="fanlight",
            aria_hidden="true",
        ),
        class_name="ltv dark",
        role="status",
    )
