"""The fanlight: loan to value in ten panes, lit from the left."""

import reflex as rx

from broker.components.drawings.shapes import BARS, FRAME, RING, RING_LENGTH, VIEW_BOX
from broker.components.jinja import Value
from broker.lending.loan_to_value import GaugeView, gauge_view


def ltv_gauge(ltv: Value) -> rx.Component:
    """Draw a loan to value in percent, as it is shown, as a figure and a fanlight; it announces changes politely."""
    return ltv_gauge_of(gauge_view(ltv))


def ltv_gauge_of(gauge: GaugeView) -> rx.Component:
    """Draw a gauge whose texts may be those of a template."""
    return rx.el.div(
        rx.el.p(rx.el.b(gauge.figure, class_name="dial-figure"), rx.el.span(" loan to value", class_name="xs")),
        rx.el.svg(
            rx.el.path(d=FRAME, class_name="dial-ground"),
            rx.el.path(d=RING, class_name="dial-unlit"),
            rx.el.path(
                d=RING,
                class_name="dial-lit",
                custom_attrs={"pathLength": str(RING_LENGTH), "strokeDasharray": gauge.lit + f" {RING_LENGTH}"},
            ),
            rx.el.path(d=BARS, class_name="dial-bars"),
            view_box=VIEW_BOX,
            class_name="fanlight",
            aria_hidden="true",
        ),
        class_name="ltv dark",
        role="status",
    )
