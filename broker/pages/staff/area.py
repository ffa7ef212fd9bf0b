"""Pages of the staff area, not indexed. Exported, they hold no data; each loads its own over the socket."""

import reflex as rx

from broker import routes
from broker.components.client_scripts import shared_component
from broker.components.elements import jump_link
from broker.pages.registry import BuildInputs, Page
from broker.pages.site.contact import connection_toast
from broker.pages.staff.audit import audit_section
from broker.pages.staff.enquiries import enquiries_section
from broker.pages.staff.enquiry import enquiry_section
from broker.pages.staff.frame import staff_header, staff_problem, staff_values
from broker.pages.staff.logos import logos_section
from broker.pages.staff.overview import overview_section
from broker.state.staff.audit import AuditState
from broker.state.staff.enquiries import EnquiriesState
from broker.state.staff.enquiry import EnquiryPageState
from broker.state.staff.logos import StaffLogosState
from broker.state.staff.overview import OverviewState

STAFF = "staff"
"""Name of the script chunk that only staff pages load."""


def pages(inputs: BuildInputs) -> tuple[Page, ...]:
    """Return the pages of the menu, and that of one enquiry."""
    return (
        Page(
            route=routes.STAFF_ENQUIRIES,
            title="Enquiries, for staff",
            description="Staff of the firm find enquiries here, in the order in which visitors are to be called.",
            render=lambda: _layout(inputs, routes.STAFF_ENQUIRIES, "Enquiries", enquiries_section()),
            on_load=EnquiriesState.open,
            indexed=False,
        ),
        Page(
            route=routes.STAFF_ENQUIRY,
            title="One enquiry, for staff",
            description="Staff of the firm read one enquiry here, note what was said, and pass it on to a colleague.",
            render=lambda: _layout(inputs, routes.STAFF_ENQUIRIES, "Enquiry", enquiry_section()),
            on_load=EnquiryPageState.open,
            indexed=False,
        ),
        Page(
            route=routes.UPDATE_LENDERS,
            title="Lenders and logos",
            description="For staff: all lenders with their logos, to fetch, upload, replace, remove and put back.",
            render=lambda: _layout(inputs, routes.UPDATE_LENDERS, "Lenders and logos", logos_section()),
            on_load=StaffLogosState.open,
            indexed=False,
        ),
        *_records(inputs),
    )


def _records(inputs: BuildInputs) -> tuple[Page, Page]:
    """Return the overview and the record of what staff did."""
    return (
        Page(
            route=routes.STAFF,
            title="Overview, for staff",
            description="Staff of the firm see here what waits for them, and how the sources of the site stand.",
            render=lambda: _layout(inputs, routes.STAFF, "Overview", overview_section()),
            on_load=OverviewState.open,
            indexed=False,
        ),
        Page(
            route=routes.STAFF_RECORD,
            title="Record, for staff",
            description="Staff of the firm read here who of them did what and when, from sign-in to deletion.",
            render=lambda: _layout(inputs, routes.STAFF_RECORD, "Record", audit_section()),
            on_load=AuditState.open,
            indexed=False,
        ),
    )


def _layout(inputs: BuildInputs, path: str, title: str, content: rx.Component) -> rx.Component:
    return rx.el.div(
        jump_link("Skip to main content", "main", class_name="skip"),
        shared_component(staff_values, script=STAFF),
        shared_component(staff_header, inputs.store.site().name, path, script=STAFF),
        shared_component(connection_toast, script=STAFF),
        rx.el.main(
            rx.el.h1(title, tab_index=-1, class_name="as-h2"),
            shared_component(staff_problem, script=STAFF),
            content,
            id="main",
            class_name="wrap band-s stack loose page",
            tab_index=-1,
        ),
        rx.el.footer(rx.el.p("What you do here is recorded.", class_name="wrap xs"), class_name="q-foot"),
        class_name="site staff",
    )
