"""The page that thanks a visitor, and says what happens next."""

from __future__ import annotations

from functools import partial

import reflex as rx

from broker import routes
from broker.components.buttons import button_link
from broker.components.messages import note
from broker.components.steps import steps
from broker.pages.layout import banner, layout
from broker.pages.registry import BuildInputs, Page

STEPS = (
    ("We call you", "Within one working day, from the number at the top of this page."),
    (
        "You send documents",
        "Payslips or accounts, bank statements and proof of identity. We send a list that fits you.",
    ),
    ("We recommend", "In writing, with the reasons and the fee the lender pays us. You decide."),
)


def pages(inputs: BuildInputs) -> tuple[Page, ...]:
    """Return the thank-you page; search engines leave it out (decision 8)."""
    return (
        Page(
            route=routes.THANK_YOU,
            title="Thank you",
            description="Thank you for getting in touch. This page says what happens next.",
            render=partial(_render, inputs),
            indexed=False,
        ),
    )


def _render(inputs: BuildInputs) -> rx.Component:
    site = inputs.store.site()
    return layout(
        inputs,
        routes.THANK_YOU,
        banner(
            "Thank you for getting in touch",
            "A person reads what you send us and answers it. Here is what happens from now on.",
            rx.el.div(
                button_link("See mortgage rates", routes.RATES),
                button_link("Use the calculators", routes.CALCULATORS, look="line"),
                class_name="row",
            ),
            door="first-time-buyer",
        ),
        rx.el.section(
            rx.el.div(
                rx.el.div(rx.el.h2("What happens next", id="next"), class_name="head"),
                steps(STEPS),
                class_name="wrap",
            ),
            class_name="band",
            aria_labelledby="next",
        ),
        rx.el.div(
            note(site.risk_warning, " Nothing is agreed until a lender makes you an offer.", tone="warn"),
            class_name="wrap end-space",
        ),
        call=False,
    )
