"""How to reach an adviser: beside a text, where it sticks while the page scrolls, and in a band at its end."""

import reflex as rx

from broker import routes
from broker.components.elements import button_link, icon, telephone_link
from broker.content.models.site import Site

REMORTGAGE = "Free remortgage advice"
"""Default title on a lender's page (specification 2)."""

_NEXT_STEP = (
    "Next Step: If you are ready for a mortgage, get in touch with our advisers, we will find the best mortgage deal "
    "suitable for you."
)
"""Wording of specification 2."""


def contact_aside(site: Site, title: str, *text: rx.Component | str) -> rx.Component:
    """Draw the title, a short text, and the ways to reach an adviser in order of preference."""
    whatsapp = site.social.whatsapp
    chat = [rx.el.a("Chat on WhatsApp", href=whatsapp, target="_blank", rel="noopener")] if whatsapp else []
    return rx.el.aside(
        rx.el.div(
            rx.el.h2(title),
            rx.el.div(*text, class_name="small"),
            telephone_link(icon("phone"), f"Call us on {site.phone}", number=site.tel, class_name="btn lamp"),
            opening_hours(site),
            button_link("Request a callback", routes.CONTACT, look="line", icon_name="call"),
            rx.el.p(*chat, rx.el.a("Submit the form", href=routes.SUBMIT_FORM), class_name="ways"),
            class_name="cta dark stack",
        ),
        class_name="stack stick",
        aria_label="Speak to us",
    )


def opening_hours(site: Site) -> rx.Component:
    """Draw when the telephone is answered, on a line beneath a button that calls."""
    hours = "; ".join(f"{each.days}, {each.hours}" for each in site.hours)
    return rx.el.span(hours, class_name="hours xs") if hours else rx.fragment()


def contact_banner(site: Site) -> rx.Component:
    return rx.el.section(
        rx.el.div(
            rx.el.div(
                rx.el.h2("Speak to someone", id="next-step"),
                rx.el.p(_NEXT_STEP, class_name="narrow"),
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
                opening_hours(site),
            ),
            class_name="wrap band-s",
        ),
        class_name="callband",
        aria_labelledby="next-step",
    )
