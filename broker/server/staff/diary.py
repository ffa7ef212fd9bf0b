"""The staff pages of the diary: weeks and days, appointments, hours, absences, and the feed of a calendar."""

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from functools import partial
from typing import TypeAlias

from starlette.datastructures import FormData
from starlette.types import Scope

from broker import routes
from broker.appointments.appointment import (
    LENGTHS,
    SLOT,
    AppointmentChanged,
    AppointmentConflict,
    AppointmentRefused,
    AppointmentState,
    Medium,
    StaffOutcome,
    parse_slot,
)
from broker.appointments.times_view import FROM, MEDIA, PLACE, TimesPage, shown_times, wanted_times
from broker.cases.case import ONLY_ADVICE, Refused
from broker.cases.case_list import CaseFilter, Listing
from broker.cases.list_view import CaseRow, case_row, text_in
from broker.mail.mail import MAIL_RETURNED, MAIL_WAITS
from broker.server.forms.posts import Post, PostAnswer, Sender, text_fields, whole_number
from broker.server.paths import parameters_of
from broker.server.response import Answer, Handler, plain_text
from broker.server.staff.access import StaffHandlers, sign_in_path, staff_handlers
from broker.server.staff.pages import Message, StaffPages, redirect
from broker.services import Services
from broker.staff.accounts import StaffSession
from broker.staff.diary_admin import Adviser, DiaryAdmin, hours_stamp, monday_of
from broker.staff.diary_view import (
    UNREADABLE,
    Choice,
    coverage_words,
    day_view,
    diary_address,
    entry_view,
    free_days,
    meanwhile_words,
    slot_words,
    span_words,
    week_view,
    week_words,
)
from broker.staff.diary_workflow import (
    ADVISER,
    FROM_DAY,
    FROM_TIME,
    LENGTH,
    MAX_SENTENCE,
    MEDIUM,
    SENTENCE,
    START_DAY,
    START_TIME,
    SURE,
    TO_DAY,
    TO_TIME,
    WEEKDAYS,
    Bookable,
    DiaryEntry,
    booking_stamp,
    hours_values,
    parse_day,
)
from broker.staff.times import clock
from broker.storage.errors import StorageError

TITLE = "Diary"

HAS_APPOINTMENT = "This case has an appointment already, so nothing was booked"

CONFLICT = "Somebody else changed this appointment first, so nothing was done"

NO_ADVISER = Message(title="There is no such adviser", text="Choose one in the diary.")
NO_APPOINTMENT = Message(title="There is no such appointment", text="It is deleted with its enquiry.")
NO_CASE = Message(title="There is no such case", text="It is deleted.")
NO_ABSENCE = Message(title="This absence is removed already")
UNKNOWN_FEED = plain_text(404, "There is no such calendar. Its address may have been ended or replaced.")

_BACK = (routes.STAFF_DIARY, "Open the diary")
_START_FIELDS = (ADVISER, START_DAY, START_TIME, LENGTH, MEDIUM)
_ABSENCE_FIELDS = (FROM_DAY, FROM_TIME, TO_DAY, TO_TIME)
_TYPED = frozenset((SENTENCE, *WEEKDAYS, *_ABSENCE_FIELDS))
_FIND, _MAX_FOUND = "find", 20
"""Field of the words that look for a case, and how many cases are listed."""

_YEARS = range(2000, 2100)
"""Years whose days the diary shows."""

_FEED_PATH = re.compile(re.escape(routes.STAFF_FEED) + r"([A-Za-z0-9_-]{20,100})\.ics", re.ASCII)

_OUTCOMES = {
    AppointmentState.HELD.value: "Recorded: it was held",
    AppointmentState.MISSED.value: "Recorded: the visitor did not come",
    AppointmentState.BOOKED.value: "Recorded: neither held nor missed",
}


_PASSED = "It is passed on, and the time stays"

_DONE = {"made": "It is booked", "moved": "It is moved", "passed": _PASSED, "cancelled": "It is cancelled", **_OUTCOMES}
"""Message of an appointment's page after a change, by the value of `done` in its address."""

_Fields: TypeAlias = Mapping[str, str]
_Draw: TypeAlias = Callable[[StaffSession, _Fields], Awaitable[Answer]]
"""Answers a member of staff with the parameters of an address or the fields of a form."""


class DiaryPages:
    """Feeds alone need no session: their address is the secret."""

    def __init__(self, services: Services, *, firm: str, site_url: str, sends_mail: bool) -> None:
        self._services, self._pages, self._site_url = services, StaffPages(firm=firm), site_url
        self._sends_mail = sends_mail

    def posts(self) -> dict[str, Post]:
        actions: dict[str, _Draw] = {
            "diary-hours": self._save_hours,
            "diary-absence": self._change_absences,
            "diary-hand-over": self._hand_over,
            "diary-find": self._find,
            "diary-book": self._book,
            "diary-move": self._move,
            "diary-cancel": self._cancel,
            "diary-outcome": self._close,
            "diary-feed": self._change_feed,
        }
        return {routes.STAFF_FORMS[name]: Post(answer=self._post(name, act)) for name, act in actions.items()}

    def handlers(self) -> dict[str, Handler]:
        pages: dict[str, _Draw] = {
            routes.STAFF_DIARY: self._diary,
            routes.STAFF_APPOINTMENT: self._appointment,
            routes.STAFF_HOURS: self._hours,
            routes.STAFF_ABSENCES: self._absences,
            routes.STAFF_BOOK: self._booking,
            routes.STAFF_FEED: self._feed,
        }
        feeds: dict[str, Handler] = {f"{routes.STAFF_FEED}*": self._feed_file}
        return {path: self._page(path, draw) for path, draw in pages.items()} | feeds

    @property
    def _admin(self) -> DiaryAdmin:
        return self._services.diary

    def _page(self, path: str, draw: _Draw) -> Handler:
        staff = staff_handlers(self._services, self._pages, TITLE, back=path)
        return staff.page(path, lambda session, scope: draw(session, parameters_of(scope)))

    def _post(self, name: str, act: _Draw) -> PostAnswer:
        path, refused = routes.STAFF_FORMS[name], redirect(sign_in_path(routes.STAFF_DIARY))

        async def answer(form: FormData, sender: Sender) -> Answer:
            given = text_fields(form)
            away = partial(self._send_again, name, given)
            staff = StaffHandlers(services=self._services, refused=refused, away=away)
            return await staff.answer(sender.headers, path, lambda session: act(session, given))

        return answer

    def _send_again(self, name: str, given: _Fields, _error: Exception) -> Answer:
        """Return a page that keeps what was typed while the database is away, with a button that sends it again."""
        return self._pages.answer(
            "diary_again",
            TITLE,
            message=Message(
                title="This could not be saved just now", text="Nothing is lost: send it again in a minute."
            ),
            status=503,
            action=routes.STAFF_FORMS[name],
            given=given,
            typed=[value for field, value in given.items() if field in _TYPED and value.strip()],
        )

    # weeks and days

    async def _diary(self, session: StaffSession, parameters: _Fields) -> Answer:
        name, advisers, today = parameters.get("adviser", ""), await self._admin.diaries(), self._admin.today
        now = self._admin.now
        chosen = _named(advisers, name)
        if name and chosen is None:
            return self._no_adviser()
        listed = [each for each in advisers if each.hours.ranges or not each.enabled or each.adviser == name]
        names = [each.adviser for each in listed]
        adviser = chosen or _named(listed, session.name) or next(iter(listed), None)
        if adviser is None:
            return self._pages.answer("diary_empty", TITLE, hours=_hours_address(session.name))
        if "day" in parameters:
            days = await self._admin.day([chosen] if chosen else listed, _day(parameters["day"], today))
            view = day_view(days, names, adviser=name, now=self._admin.now)
        else:
            days = await self._admin.week(adviser, monday_of(_day(parameters.get("week", ""), today)))
            view = week_view(days, names, now=self._admin.now)
        ahead = max(today, days[0].day)
        return self._pages.answer(
            "diary",
            TITLE,
            view=view,
            waiting=await self._waiting(),
            away=[
                (each.adviser, span_words(absence.start, absence.end, now))
                for each in listed
                for absence in each.absences
                if absence.end > now
            ],
            hours=_hours_address(view.adviser or session.name),
            absences=_absences_address(view.adviser or session.name),
            book=routes.with_query(routes.STAFF_BOOK, {ADVISER: view.adviser, START_DAY: ahead.isoformat()}),
        )

    async def _waiting(self) -> list[Choice]:
        """Return the advisers who cannot keep appointments, with how many, and where to hand them over."""
        names = [each.appointment.adviser for each in await self._admin.uncovered()]
        return [
            Choice(words=f"{name}: {names.count(name)}", href=_absences_address(name)) for name in sorted(set(names))
        ]

    # one appointment

    async def _appointment(self, _session: StaffSession, parameters: _Fields) -> Answer:
        entry = await self._admin.appointment(whole_number(parameters.get("number", "")))
        if entry is None:
            return self._no_appointment()
        done = _DONE.get(parameters.get("done", ""), "")
        told = ""
        if parameters.get("done") in ("made", "moved", "cancelled"):
            mail = self._mail_of(entry)
            by_telephone = f"{mail['waits']} Please tell the visitor by telephone.".strip()
            told = "The visitor is told by email." if mail["is_told"] else by_telephone
        message = Message(title=done, text=told, tone="good") if done else None
        return await self._drawn(entry, parameters, message=message)

    async def _drawn(
        self,
        entry: DiaryEntry,
        given: _Fields,
        *,
        message: Message | None = None,
        errors: Mapping[str, str] | None = None,
        form: str = "",
        status: int = 200,
    ) -> Answer:
        """Draw an appointment; `errors` are those of the fields of a `form`, which keeps what was typed."""
        admin, appointment = self._admin, entry.appointment
        advisers = [each for each in await admin.diaries() if each.enabled and each.hours.ranges]
        adviser = _named(advisers, given.get("with", "")) or _named(advisers, appointment.adviser)
        adviser = adviser or next(iter(advisers), None)
        monday = monday_of(max(admin.today, _day(given.get("week", ""), appointment.slot.start.date())))
        has_begun = appointment.slot.start <= admin.now
        may_move = appointment.is_live and not has_begun
        free = await admin.free_week(entry, adviser, monday) if adviser and may_move else ()
        return self._pages.answer(
            "diary_appointment",
            "Appointment",
            message=message,
            status=status,
            entry=entry,
            view=entry_view(entry, admin.now),
            slot=slot_words(appointment.slot, admin.now),
            back=diary_address(adviser=appointment.adviser, week=monday_of(appointment.slot.start.date())),
            may_move=may_move,
            outcomes=_outcomes(appointment.state) if has_begun else (),
            is_unrecorded=appointment.is_live,
            advisers=[_with(entry, each, monday, adviser) for each in advisers],
            adviser=adviser.adviser if adviser else "",
            week=week_words(monday, monday + timedelta(days=6)),
            monday=monday.isoformat(),
            earlier=_move_address(entry, adviser, monday - timedelta(days=7)) if monday > admin.today else "",
            later=_move_address(entry, adviser, monday + timedelta(days=7)),
            free=free_days(free),
            max_sentence=MAX_SENTENCE,
            **self._mail_of(entry),
            form=form,
            values={name: given.get(name, "") if form else "" for name in ("slot", SENTENCE)},
            is_sure=bool(errors) and SURE in given,
            **_errors(errors, "slot", SENTENCE, SURE, "outcome"),
        )

    def _mail_of(self, found: DiaryEntry | Bookable) -> dict[str, object]:
        """Return whether a visitor is told by mail, and why a mail to their address waits or is not sent, or empty."""
        waits = ""
        if found.email:
            waits = MAIL_RETURNED if found.is_returned else "" if self._sends_mail else MAIL_WAITS
        return {"is_told": bool(found.email) and not waits, "waits": waits}

    async def _change(
        self, session: StaffSession, given: _Fields, form: str, act: Callable[[DiaryEntry], Awaitable[object]]
    ) -> Answer:
        """Run a change of the appointment of a form, and answer with its page."""
        entry = await self._admin.appointment(whole_number(given.get("number", "")))
        if entry is None:
            return self._no_appointment()
        outcome = await act(entry)
        if isinstance(outcome, dict):
            return await self._drawn(entry, given, errors=outcome, form=form, status=422)
        if isinstance(outcome, AppointmentConflict | AppointmentRefused):
            return await self._not_done(session, entry, given, outcome, form=form)
        is_same_time = form == "move" and given.get("slot") == entry.appointment.slot.value
        moved = "passed" if is_same_time and not given.get(SENTENCE, "").strip() else "moved"
        done = {"move": moved, "cancel": "cancelled"}.get(form, given.get("outcome", ""))
        return redirect(f"{routes.staff_appointment(entry.appointment.id)}&done={done}")

    async def _not_done(
        self, session: StaffSession, entry: DiaryEntry, given: _Fields, outcome: StaffOutcome, *, form: str
    ) -> Answer:
        """Draw an appointment as it is by now, with why it was not changed and what was typed."""
        now = await self._admin.appointment(entry.appointment.id)
        if now is None:
            return self._no_appointment()
        if isinstance(outcome, AppointmentRefused):
            return await self._drawn(now, given, errors={"": outcome.reason}, form=form, status=422)
        words = meanwhile_words(now.appointment, who=session.name, now=self._admin.now)
        message = Message(title=CONFLICT, text=words)
        return await self._drawn(now, given, message=message, form=form, status=422)

    async def _move(self, session: StaffSession, given: _Fields) -> Answer:
        async def act(entry: DiaryEntry) -> object:
            adviser = given.get("with", "") or entry.appointment.adviser
            number, sequence = entry.appointment.id, whole_number(given.get("sequence", ""))
            return await self._admin.move(number, sequence, given, adviser=adviser, who=session.name)

        return await self._change(session, given, "move", act)

    async def _cancel(self, session: StaffSession, given: _Fields) -> Answer:
        async def act(entry: DiaryEntry) -> object:
            number, sequence = entry.appointment.id, whole_number(given.get("sequence", ""))
            is_told = bool(entry.email) and not entry.is_returned
            return await self._admin.cancel(number, sequence, given, is_told=is_told, who=session.name)

        return await self._change(session, given, "cancel", act)

    async def _close(self, session: StaffSession, given: _Fields) -> Answer:
        async def act(entry: DiaryEntry) -> object:
            number, sequence = entry.appointment.id, whole_number(given.get("sequence", ""))
            return await self._admin.close(number, sequence, given.get("outcome", ""), who=session.name)

        return await self._change(session, given, "outcome", act)

    # booking

    async def _booking(self, session: StaffSession, parameters: _Fields) -> Answer:
        if "reference" not in parameters:
            return self._find_page(parameters)
        case = await self._bookable(parameters)
        return case if isinstance(case, Answer) else await self._booking_page(session, case, parameters)

    async def _bookable(self, given: _Fields) -> Bookable | Answer:
        """Return the case that a form or an address names, or the page that says why nothing is booked for it."""
        case = await self._admin.bookable(given.get("reference", ""))
        if case is None:
            return self._pages.problem(TITLE, NO_CASE, status=404, link=_BACK)
        if case.is_only_advice:
            message, link = Message(title=ONLY_ADVICE), (routes.staff_enquiry(case.reference), "Open the case")
            return self._pages.problem(TITLE, message, status=409, link=link)
        return case

    async def _find(self, session: StaffSession, given: _Fields) -> Answer:
        """List the open cases that words find, each with the address that books for it; the words stay in the post."""
        text = text_in(given.get(_FIND, ""))
        if not text:
            return self._find_page(given, errors={_FIND: "Enter a name, a telephone number, an email or a reference"})
        lists = self._services.case_lists
        found = await lists.page(Listing(wanted=CaseFilter(text=text)), who=session.name)
        if isinstance(found, Refused):
            return self._find_page(given, message=Message(title=found.words), status=503)
        rows = [(case_row(head, lists.now), _book_for(head.reference, given)) for head in found.heads[:_MAX_FOUND]]
        return self._find_page(given, rows=rows, count=found.count)

    def _find_page(
        self,
        given: _Fields,
        *,
        rows: Sequence[tuple[CaseRow, str]] = (),
        count: int | None = None,
        message: Message | None = None,
        errors: Mapping[str, str] | None = None,
        status: int = 200,
    ) -> Answer:
        """Draw the form that looks for a case to book for; `count` is how many were found, None before that."""
        return self._pages.answer(
            "diary_find",
            "Book an appointment",
            message=message,
            status=422 if errors else status,
            back=diary_address(adviser=given.get(ADVISER, ""), week=parse_day(given.get(START_DAY, ""))),
            typed=given.get(_FIND, ""),
            kept={each: given.get(each, "") for each in (ADVISER, START_DAY)},
            rows=rows,
            count=count,
            **_errors(errors, _FIND),
        )

    async def _booking_page(
        self,
        session: StaffSession,
        case: Bookable,
        given: _Fields,
        *,
        errors: Mapping[str, str] | None = None,
        taken: AppointmentRefused | None = None,
    ) -> Answer:
        """Draw the free times of all advisers or of one, with the problems of a form and what was typed.

        Where none is chosen they are those of the case's adviser, if there are any.
        """
        admin, name = self._admin, given.get(ADVISER, case.assigned)
        advisers = [each for each in await admin.diaries() if each.enabled]
        listed = [each for each in advisers if each.hours.ranges]
        adviser = name if _named(listed, name) else ""
        media = tuple(Medium) if case.email else (Medium.TELEPHONE,)
        wanted = wanted_times(given)
        wanted = wanted if wanted.medium in media else replace(wanted, medium=Medium.TELEPHONE)
        free = await admin.free(adviser, wanted.minutes, wanted.medium)
        if adviser and not free and ADVISER not in given:
            adviser, free = "", await admin.free("", wanted.minutes, wanted.medium)
        page = TimesPage(
            path=routes.STAFF_BOOK, parameters={"reference": case.reference, ADVISER: adviser}, clock=clock
        )
        times = shown_times(
            free,
            wanted,
            page=page,
            name=SLOT,
            today=admin.today,
            media=media,
            chosen=parse_slot(given.get(SLOT, "")),
            nearest=taken.next_free if taken else (),
            problem=taken.reason if taken else "",
        )
        usual = {ADVISER: adviser or session.name, LENGTH: str(wanted.minutes), MEDIUM: wanted.medium.value}
        links = [("Anybody", ""), *((each.adviser, each.adviser) for each in listed)]
        kept = {LENGTH: str(wanted.minutes), MEDIUM: wanted.medium.value, **_filled(given, FROM, START_DAY)}
        return self._pages.answer(
            "diary_book",
            "Book an appointment",
            message=None,
            status=422 if errors or taken else 200,
            **self._mail_of(case),
            case=case,
            name=case.name or UNREADABLE,
            coming=slot_words(case.coming.slot, admin.now) if case.coming else "",
            enquiry=routes.staff_enquiry(case.reference),
            advisers=[
                Choice(words=words, href=_book_address(case, each, kept), is_current=each == adviser)
                for words, each in links
            ],
            adviser=adviser,
            names=[(each.adviser, each.adviser) for each in advisers],
            times=times,
            first=given.get(FROM, ""),
            media=[(each.value, MEDIA[each]) for each in media],
            lengths=[(each, each) for each in LENGTHS],
            values={each: given.get(each) or usual.get(each, "") for each in _START_FIELDS},
            sure=booking_stamp(given) if errors and SURE in errors else "",
            is_typed=START_DAY in given,
            **_errors(errors, SLOT, SURE, *_START_FIELDS),
        )

    async def _book(self, session: StaffSession, given: _Fields) -> Answer:
        case = await self._bookable(given)
        if isinstance(case, Answer):
            return case
        outcome = await self._admin.book(case, given, who=session.name)
        if outcome == AppointmentConflict(appointment=None):
            return self._pages.problem(TITLE, NO_CASE, status=404, link=_BACK)
        if isinstance(outcome, AppointmentChanged):
            return redirect(f"{routes.staff_appointment(outcome.appointment.id)}&done=made")
        if isinstance(outcome, AppointmentConflict):
            booked = replace(case, coming=outcome.appointment)
            return await self._booking_page(session, booked, given, errors={"": HAS_APPOINTMENT})
        if isinstance(outcome, AppointmentRefused):
            return await self._booking_page(session, case, given, taken=outcome)
        return await self._booking_page(session, case, given, errors=outcome or {})

    # hours

    async def _hours(self, session: StaffSession, parameters: _Fields) -> Answer:
        name = parameters.get("adviser", "") or session.name
        adviser = _named(advisers := await self._admin.diaries(), name)
        if adviser is None:
            return self._no_adviser()
        message = Message(title="The hours are saved", tone="good") if "done" in parameters else None
        return self._hours_form(advisers, adviser, hours_values(adviser.hours), message=message)

    def _hours_form(
        self,
        advisers: Sequence[Adviser],
        adviser: Adviser,
        values: _Fields,
        *,
        message: Message | None = None,
        errors: Mapping[str, str] | None = None,
        status: int = 200,
    ) -> Answer:
        stored = hours_values(adviser.hours)
        return self._pages.answer(
            "diary_hours",
            f"Hours of {adviser.adviser}",
            message=message,
            status=status,
            adviser=adviser,
            advisers=[_choice(each, adviser, _hours_address(each.adviser)) for each in advisers if each.enabled],
            days=[(name, name.capitalize(), values.get(name, ""), stored[name]) for name in WEEKDAYS],
            names=[(name, name) for name in WEEKDAYS],
            **_errors(errors, *WEEKDAYS),
            stamp=hours_stamp(adviser),
            back=diary_address(adviser=adviser.adviser),
            absences=_absences_address(adviser.adviser),
        )

    async def _save_hours(self, session: StaffSession, given: _Fields) -> Answer:
        adviser = _named(advisers := await self._admin.diaries(), given.get("adviser", ""))
        if adviser is None:
            return self._no_adviser()
        errors = await self._admin.set_hours(adviser, given, seen=given.get("stamp", ""), who=session.name)
        if errors:
            return self._hours_form(advisers, adviser, given, errors=errors, status=422)
        return redirect(f"{_hours_address(adviser.adviser)}&done")

    # absences

    async def _absences(self, session: StaffSession, parameters: _Fields) -> Answer:
        adviser = _named(advisers := await self._admin.diaries(), parameters.get("adviser", "") or session.name)
        if adviser is None:
            return self._no_adviser()
        taken, left = (whole_number(parameters.get(name, "")) for name in ("taken", "left"))
        done = {
            "added": Message(title="The absence is entered", text=coverage_words(taken, left), tone="good"),
            "handed": Message(title="Offered to colleagues", text=coverage_words(taken, left), tone="good"),
            "removed": Message(title="The absence is removed", tone="good"),
        }
        return await self._absence_page(advisers, adviser, {}, message=done.get(parameters.get("done", "")))

    async def _absence_page(
        self,
        advisers: Sequence[Adviser],
        adviser: Adviser,
        values: _Fields,
        *,
        message: Message | None = None,
        errors: Mapping[str, str] | None = None,
        status: int = 200,
    ) -> Answer:
        now = self._admin.now
        left = [each for each in await self._admin.uncovered() if each.appointment.adviser == adviser.adviser]
        return self._pages.answer(
            "diary_absences",
            f"Absences of {adviser.adviser}",
            message=message,
            status=status,
            adviser=adviser,
            advisers=[_choice(each, adviser, _absences_address(each.adviser)) for each in advisers],
            absences=[(each.id, span_words(each.start, each.end, now)) for each in adviser.absences if each.end > now],
            left=[entry_view(each, now) for each in left],
            values={name: values.get(name, "") for name in _ABSENCE_FIELDS},
            **_errors(errors, *_ABSENCE_FIELDS),
            back=diary_address(adviser=adviser.adviser),
            hours=_hours_address(adviser.adviser),
        )

    async def _change_absences(self, session: StaffSession, given: _Fields) -> Answer:
        adviser = _named(advisers := await self._admin.diaries(), given.get("adviser", ""))
        if adviser is None:
            return self._no_adviser()
        address = _absences_address(adviser.adviser)
        if "remove" in given:
            if await self._admin.remove_absence(whole_number(given["remove"]), who=session.name):
                return redirect(f"{address}&done=removed")
            return await self._absence_page(advisers, adviser, {}, message=NO_ABSENCE, status=422)
        found = await self._admin.add_absence(adviser, given, who=session.name)
        if isinstance(found, dict):
            return await self._absence_page(advisers, adviser, given, errors=found, status=422)
        return redirect(f"{address}&done=added&taken={len(found.taken_over)}&left={len(found.left)}")

    async def _hand_over(self, _session: StaffSession, given: _Fields) -> Answer:
        adviser = _named(await self._admin.diaries(), given.get("adviser", ""))
        if adviser is None:
            return self._no_adviser()
        taken, left = await self._admin.hand_over(adviser.adviser)
        return redirect(f"{_absences_address(adviser.adviser)}&done=handed&taken={taken}&left={left}")

    # calendar feeds

    async def _feed(self, session: StaffSession, parameters: _Fields) -> Answer:
        message = Message(title="The address is ended", tone="good") if parameters.get("done") == "ended" else None
        adviser = _named(await self._admin.diaries(), session.name)
        return self._feed_page(has_feed=bool(adviser and adviser.has_feed), message=message)

    def _feed_page(self, *, has_feed: bool, address: str = "", message: Message | None = None) -> Answer:
        return self._pages.answer("diary_feed", "Your calendar", message=message, has_feed=has_feed, address=address)

    async def _change_feed(self, session: StaffSession, given: _Fields) -> Answer:
        if given.get("act") == "end":
            await self._admin.revoke_feed(session.name)
            return redirect(f"{routes.STAFF_FEED}?done=ended")
        token = await self._admin.make_feed(session.name)
        return self._feed_page(has_feed=True, address=f"{self._site_url}{routes.diary_feed(token)}")

    async def _feed_file(self, scope: Scope) -> Answer:
        token = _FEED_PATH.fullmatch(scope["path"])
        try:
            file = await self._admin.feed(token[1]) if token else None
        except StorageError:
            return plain_text(503, "The calendar cannot be read just now. Please try again in a minute.")
        if file is None:
            return UNKNOWN_FEED
        headers = {"content-type": "text/calendar; charset=utf-8", "cache-control": "no-store"}
        return Answer(status=200, headers=headers, body=file)

    def _no_adviser(self) -> Answer:
        return self._pages.problem(TITLE, NO_ADVISER, status=404, link=_BACK)

    def _no_appointment(self) -> Answer:
        return self._pages.problem(TITLE, NO_APPOINTMENT, status=404, link=_BACK)


def _errors(errors: Mapping[str, str] | None, *fields: str) -> dict[str, object]:
    """Return the values of a template with the problem of each field, and under the empty name that of all."""
    found = dict(errors or {})
    return {"errors": {name: found.get(name, "") for name in ("", *fields)}, "has_errors": any(found.values())}


def _named(advisers: Sequence[Adviser], name: str) -> Adviser | None:
    return next((each for each in advisers if each.adviser == name), None)


def _choice(each: Adviser, current: Adviser, href: str) -> Choice:
    return Choice(words=each.adviser, href=href, is_current=each.adviser == current.adviser)


def _with(entry: DiaryEntry, each: Adviser, monday: date, current: Adviser | None) -> Choice:
    href = _move_address(entry, each, monday)
    return Choice(words=each.adviser, href=href, is_current=current is not None and each.adviser == current.adviser)


def _move_address(entry: DiaryEntry, adviser: Adviser | None, monday: date) -> str:
    parameters = {
        "number": str(entry.appointment.id),
        "week": monday.isoformat(),
        "with": adviser.adviser if adviser else "",
    }
    return f"{routes.with_query(routes.STAFF_APPOINTMENT, parameters)}#move"


def _book_for(reference: str, given: _Fields) -> str:
    """Return the address that books for a case, from the day and with the adviser of a form."""
    begin = {FROM: given.get(START_DAY, ""), **given}
    return routes.with_query(routes.STAFF_BOOK, {"reference": reference, **_filled(begin, ADVISER, FROM, START_DAY)})


def _filled(given: _Fields, *names: str) -> dict[str, str]:
    return {name: given[name] for name in names if given.get(name)}


def _book_address(case: Bookable, adviser: str, kept: _Fields) -> str:
    parameters = {"reference": case.reference, ADVISER: adviser, **kept}
    return f"{routes.with_query(routes.STAFF_BOOK, parameters)}#{PLACE}"


def _hours_address(adviser: str) -> str:
    return routes.with_query(routes.STAFF_HOURS, {"adviser": adviser})


def _absences_address(adviser: str) -> str:
    return routes.with_query(routes.STAFF_ABSENCES, {"adviser": adviser})


def _outcomes(state: AppointmentState) -> tuple[tuple[str, str], ...]:
    """Return the outcomes that an appointment may get once it has begun, each with the words of its button."""
    words = {
        AppointmentState.HELD: "It was held",
        AppointmentState.MISSED: "Did not come",
        AppointmentState.BOOKED: "Neither yet",
    }
    if state is AppointmentState.CANCELLED:
        return ()
    return tuple((each.value, label) for each, label in words.items() if each is not state)


def _day(text: str, otherwise: date) -> date:
    """Return the day of an address, another one for a text that is none or far away."""
    day = parse_day(text)
    return day if day and day.year in _YEARS else otherwise
