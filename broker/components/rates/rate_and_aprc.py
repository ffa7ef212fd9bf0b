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
    return rx.el.div(
        _cell("Initial rate", headline.rate, caption=headline.rate_caption),
        _cell("Overall cost", headline.aprc, caption="APRC representative"),
        class_name="plate two",
    )


def _cell(label: str, figure: Any, *, caption: Any) -> rx.Component:
    return rx.el.div(
        rx.el.span(label, class_name="cap"), rx.el.b(figure, class_name="fig"), rx.el.span(caption, class_name="cap")
    )
