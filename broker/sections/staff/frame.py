"""The frame of the staff pages: menu, signed-in account, and the error where that is unknown."""

from typing import Any

import reflex as rx

from broker import routes
from broker.components.elements.messages import note
from broker.components.elements.picture import drawing
from broker.components.elements.text import plain_link
from broker.components.forms.post_form import post_form
from broker.state.staff.access import StaffState

MENU = (
    ("Overview", routes.STAFF),
    ("Enquiries", routes.STAFF_ENQUIRIES),
    ("Lenders and logos", routes.UPDATE_LENDERS),
    ("Record", routes.STAFF_RECORD),
)

_STATE: Any = StaffState


def staff_header(firm: str, path: str) -> rx.Component:
    """Draw the header of the page at a path."""
    links = (
        rx.el.li(rx.el.a(words, href=href, custom_attrs={"aria-current": "page"} if href == path else {}))
        for words, href in MENU
    )
    return rx.el.header(
        rx.el.div(
            plain_link(
                drawing("mark", width=36, height=40, class_name="mark", lazy=False),
                rx.el.span(firm.partition(" ")[0], rx.el.small("Staff")),
                href=routes.HOME,
                class_name="brand",
            ),
            rx.el.nav(rx.el.ul(*links), aria_label="Staff", class_name="staff-menu"),
            rx.el.div(
                plain_link("Signed in as ", _STATE.staff_name, href=routes.STAFF_ACCOUNT, class_name="small"),
                post_form(
                    rx.el.button("Sign out", type="submit", class_name="btn line s"),
                    action=routes.STAFF_FORMS["sign-out"],
                ),
                class_name="row",
            ),
            class_name="wrap",
        ),
        class_name="top",
    )


def staff_problem() -> rx.Component:
    """Draw why the session could not be checked; nothing where it could."""
    return rx.el.div(
        rx.cond(_STATE.staff_problem != "", note(_STATE.staff_problem, tone="bad")), class_name="staff-problem"
    )
