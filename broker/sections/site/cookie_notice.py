"""The cookie notice: a strip in the flow, hidden for 100 days once accepted, without scripts too (decision 20)."""

import reflex as rx

from broker import routes
from broker.components.elements.buttons import button


def cookie_notice() -> rx.Component:
    """Draw the notice in the specification's words; the head script hides it before the first paint."""
    return rx.el.section(
        rx.el.div(
            rx.el.p(
                "Our site uses cookies. By continuing to use our site you are agreeing to our ",
                rx.el.a("cookie policy", href=routes.COOKIES),
            ),
            rx.el.form(
                button("Accept & Close", look="lamp s", kind="submit"), method="post", action=routes.COOKIE_NOTICE
            ),
            class_name="wrap",
        ),
        class_name="cookie dark",
        aria_label="Cookie notice",
    )
