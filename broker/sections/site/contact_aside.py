"""The call to action beside a page's text, which sticks while the page scrolls."""

import reflex as rx

from broker import routes
from broker.components.elements.buttons import button_link
from broker.components.elements.icons import icon
from broker.components.elements.text import telephone_link
from broker.content.models.site import Site

REMORTGAGE = "Free remortgage advice"
"""Default title on a lender's page (specification 2)."""


def contact_aside(site: Site, title: str, *text: rx.Component | str) -> rx.Component:
    """Draw the title, a short text, the ways to reach an adviser in order of preference, and the warning."""
    return rx.el.aside(
        rx.el.div(
            rx.el.h2(title),
            rx.el.div(*text, class_name="small"),
            telephone_link(icon("phone"), f"Call us on {site.phone}", number=site.tel, class_name="btn lamp"),
            button_link("Request a callback", routes.CONTACT, look="line", icon_name="call"),
            rx.el.p(*_chat(site), rx.el.a("Submit the form", href=routes.SUBMIT_FORM), class_name="ways"),
            class_name="cta dark stack",
        ),
        rx.el.p(site.risk_warning, class_name="risk"),
        class_name="stack stick",
        aria_label="Speak to us",
    )


def _chat(site: Site) -> list[rx.Component]:
    if not site.social.whatsapp:
        return []
    words = "Chat on WhatsApp"
    return [rx.el.a(words, href=site.social.whatsapp, target="_blank", rel="noopener")]
