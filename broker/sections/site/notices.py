"""Notices of every page: no connection, no storage, and cookies, hidden for 100 days once accepted (decision 20)."""

import reflex as rx
from reflex_components_core.core.banner import has_too_many_connection_errors

from broker import routes
from broker.components.elements.buttons import button
from broker.components.elements.messages import toast


def connection_toast() -> rx.Component:
    lost = toast(
        "Connection lost.", "The calculators still work, and we've kept what you typed. Reconnecting.", icon_name="wifi"
    )
    return rx.el.div(rx.cond(has_too_many_connection_errors, lost), class_name="toast-slot", aria_live="polite")


def storage_notice() -> rx.Component:
    """Draw what is not remembered in a browser that stores nothing; `js/memory_storage.js` shows it once a visit."""
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
