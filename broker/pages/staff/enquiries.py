"""Staff pages for the list of enquiries and for one enquiry. Data is loaded over the socket after sign-in."""

from collections.abc import Callable
from functools import partial

import reflex as rx

from broker import routes
from broker.pages.registry import BuildInputs, Page
from broker.pages.staff.layout import staff_layout
from broker.sections.staff.enquiries import enquiries_section
from broker.sections.staff.enquiry import enquiry_section
from broker.state.staff.enquiries import EnquiriesState
from broker.state.staff.enquiry import EnquiryPageState


def pages(inputs: BuildInputs) -> tuple[Page, ...]:
    """Return both pages, not indexed."""
    return (
        Page(
            route=routes.STAFF_ENQUIRIES,
            title="Enquiries, for staff",
            description="Staff of the firm find enquiries here, in the order in which visitors are to be called.",
            render=partial(_render, inputs, "Enquiries", enquiries_section),
            on_load=EnquiriesState.open,
            indexed=False,
        ),
        Page(
            route=routes.STAFF_ENQUIRY,
            title="One enquiry, for staff",
            description="Staff of the firm read one enquiry here, note what was said, and pass it on to a colleague.",
            render=partial(_render, inputs, "Enquiry", enquiry_section),
            on_load=EnquiryPageState.open,
            indexed=False,
        ),
    )


def _render(inputs: BuildInputs, title: str, content: Callable[[], rx.Component]) -> rx.Component:
    return staff_layout(inputs, routes.STAFF_ENQUIRIES, content(), title=title)
