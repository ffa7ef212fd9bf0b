"""A rate beside its APRC."""

import reflex as rx

from broker.presenters.rates.product_text import Headline


def rate_and_aprc(headline: Headline) -> rx.Component:
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
