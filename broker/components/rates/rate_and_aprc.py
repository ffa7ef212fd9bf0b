"""Prominent figures: a rate beside its APRC, and the result of a calculator."""

from typing import Any

import reflex as rx

from broker.presenters.rates.product_text import Headline


def calculator_result(label: Any, figure: Any, *, caption: Any, per: str = "") -> rx.Component:
    """Draw a calculator's answer; a change is announced politely."""
    tail = (" ", rx.el.small(per)) if per else ()
    return rx.el.div(
        rx.el.span(label, class_name="label"),
        rx.el.b(figure, *tail, class_name="big"),
        rx.el.span(caption, class_name="small cap-2"),
        class_name="plate",
        role="status",
    )


def rate_and_aprc(headline: Headline | Any) -> rx.Component:
    """Draw a rate and its APRC side by side at one size (MCOB 3A.5.1R: at least as prominent)."""
    cells = (
        ("Initial rate", headline.rate, headline.rate_caption),
        ("Overall cost", headline.aprc, "APRC representative"),
    )
    return rx.el.div(
        *(
            rx.el.div(
                rx.el.span(label, class_name="cap"),
                rx.el.b(figure, class_name="fig"),
                rx.el.span(caption, class_name="cap"),
            )
            for label, figure, caption in cells
        ),
        class_name="plate two",
    )
