"""Services whose appointments are of a test's own, and an export with the pages that have times."""

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import cast

from broker import routes
from broker.appointments.appointment import (
    Appointment,
    AppointmentRefused,
    AppointmentState,
    Medium,
    Slot,
    StoredAppointment,
)
from broker.server.paths import template_file
from broker.server.releases import LiveExport
from broker.services import Services
from tests.unit.server.enquiry_pages import PROBLEMS
from tests.unit.server.site import SITE, put_release

NOW = datetime(2026, 11, 27, 8, tzinfo=UTC)
LINK = "gAAAAAB-link"
NO_LINK = "This link opens no appointment"
TAKEN = "Somebody else has just booked this time. Choose another"

PAGE = '<html><body><form><fieldset><div id="call-times"></div></fieldset></form></body></html>'
TEMPLATE = (
    "<html><head><title>{{ error_title }}</title></head><body><h1>{{ heading }}</h1><p>{{ lead }}</p>"
    + PROBLEMS
    + "{{ refusal }}{% if is_moved %}<em>moved</em>{% endif %}"
    + "{% if appointment %}<b>{{ appointment.day }}, {{ appointment.time }}. {{ appointment.kind }}</b>{% endif %}"
    + "{% if is_asked %}<u>asked</u>{% endif %}{% if is_coming %}<u>coming</u>{{ link }} {{ sequence }}{% endif %}"
    + '<div id="call-times">{{ times|safe }}</div></body></html>'
)


def slot(day: int, hour: int, minute: int = 0, *, minutes: int = 20, medium: Medium = Medium.TELEPHONE) -> Slot:
    """Return a slot of November 2026, in UTC."""
    return Slot(start=datetime(2026, 11, day, hour, minute, tzinfo=UTC), minutes=minutes, medium=medium)


def appointment(**changes: object) -> Appointment:
    booked = Appointment(
        id=1,
        uid="a1b2",
        sequence=0,
        adviser="grace",
        slot=slot(28, 10, 40),
        state=AppointmentState.BOOKED,
        reference="HG-7K3M-Q2XD",
        created=NOW,
    )
    return replace(booked, **changes)


@dataclass(kw_only=True)
class FakeAppointments:
    """One appointment behind LINK and some free starts; `outcome` replaces the result of a change."""

    free: list[Slot] = field(default_factory=list)
    held: Appointment = field(default_factory=appointment)
    outcome: AppointmentRefused | None = None
    changes: list[tuple[str, object, int]] = field(default_factory=list)

    async def offered(self, minutes: int, medium: Medium) -> tuple[Slot, ...]:
        return tuple(each for each in self.free if (each.minutes, each.medium) == (minutes, medium))

    async def find(self, link: str) -> StoredAppointment | AppointmentRefused:
        found = StoredAppointment(appointment=self.held, link=link)
        return found if link == LINK else AppointmentRefused(reason=NO_LINK)

    async def move(self, link: str, slot: Slot, sequence: int) -> StoredAppointment | AppointmentRefused:
        self.changes.append(("move", slot.value, sequence))
        if self.outcome is None:
            self.held = replace(self.held, slot=slot, sequence=sequence + 1)
        return self.outcome or StoredAppointment(appointment=self.held, link=link)

    async def cancel(self, link: str, sequence: int) -> StoredAppointment | AppointmentRefused:
        self.changes.append(("cancel", None, sequence))
        if self.outcome is None:
            self.held = replace(self.held, state=AppointmentState.CANCELLED, sequence=sequence + 1)
        return self.outcome or StoredAppointment(appointment=self.held, link=link)

    async def calendar_file(self, link: str) -> bytes | None:
        return b"BEGIN:VCALENDAR" if link == LINK else None

    def services(self) -> Services:
        return cast("Services", SimpleNamespace(appointments=self))


def export_with_times(folder: Path) -> LiveExport:
    """Return an export of the pages with times, and of the template of an appointment's page."""
    pages = {f"{path.strip('/')}/index.html": PAGE for path in (routes.CONTACT, routes.CHECK_ANSWERS)}
    template = template_file(routes.edge_template("your-appointment"))
    put_release(folder, **pages, **{template: TEMPLATE, "your-appointment/index.html": PAGE})
    export = LiveExport(folder, SITE)
    export.open()
    return export
