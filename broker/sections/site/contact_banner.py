"""The band that ends a page: the next step, and the telephone number."""

import reflex as rx

from broker import routes
from broker.components.elements.buttons import button_link
from broker.components.elements.text import telephone_link
from broker.content.models.site import Site

NEXT_STEP = (
    "Next Step: If you are ready for a mortgage, get in touch with our advisers, we will find the best mortgage deal "
    "suitable for you."
)
"""Wording of specification 2."""


def contact_banner(site: Site) -> rx.Component:
    """Draw the band with its three calls to action."""
    return rx.el.section(
        rx.el.div(
            rx.el.div(
                rx.el.h2("Speak to someone", id="next-step"),
                rx.el.p(NEXT_STEP, class_name="narrow"),
                rx.el.div(
                    button_link("Request a callback", routes.CONTACT, icon_name="call"),
                    button_link("Submit the form", routes.SUBMIT_FORM, look="line on-lamp"),
                    class_name="row",
                ),
                class_name="stack",
            ),
            rx.el.p(
                rx.el.span("Call us on", class_name="label"),
                rx.el.br(),
                telephone_link(site.phone, number=site.tel, class_name="no"),
            ),
            class_name="wrap band-s",
        ),
        class_name="callband",
        aria_labelledby="next-step",
    )
