"""View of the diary of advisers: a table of times by day, and one appointment."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from itertools import pairwise

from broker import routes
from broker.appointments.appointment import Appointment, AppointmentState, Medium, Slot
from broker.clock import UK, uk_date
from broker.staff.audit import VISITOR
from broker.staff.diary_workflow import DiaryDay, DiaryEntry, FreeDay
from broker.staff.times import clock, day_words, moment_words

HOUR, DAY = 60, 24 * 60
"""Minutes."""

WEEK = timedelta(days=7)

STEP = 5
"""Minutes to which the table is exact: hours and slots begin and end on them."""

DEFAULT_HOURS = (9 * HOUR, 17 * HOUR)
"""Minutes of a day between which a diary without hours and appointments is drawn."""

FREE, PAST, AWAY, CLOSED, HOLIDAY, BUSY = "free", "past", "away", "closed", "holiday", "busy"
"""Kinds of a stretch of a day: working hours to come and gone, absence, no working hours, and appointments."""

_KIND_WORDS = {FREE: "Free", PAST: "Nothing", AWAY: "Away", CLOSED: "No hours", HOLIDAY: "Bank holiday"}

MEDIA = {Medium.TELEPHONE: "telephone", Medium.VIDEO: "video"}

STATES = {
    AppointmentState.BOOKED: ("Booked", ""),
    AppointmentState.CANCELLED: ("Cancelled", "plain"),
    AppointmentState.MISSED: ("Did not come", "bad"),
    AppointmentState.HELD: ("Held", "good"),
}
"""Words and look of each state."""

UNREADABLE = "Name not readable"
"""Name of a visitor whose details no key decrypts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryView:
    """An appointment in the diary; `tag` says its state unless it is to come, `enquiry` is the enquiry's address."""

    day: str
    time: str
    until: str
    minutes: int
    medium: str
    name: str
    reference: str
    href: str
    enquiry: str
    tag: str = ""
    tone: str = ""
    is_past: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """A part of a day between two of its minutes, with one kind; `words` say it, with its end. `is_now` begins now."""

    start: int
    end: int
    kind: str
    words: str = ""
    entries: tuple[EntryView, ...] = ()
    is_now: bool = False

    @property
    def time(self) -> str:
        return minute_words(self.start)


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A day of an adviser: heads of table and list, and its stretches in order."""

    title: str
    heading: str
    href: str
    summary: str
    is_today: bool
    stretches: tuple[Stretch, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """A cell of the table; only the first cell of a stretch has its words."""

    rows: int
    kind: str
    words: str = ""
    entries: tuple[EntryView, ...] = ()
    is_on_hour: bool = False
    is_now: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A row of the table, as high as `fives` of minutes, at most twelve; `hour` heads the rows of an hour."""

    fives: int
    cells: tuple[Cell, ...]
    hour: str = ""
    hour_rows: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A link to another week, day, adviser or view."""

    words: str
    href: str
    is_current: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class DiaryView:
    """A week of an adviser, or a day of one or all; `cancelled` are what was cancelled in it."""

    heading: str
    caption: str
    nav: tuple[Choice, ...]
    advisers: tuple[Choice, ...]
    views: tuple[Choice, ...]
    grid: Grid
    cancelled: tuple[EntryView, ...]
    adviser: str = ""


def week_view(days: Sequence[DiaryDay], advisers: Sequence[str], *, now: datetime) -> DiaryView:
    """Return the week of an adviser from a Monday; of its weekend today, and days with hours or appointments."""
    monday, adviser, today = days[0].day, days[0].adviser, uk_date(now)
    working = [each for each in days if each.day.weekday() < 5 or each.hours or each.entries or each.day == today]
    heading = week_words(monday, working[-1].day)
    this_week = today - timedelta(days=today.weekday())
    day = today if this_week == monday else monday
    every = Choice(words="All, by day", href=diary_address(day=day))
    return DiaryView(
        heading=heading,
        caption=f"{adviser}, {heading}",
        nav=(
            Choice(words="Week before", href=diary_address(adviser=adviser, week=monday - WEEK)),
            Choice(words="This week", href=diary_address(adviser=adviser), is_current=this_week == monday),
            Choice(words="Week after", href=diary_address(adviser=adviser, week=monday + WEEK)),
        ),
        advisers=(*(_adviser(each, adviser, week=monday) for each in advisers), every),
        views=(
            Choice(words="Day", href=diary_address(adviser=adviser, day=day)),
            Choice(words="Week", href=diary_address(adviser=adviser, week=monday), is_current=True),
        ),
        grid=grid(working, by_adviser=False, now=now),
        cancelled=_cancelled(days, now),
        adviser=adviser,
    )


def day_view(days: Sequence[DiaryDay], advisers: Sequence[str], *, adviser: str, now: datetime) -> DiaryView:
    """Return a day of an adviser, or side by side of all where `adviser` is empty."""
    day, today = days[0].day, uk_date(now)
    heading, one = long_day(day), timedelta(days=1)
    every = Choice(words="All", href=diary_address(day=day), is_current=not adviser)
    return DiaryView(
        heading=heading,
        caption=f"{adviser or 'All advisers'}, {heading}",
        nav=(
            Choice(words="Day before", href=diary_address(adviser=adviser, day=day - one)),
            Choice(words="Today", href=diary_address(adviser=adviser, day=today), is_current=day == today),
            Choice(words="Day after", href=diary_address(adviser=adviser, day=day + one)),
        ),
        advisers=(*(_adviser(each, adviser, day=day) for each in advisers), every),
        views=(
            Choice(words="Day", href=diary_address(adviser=adviser, day=day), is_current=True),
            Choice(words="Week", href=diary_address(adviser=adviser, week=day)),
        ),
        grid=grid(days, by_adviser=not adviser, now=now),
        cancelled=_cancelled(days, now),
        adviser=adviser,
    )


def _adviser(name: str, current: str, *, week: date | None = None, day: date | None = None) -> Choice:
    return Choice(words=name, href=diary_address(adviser=name, week=week, day=day), is_current=name == current)


def _cancelled(days: Sequence[DiaryDay], now: datetime) -> tuple[EntryView, ...]:
    entries = (each for day in days for each in day.entries)
    return tuple(entry_view(each, now) for each in entries if each.appointment.state is AppointmentState.CANCELLED)


def entry_view(entry: DiaryEntry, now: datetime, *, is_uncovered: bool = False) -> EntryView:
    """Return an appointment; `is_uncovered` if its adviser is absent then."""
    slot, state = entry.appointment.slot, entry.appointment.state
    is_now = state is AppointmentState.BOOKED and slot.start <= now < slot.end
    is_open = state is AppointmentState.BOOKED and slot.end <= now
    is_ahead = state is AppointmentState.BOOKED and now < slot.start
    if is_ahead:
        tag, tone = ("Adviser away", "bad") if is_uncovered else ("", "")
    else:
        tag, tone = ("Now", "") if is_now else ("To record", "lamp") if is_open else STATES[state]
    return EntryView(
        day=capital(day_words(slot.start, now)),
        time=clock(slot.start),
        until=clock(slot.end),
        minutes=slot.minutes,
        medium=MEDIA[slot.medium],
        name=entry.name or UNREADABLE,
        reference=entry.appointment.reference,
        href=routes.staff_appointment(entry.appointment.id),
        enquiry=routes.staff_enquiry(entry.appointment.reference),
        tag=tag,
        tone=tone,
        is_past=slot.end <= now,
    )


def grid(days: Sequence[DiaryDay], *, by_adviser: bool, now: datetime) -> Grid:
    """Return the table of days of one adviser, or of advisers on one day (`by_adviser`)."""
    first, last = _bounds(days)
    columns = tuple(_column(each, first, last, by_adviser=by_adviser, now=now) for each in days)
    return Grid(columns=columns, rows=tuple(_rows(columns, first, last)))


def minute_words(minute: int) -> str:
    """Return a minute of a day: `09:40`."""
    return f"{minute // HOUR:02}:{minute % HOUR:02}"


def week_words(first: date, last: date) -> str:
    """Return the days of a week: `23 to 27 November 2026`, `30 November to 4 December 2026`."""
    if first.year != last.year:
        return f"{first:%-d %B %Y} to {last:%-d %B %Y}"
    return f"{first:%-d %B} to {last:%-d %B %Y}" if first.month != last.month else f"{first:%-d} to {last:%-d %B %Y}"


def long_day(day: date) -> str:
    return f"{day:%A %-d %B %Y}"


def span_words(start: datetime, end: datetime, now: datetime) -> str:
    """Return an absence: `Friday 27 November, 13:20 to 17:00`, or two days with their times where it lasts longer.

    A whole day has no times.
    """
    first, last = start.astimezone(UK), end.astimezone(UK)
    final = last - timedelta(microseconds=1)
    begins, ends = capital(day_words(start, now)), day_words(final, now)
    is_whole = first.time() == last.time() == datetime.min.time()
    if first.date() == final.date():
        return begins if is_whole else f"{begins}, {first:%H:%M} to {_end_clock(last)}"
    return f"{begins} to {ends}" if is_whole else f"{begins}, {first:%H:%M}, to {ends}, {_end_clock(last)}"


def _end_clock(last: datetime) -> str:
    return "24:00" if last.time() == datetime.min.time() else f"{last:%H:%M}"


def capital(words: str) -> str:
    return words[0].upper() + words[1:]


def _column(day: DiaryDay, first: int, last: int, *, by_adviser: bool, now: datetime) -> Column:
    booked = len(day.shown)
    parts = (f"{booked} booked" if booked else "", f"{day.free} free" if day.free else "")
    is_today = day.day == uk_date(now)
    return Column(
        title=day.adviser if by_adviser else f"{day.day:%a %-d}",
        heading=day.adviser if by_adviser else f"{day.day:%A %-d %B}",
        href=diary_address(adviser=day.adviser, week=day.day) if by_adviser else diary_address(day=day.day),
        summary=", ".join(filter(None, parts)),
        is_today=is_today and not by_adviser,
        stretches=tuple(_stretches(day, first, last, now)),
    )


def diary_address(*, adviser: str = "", week: date | None = None, day: date | None = None) -> str:
    """Return the address of a week or of a day; without an adviser of all, by day."""
    parameters = {"week": week.isoformat() if week else "", "day": day.isoformat() if day else "", "adviser": adviser}
    return routes.with_query(routes.STAFF_DIARY, {name: value for name, value in parameters.items() if value})


def _bounds(days: Sequence[DiaryDay]) -> tuple[int, int]:
    """Return the full hours between which every range and appointment lies, as minutes."""
    ends = [_on_day(day.day, at) for day in days for each in day.shown for at in _times(each)]
    ends += [_minute(at) for day in days for span in day.hours for at in (span.opens, span.closes)]
    first, last = (min(ends), max(ends)) if ends else DEFAULT_HOURS
    return first - first % HOUR, min(DAY, last + -last % HOUR)


def _times(entry: DiaryEntry) -> tuple[datetime, datetime]:
    return entry.appointment.slot.start, entry.appointment.slot.end


def _minute(at: time | datetime) -> int:
    return at.hour * HOUR + at.minute


def _on_day(day: date, at: datetime) -> int:
    """Return the minute of a day in UK time that a moment has, its first or last for one of another day."""
    local = at.astimezone(UK)
    return _minute(local) if local.date() == day else 0 if local.date() < day else DAY


def _stretches(day: DiaryDay, first: int, last: int, now: datetime) -> Iterator[Stretch]:
    at = first
    for start, end, group in _groups(day):
        yield from _unbooked(day, at, start, last=last, now=now)
        views = tuple(entry_view(each, now, is_uncovered=_is_uncovered(each, day)) for each in group)
        yield Stretch(start=start, end=end, kind=BUSY, entries=views)
        at = end
    yield from _unbooked(day, at, last, last=last, now=now)


def _groups(day: DiaryDay) -> Iterator[tuple[int, int, list[DiaryEntry]]]:
    """Group appointments that overlap in wall time, as the hour that a clock change repeats may have."""
    group: list[DiaryEntry] = []
    begin = until = 0
    for entry in sorted(day.shown, key=lambda each: each.appointment.slot.start):
        start, _ = (_on_day(day.day, at) for at in _times(entry))
        end = min(DAY, start + entry.appointment.slot.minutes)
        start, end = start - start % STEP, end + -end % STEP
        if group and start >= until:
            yield begin, until, group
            group = []
        begin, until = (min(begin, start), max(until, end)) if group else (start, end)
        group = [*group, entry]
    if group:
        yield begin, until, group


def _is_uncovered(entry: DiaryEntry, day: DiaryDay) -> bool:
    start, end = _times(entry)
    return any(each.start < end and start < each.end for each in day.absences)


def _unbooked(day: DiaryDay, start: int, end: int, *, last: int, now: datetime) -> Iterator[Stretch]:
    """Return the stretches without appointments between two minutes; neighbours of a kind are one."""
    if start >= end:
        return
    absences = [(_on_day(day.day, each.start), _on_day(day.day, each.end)) for each in day.absences]
    hours = [(_minute(each.opens), _minute(each.closes)) for each in day.hours]
    passed = _on_day(day.day, now)
    cuts = {start, end, passed - passed % STEP, *(at for span in (*absences, *hours) for at in span)}
    found: list[tuple[int, int, str]] = []
    for begin, until in pairwise(sorted(at for at in cuts if start <= at <= end)):
        in_hours = any(opens <= begin < closes for opens, closes in hours)
        is_away = any(away <= begin < back for away, back in absences)
        working = AWAY if is_away else PAST if until <= passed else FREE
        kind = HOLIDAY if day.is_holiday else working if in_hours or is_away else CLOSED
        is_same = bool(found) and found[-1][2] == kind
        found.append((found.pop()[0] if is_same else begin, until, kind))
    for begin, until, kind in found:
        is_now = begin == passed - passed % STEP > 0
        yield Stretch(start=begin, end=until, kind=kind, words=_words(kind, until, last), is_now=is_now)


def _words(kind: str, end: int, last: int) -> str:
    """Return a stretch in words, with its end unless nobody works after it."""
    is_open = kind == HOLIDAY or (kind in (AWAY, CLOSED) and end == last)
    return _KIND_WORDS[kind] if is_open else f"{_KIND_WORDS[kind]} until {minute_words(end)}"


def _rows(columns: Sequence[Column], first: int, last: int) -> Iterator[Row]:
    """Return the rows: one begins where a cell of any column does, and at every hour."""
    cells = [_pieces(column) for column in columns]
    cuts = sorted({*range(first, last + 1, HOUR), *(piece.start for column in cells for piece in column)})
    for begin, end in pairwise(cuts):
        starting = (piece for column in cells for piece in column if piece.start == begin)
        is_hour = begin % HOUR == 0
        yield Row(
            fives=(end - begin) // STEP,
            cells=tuple(_cell(piece, cuts) for piece in starting),
            hour=minute_words(begin) if is_hour else "",
            hour_rows=sum(begin <= at < begin + HOUR for at in cuts[:-1]) if is_hour else 0,
        )


def _pieces(column: Column) -> list[Stretch]:
    """Return the stretches of a column, those without appointments cut at the hours."""
    pieces: list[Stretch] = []
    for each in column.stretches:
        if each.kind == BUSY:
            pieces.append(each)
            continue
        cuts = [each.start, *range(each.start - each.start % HOUR + HOUR, each.end, HOUR), each.end]
        for begin, until in pairwise(cuts):
            words = each.words if begin == each.start else ""
            is_now = each.is_now and begin == each.start
            pieces.append(Stretch(start=begin, end=until, kind=each.kind, words=words, is_now=is_now))
    return pieces


def _cell(piece: Stretch, cuts: Sequence[int]) -> Cell:
    rows = sum(piece.start <= at < piece.end for at in cuts)
    is_on_hour = piece.start % HOUR == 0
    return Cell(
        rows=rows, kind=piece.kind, words=piece.words, entries=piece.entries, is_on_hour=is_on_hour, is_now=piece.is_now
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class SlotView:
    value: str
    time: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FreeDayView:
    heading: str
    slots: tuple[SlotView, ...]


def free_days(days: Sequence[FreeDay]) -> tuple[FreeDayView, ...]:
    """Return the days with the times to which an appointment can be moved."""
    return tuple(
        FreeDayView(
            heading=f"{each.day:%A %-d %B}",
            slots=tuple(SlotView(value=slot.value, time=clock(slot.start)) for slot in each.slots),
        )
        for each in days
    )


def slot_words(slot: Slot, now: datetime) -> str:
    """Return a slot in full: `Friday 27 November, 10:40 to 11:20, 40 minutes by video`."""
    day = capital(day_words(slot.start, now))
    return f"{day}, {clock(slot.start)} to {clock(slot.end)}, {slot.minutes} minutes by {MEDIA[slot.medium]}"


def appointment_words(appointment: Appointment, now: datetime) -> str:
    """Return an appointment in full with its state, as an enquiry's page shows it."""
    words, _ = STATES[appointment.state]
    return f"{words}: {slot_words(appointment.slot, now)}, with {appointment.adviser}"


def meanwhile_words(appointment: Appointment, *, who: str, now: datetime) -> str:
    """Return what an appointment is by now and who changed it last, for staff whose change came second."""
    by = appointment.changed_by
    name = "You" if by == who else "The visitor" if by == VISITOR else by or "Nobody"
    changed = f"{name} changed it {moment_words(appointment.changed_at, now)}. " if appointment.changed_at else ""
    return f"{changed}{appointment_words(appointment, now)}."


def coverage_words(taken_over: int, left: int) -> str:
    """Return how many appointments colleagues took over, and how many are left."""
    if not taken_over and not left:
        return "No appointment falls in it."
    taken = f"{_count(taken_over)} passed on to colleagues who are free then" if taken_over else "No colleague is free"
    return f"{taken}; {left} left to move or cancel." if left else f"{taken}."


def _count(number: int) -> str:
    return "1 appointment is" if number == 1 else f"{number} appointments are"
