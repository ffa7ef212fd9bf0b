"""The calls to action: beside a page's text, where it sticks while the page scrolls, and in a band at its end."""

import reflex as rx
from reflex_components_core.core.banner import has_too_many_connection_errors

from broker import routes
from broker.components.elements import button, button_link, icon, picture, telephone_link, toast
from broker.components.jinja import when_text
from broker.content.models.pictures import Picture, PicturePlace, fixed_place, picture_source
from broker.content.models.site import Site
from broker.content.page_parts import BannerView


def connection_toast() -> rx.Component:
    lost = toast(
        "Connection lost.", "The calculators still work, and we've kept what you typed. Reconnecting.", icon_name="wifi"
    )
    return rx.el.div(rx.cond(has_too_many_connection_errors, lost), class_name="toast-slot", aria_live="polite")


def storage_notice() -> rx.Component:
    """Draw what is not remembered in a browser that stores nothing; `server/js/head.js` shows it once a visit."""
    return rx.el.p(
        "Your browser doesn't let this site store anything. Everything works, but we can't remember your figures once "
        "you reload a page or close it.",
        class_name="storage-notice",
    )


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


def content_picture(given: Picture, class_name: str = "", *, place: PicturePlace, lazy: bool = True) -> rx.Component:
    """Draw a picture of the content with its text alternative; a `lazy` one loads when it comes near the viewport."""
    files = picture_source(given, place)
    return picture(
        files.src,
        width=given.width,
        height=given.height,
        alt=given.alt,
        srcset=files.srcset,
        sizes=files.sizes,
        class_name=class_name,
        lazy=lazy,
    )


def icon_picture(given: Picture, class_name: str = "", *, width: int, lazy: bool = True) -> rx.Component:
    """Draw a picture that is `width` CSS pixels wide on every screen."""
    return content_picture(given, class_name, place=fixed_place(width), lazy=lazy)


def logo_picture(given: Picture, *, height: int, max_width: int) -> rx.Component:
    """Draw a picture that is `height` CSS pixels high on every screen, and at most `max_width` wide."""
    width = round(given.width * height / given.height)
    return content_picture(given, place=fixed_place(max(1, min(width, max_width))))


def banner_picture(banner: BannerView, instead: rx.Component | None = None) -> rx.Component:
    """Draw a page's banner picture, or `instead` where it has none."""
    shown = picture(
        banner.src,
        width=banner.width,
        height=banner.height,
        alt=banner.alt,
        srcset=banner.srcset,
        sizes=banner.sizes,
        class_name="banner-pic",
        lazy=False,
    )
    return when_text(banner.src, shown, otherwise=instead)


REMORTGAGE = "Free remortgage advice"
"""Default title on a lender's page (specification 2)."""

NEXT_STEP = (
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
                opening_hours(site),
            ),
            class_name="wrap band-s",
        ),
        class_name="callband",
        aria_labelledby="next-step",
    )
