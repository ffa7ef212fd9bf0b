"""The page of an appointment, opened by its link, with the forms that move and cancel it; and its calendar file."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

from starlette.datastructures import FormData, Headers
from starlette.types import Scope

from broker import routes
from broker.appointments.appointment import SLOT, AppointmentRefused, StoredAppointment, parse_slot
from broker.appointments.appointment_view import CANCEL, MOVE, MOVED, SEQUENCE, page_values, refused_values
from broker.appointments.service import AWAY
from broker.appointments.times_view import BY, MINUTES, TimesPage
from broker.clock import utc_now
from broker.enquiries.form_view import first_field_id
from broker.enquiries.summary import ASK, LINK, STEP
from broker.server.forms.call_times import CallTimes
from broker.server.forms.posts import Post, Sender
from broker.server.paths import parameters_of
from broker.server.releases import LiveExport
from broker.server.rendered_pages import RenderedPages
from broker.server.response import Answer, Handler
from broker.services import Services

NO_TIME = "Choose a time first"

_MAX_DIGITS = 9
"""Digits of a version."""

_NAME = "your-appointment"

_PRIVATE = {"referrer-policy": "strict-origin"}
"""Headers of the page, so that its link is in no Referer; a stricter policy would hide the origin of its forms."""


class AppointmentPages:
    def __init__(
        self, services: Services, live: LiveExport, times: CallTimes, *, clock: Callable[[], datetime] = utc_now
    ) -> None:
        self._services, self._times, self._clock = services, times, clock
        self._pages = RenderedPages(live=live)

    def handlers(self) -> dict[str, Handler]:
        return {routes.YOUR_APPOINTMENT: self._page, routes.YOUR_APPOINTMENT_FILE: self._calendar}

    def posts(self) -> dict[str, Post]:
        return {routes.YOUR_APPOINTMENT: Post(answer=self._change)}

    async def _page(self, scope: Scope) -> Answer | None:
        """Return the appointment of a link; None without one, for the exported page. It changes nothing."""
        parameters, headers = parameters_of(scope), Headers(scope=scope)
        link = parameters.get(LINK, "")
        if not link:
            return None
        found = await self._services.appointments.find(link)
        if isinstance(found, AppointmentRefused):
            return self._refused(found, headers)
        moved, held = parameters.pop(MOVED, ""), found.appointment.slot
        wanted = {MINUTES: str(held.minutes), **parameters, BY: str(held.medium)}
        times = await self._times.html(TimesPage(path=routes.YOUR_APPOINTMENT, parameters=wanted))
        return self._answer(page_values(found, now=self._clock(), moved=bool(moved), times=times), headers)

    async def _change(self, form: FormData, sender: Sender) -> Answer:
        link, step, sequence, slot = (_text(form, name) for name in (LINK, STEP, SEQUENCE, SLOT))
        service = self._services.appointments
        found = await service.find(link)
        if isinstance(found, AppointmentRefused):
            return self._refused(found, sender.headers)
        if step == ASK:
            return self._answer(page_values(found, now=self._clock(), asked=True), sender.headers)
        if step not in (MOVE, CANCEL):
            return _redirect(routes.appointment_link(link))
        version = int(sequence) if sequence.isdecimal() and len(sequence) <= _MAX_DIGITS else -1
        wanted = parse_slot(slot)
        if step == CANCEL:
            outcome = await service.cancel(link, version)
        elif wanted is None or wanted.medium is not found.appointment.slot.medium:
            outcome = AppointmentRefused(reason=NO_TIME, appointment=found.appointment)
        else:
            outcome = await service.move(link, wanted, version)
        if isinstance(outcome, StoredAppointment):
            marked = {MOVED: "yes"} if step == MOVE else {}
            return _redirect(routes.with_query(routes.YOUR_APPOINTMENT, {LINK: outcome.link, **marked}))
        shown = StoredAppointment(appointment=outcome.appointment or found.appointment, link=link)
        held = shown.appointment.slot
        parameters = {LINK: link, MINUTES: str(held.minutes), BY: str(held.medium)}
        page = TimesPage(path=routes.YOUR_APPOINTMENT, parameters=parameters)
        problem = outcome.reason if step == MOVE else ""
        times = await self._times.html(page, chosen=wanted, problem=problem, nearest=outcome.next_free)
        anchor = first_field_id(SLOT) if problem else ""
        values = page_values(shown, now=self._clock(), reason=outcome.reason, times=times, anchor=anchor)
        return self._answer(values, sender.headers, status=503 if outcome.reason == AWAY else 422)

    async def _calendar(self, scope: Scope) -> Answer | None:
        file = await self._services.appointments.calendar_file(parameters_of(scope).get(LINK, ""))
        if file is None:
            return None
        headers = {
            "content-type": "text/calendar; charset=utf-8",
            "content-disposition": 'attachment; filename="appointment.ics"',
            "cache-control": "no-store",
            "x-robots-tag": "noindex",
        }
        return Answer(status=200, headers=headers, body=file)

    def _refused(self, refusal: AppointmentRefused, headers: Headers) -> Answer:
        status = 503 if refusal.reason == AWAY else 404
        return self._answer(refused_values(refusal.reason), headers, status=status)

    def _answer(self, values: dict[str, object], headers: Headers, *, status: int = 200) -> Answer:
        page = self._pages.answer(_NAME, values, headers=headers, status=status)
        return replace(page, headers={**page.headers, **_PRIVATE})


def _redirect(address: str) -> Answer:
    return Answer(status=303, headers={"location": address, "cache-control": "no-store", **_PRIVATE})


def _text(form: FormData, name: str) -> str:
    value = form.get(name)
    return value if isinstance(value, str) else ""
