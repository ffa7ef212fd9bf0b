"""Layout of the staff area. Exported staff pages hold no data; each loads it over the socket."""

import reflex as rx

from broker.components.elements.text import jump_link
from broker.components.shared_component import shared_component
from broker.pages.registry import BuildInputs
from broker.sections.site.connection import connection_toast
from broker.sections.staff.frame import staff_header, staff_problem

STAFF = "staff"
"""Name of the script chunk that only staff pages load."""


def staff_layout(inputs: BuildInputs, path: str, *content: rx.Component, title: str) -> rx.Component:
    """Draw a staff page around its content; `title` is its h1."""
    return rx.el.div(
        jump_link("Skip to main content", "main", class_name="skip"),
        shared_component(staff_header, inputs.store.site().name, path, script=STAFF),
        shared_component(connection_toast, script=STAFF),
        rx.el.main(
            rx.el.h1(title, tab_index=-1, class_name="as-h2"),
            shared_component(staff_problem, script=STAFF),
            *content,
            id="main",
            class_name="wrap band-s stack loose page",
            tab_index=-1,
        ),
        rx.el.footer(rx.el.p("What you do here is recorded.", class_name="wrap xs"), class_name="q-foot"),
        class_name="site staff",
    )
