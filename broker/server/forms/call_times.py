"""The free times on forms: in exported pages, in templates, and alone for the script that changes them in place."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime

from markupsafe import Markup
from starlette.datastructures import Headers
from starlette.types import Scope

from broker import routes
from broker.appointments.appointment import SLOT, Medium, Slot
from broker.appointments.times_view import PARAMETERS, PLACE, TimesPage, WantedTimes, shown_times, wanted_times
from broker.clock import uk_date, utc_now
from broker.enquiries.contact_details import WHEN
from broker.enquiries.service import EnquiryRefused
from broker.server.exported_site import ExportedFile
from broker.server.paths import parameters_of
from broker.server.releases import LiveExport
from broker.server.rendered_pages import file_answer, rendered_file, unindexed
from broker.server.response import Answer, Handler
from broker.server.templating import OWN_TEMPLATES
from broker.services import DatabaseClosedError, Services

MAX_WAIT_SECONDS = 1.0

PAGE = "page"
"""Parameter of the times alone: the path of the page that they are on."""

NAMES: Mapping[str, str] = {routes.CONTACT: WHEN, routes.CHECK_ANSWERS: WHEN, routes.YOUR_APPOINTMENT: SLOT}
"""The name of the radio buttons on each page with times."""

SHOW = "show"
"""The field of the buttons that show other times where there are no scripts: the address of the page with them."""

_ACTIONS: Mapping[str, str] = {
    page: f"{action}#{PLACE}"
    for page, action in ((routes.CONTACT, routes.CONTACT), (routes.CHECK_ANSWERS, routes.SEND_ANSWERS))
}
"""Where such a button sends its form, on each page with something typed."""

_TITLES = {WHEN: "Or choose a time", SLOT: "Choose another time"}

_FILLED = Markup('<div id="{}">{}</div>')
_EMPTY = _FILLED.format(PLACE, "")
"""The place of the times as an exported page has it."""


class CallTimes:
    def __init__(self, services: Services, live: LiveExport, *, clock: Callable[[], datetime] = utc_now) -> None:
        self._services, self._live, self._clock = services, live, clock

    async def html(
        self, page: TimesPage, *, chosen: Slot | None = None, problem: str = "", nearest: tuple[Slot, ...] = ()
    ) -> Markup:
        """Return the times of a page, empty where no adviser has any.

        A `chosen` slot that is free stays chosen; `problem` is why it was refused, and `nearest` are free ones near it.
        """
        usual, name = WantedTimes(), NAMES[page.path]
        wanted = wanted_times(page.parameters)
        if chosen:
            wanted = WantedTimes(minutes=chosen.minutes, medium=chosen.medium, first=wanted.first)
        slots = await self._offered(wanted)
        if not slots and (wanted == usual or not await self._offered(usual)):
            return Markup()
        times = shown_times(
            slots,
            wanted,
            page=page,
            name=name,
            media=tuple(Medium) if name == WHEN else (),
            today=uk_date(self._clock()),
            chosen=chosen,
            nearest=nearest,
            problem=problem,
        )
        values = {"times": times, "title": _TITLES[name], "field": SHOW, "action": _ACTIONS.get(page.path, "")}
        return Markup(OWN_TEMPLATES.render("call_times.html", values))

    async def _offered(self, wanted: WantedTimes) -> tuple[Slot, ...]:
        """Return the free slots; none where the database is not open yet, or slow: the page does not wait for it."""
        try:
            async with asyncio.timeout(MAX_WAIT_SECONDS):
                return await self._services.appointments.offered(wanted.minutes, wanted.medium)
        except (DatabaseClosedError, TimeoutError):
            return ()

    async def of_refusal(self, page: TimesPage, slot: Slot | None, refusal: EnquiryRefused | None) -> Markup:
        """Return the times of a page that shows a form again, with what was wrong with the chosen slot, if anything."""
        problems = refusal.problems if refusal else ()
        problem = next((each.reason for each in problems if each.field == SLOT), "")
        return await self.html(page, chosen=slot, problem=problem, nearest=refusal.next_free if refusal else ())

    async def of_button(self, page: TimesPage, address: str, slot: Slot | None) -> Markup:
        """Return the times that a button of a form leads to; a chosen start stays chosen where it is free."""
        query = address.partition("?")[2].partition("#")[0]
        page = replace(page, parameters={**page.parameters, **routes.parameters_in(query)})
        wanted = wanted_times(page.parameters)
        chosen = replace(slot, minutes=wanted.minutes, medium=wanted.medium) if slot else None
        return await self.html(page, chosen=chosen)

    async def page(self, scope: Scope) -> Answer | None:
        """Return an exported page with its times; None where there are none, or no place for them."""
        path, parameters, export = scope["path"], parameters_of(scope), self._live.export
        file, times = export.files.get(path), await self.html(TimesPage(path=path, parameters=parameters))
        if file is None or not times:
            return None
        request = Headers(scope=scope)
        answer = file_answer(await asyncio.to_thread(self._filled, file, times, request), request)
        return unindexed(answer) if parameters.keys() & set(PARAMETERS) else answer

    def handlers(self) -> dict[str, Handler]:
        """Return the handlers of the times alone, and of the page that checks the answers of a questionnaire."""
        return {routes.CALL_TIMES: self._alone, routes.CHECK_ANSWERS: self.page}

    async def _alone(self, scope: Scope) -> Answer | None:
        parameters = parameters_of(scope)
        path = parameters.pop(PAGE, "")
        if path not in NAMES:
            return None
        times = await self.html(TimesPage(path=path, parameters=parameters))
        headers = {"content-type": "text/html; charset=utf-8", "cache-control": "no-store", "x-robots-tag": "noindex"}
        return Answer(status=200, headers=headers, body=times.encode())

    def _filled(self, file: ExportedFile, times: Markup, request: Headers) -> ExportedFile:
        html = file.plain().decode().replace(_EMPTY, _FILLED.format(PLACE, times), 1)
        return rendered_file(html, request, site_url=self._live.export.site_url)
