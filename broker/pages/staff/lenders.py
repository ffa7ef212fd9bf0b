"""`/updateLenders/`: lenders and logos for staff. Data is loaded over the socket after sign-in."""

from broker import routes
from broker.pages.registry import BuildInputs, Page
from broker.pages.staff.layout import staff_layout
from broker.sections.staff.logos import logos_section
from broker.state.staff.logos import StaffLogosState

TITLE = "Lenders and logos"


def pages(inputs: BuildInputs) -> tuple[Page, ...]:
    """Return the page."""
    return (
        Page(
            route=routes.UPDATE_LENDERS,
            title=TITLE,
            description="For staff: all lenders with their logos, to fetch, upload, replace, remove and put back.",
            render=lambda: staff_layout(inputs, routes.UPDATE_LENDERS, logos_section(), title=TITLE),
            on_load=StaffLogosState.open,
            indexed=False,
        ),
    )
