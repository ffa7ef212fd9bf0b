"""Staff overview and audit log pages. Data is loaded over the socket after sign-in."""

from collections.abc import Callable
from functools import partial

import reflex as rx

from broker import routes
from broker.pages.registry import BuildInputs, Page
from broker.pages.staff.layout import staff_layout
from broker.sections.staff.audit import audit_section
from broker.sections.staff.overview import overview_section
from broker.state.staff.audit import AuditState
from broker.state.staff.overview import OverviewState


def pages(inputs: BuildInputs) -> tuple[Page, ...]:
    """Return both pages, not indexed."""
    return (
        Page(
            route=routes.STAFF,
            title="Overview, for staff",
            description="Staff of the firm see here what waits for them, and how the sources of the site stand.",
            render=partial(_render, inputs, routes.STAFF, title="Overview", content=overview_section),
            on_load=OverviewState.open,
            indexed=False,
        ),
        Page(
            route=routes.STAFF_RECORD,
            title="Record, for staff",
            description="Staff of the firm read here who of them did what and when, from sign-in to deletion.",
            render=partial(_render, inputs, routes.STAFF_RECORD, title="Record", content=audit_section),
            on_load=AuditState.open,
            indexed=False,
        ),
    )


def _render(inputs: BuildInputs, path: str, *, title: str, content: Callable[[], rx.Component]) -> rx.Component:
    return staff_layout(inputs, path, content(), title=title)
