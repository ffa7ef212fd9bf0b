"""The message that the connection to the server is lost; the page goes on working."""

import reflex as rx
from reflex_components_core.core.banner import has_too_many_connection_errors

from broker.components.elements.messages import toast


def connection_toast() -> rx.Component:
    """Draw the message while the connection is lost, in the flow of the page."""
    lost = toast(
        "Connection lost.", "Calculators go on working and what you typed is kept. Reconnecting.", icon_name="wifi"
    )
    return rx.el.div(rx.cond(has_too_many_connection_errors, lost), class_name="toast-slot", aria_live="polite")
