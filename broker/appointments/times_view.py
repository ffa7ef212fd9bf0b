"""The free times of a form in words: days of UK time with their times, and the addresses of other times."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from itertools import groupby

from broker.appointments.appointment import LENGTHS, Medium, Slot
from broker.clock import UK, uk_date
from broker.enquiries.summary import uk_clock
from broker.enquiries.working_time import NOON
from broker.routes import with_query

MINUTES, BY, FROM = "minutes", "by", "from"
"""Parameters of a page with times: the length, the medium, and the first day shown, `2026-12-14`."""

PLACE = "call-times"
"""Id of the element in a form that the times are filled into."""

PARAMETERS = (MINUTES, BY, FROM)

MAX_DAYS = 10
"""Days shown at once; a link leads to later ones."""

MEDIA = {Medium.TELEPHONE: "Telephone", Medium.VIDEO: "Video"}
CALLS = {Medium.TELEPHONE: "telephone call", Medium.VIDEO: "video call"}


@dataclass(frozen=True, slots=True, kw_only=True)
class WantedTimes:
    """What times to show: those of a length in minutes and a medium, from the day `first` on, None for all."""

    minutes: int = LENGTHS[0]
    medium: Medium = Medium.TELEPHONE
    first: date | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeChoice:
    """A time: the value of its radio button, and its words."""

    value: str
    words: str
    is_chosen: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class DayPart:
    name: str
    times: tuple[TimeChoice, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Day:
    """A day with its times, which are shown where it `is_open`; `identity` is unique in the page."""

    identity: str
    name: str
    count: str
    parts: tuple[DayPart, ...]
    is_open: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """A length or medium: the address of the page with its times."""

    words: str
    address: str
    is_current: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownTimes:
    """The times of a form whose radio buttons have a `name`.

    `problem` is why a chosen time was refused, and `nearest` the free times nearest to it. `earlier` and `later` are
    addresses of other days, empty for none.
    """

    name: str
    lengths: tuple[Option, ...]
    media: tuple[Option, ...]
    days: tuple[Day, ...]
    earlier: str
    later: str
    call: str
    nearest: tuple[TimeChoice, ...] = ()
    problem: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TimesPage:
    """The page of a form with times: its path, the parameters of its address, and how it writes a time of day."""

    path: str
    parameters: Mapping[str, str] = field(default_factory=dict)
    clock: Callable[[datetime], str] = uk_clock


def wanted_times(parameters: Mapping[str, str]) -> WantedTimes:
    """Return the times of an address; a parameter that is none of ours is left out."""
    usual = WantedTimes()
    minutes, medium = parameters.get(MINUTES, ""), parameters.get(BY, "")
    return WantedTimes(
        minutes=next((each for each in LENGTHS if str(each) == minutes), usual.minutes),
        medium=next((each for each in Medium if each == medium), usual.medium),
        first=_day_in(parameters.get(FROM, "")),
    )


def shown_times(
    slots: Sequence[Slot],
    wanted: WantedTimes,
    *,
    page: TimesPage,
    name: str,
    today: date,
    media: Sequence[Medium] = tuple(Medium),
    chosen: Slot | None = None,
    nearest: Sequence[Slot] = (),
    problem: str = "",
) -> ShownTimes:
    """Return free slots, which are sorted, by day; the day of a `chosen` one is among those shown, and open.

    `media` are those to choose from.
    """
    by_day = [(day, tuple(each)) for day, each in groupby(slots, key=_day_of)]
    first = _first_shown([day for day, _ in by_day], wanted.first, chosen if chosen in slots else None)
    shown = by_day[first : first + MAX_DAYS]
    opened = _day_of(chosen) if chosen in slots and chosen else shown[0][0] if shown else today
    return ShownTimes(
        name=name,
        lengths=tuple(_length(each, wanted, page) for each in LENGTHS),
        media=tuple(_medium(each, wanted, page) for each in media),
        days=tuple(_day(day, times, page, today=today, chosen=chosen, is_open=day == opened) for day, times in shown),
        earlier=_address(page, wanted, first=by_day[max(0, first - MAX_DAYS)][0]) if first else "",
        later=_address(page, wanted, first=by_day[first + MAX_DAYS][0]) if len(by_day) > first + MAX_DAYS else "",
        call=f"{wanted.minutes}-minute {CALLS[wanted.medium]}",
        nearest=tuple(_near(each, page) for each in nearest),
        problem=problem,
    )


def day_name(day: date, today: date) -> str:
    """Return a day in words: `Tomorrow, Saturday 28 November`."""
    near = {today: "Today, ", today + timedelta(days=1): "Tomorrow, "}.get(day, "")
    return f"{near}{day:%A %-d %B}"


def _day_in(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _day_of(slot: Slot) -> date:
    return uk_date(slot.start)


def _first_shown(days: Sequence[date], first: date | None, chosen: Slot | None) -> int:
    """Return the place of the first day shown: that of a chosen time where it would be left out."""
    place = next((at for at, day in enumerate(days) if first and day >= first), 0)
    held = days.index(_day_of(chosen)) if chosen else place
    return place if place <= held < place + MAX_DAYS else held


def _day(day: date, slots: Sequence[Slot], page: TimesPage, *, today: date, chosen: Slot | None, is_open: bool) -> Day:
    parts = {"Morning": [each for each in slots if _local(each).time() < NOON]}
    parts["Afternoon"] = [each for each in slots if each not in parts["Morning"]]
    return Day(
        identity=f"times-{day}",
        name=day_name(day, today),
        count=f"{len(slots)} {'time' if len(slots) == 1 else 'times'}",
        parts=tuple(
            DayPart(name=name, times=tuple(_choice(each, chosen, page) for each in times))
            for name, times in parts.items()
            if times
        ),
        is_open=is_open,
    )


def _choice(slot: Slot, chosen: Slot | None, page: TimesPage) -> TimeChoice:
    return TimeChoice(value=slot.value, words=page.clock(slot.start), is_chosen=slot == chosen)


def _near(slot: Slot, page: TimesPage) -> TimeChoice:
    return TimeChoice(value=slot.value, words=f"{page.clock(slot.start)} on {_day_of(slot):%A %-d %B}")


def _local(slot: Slot) -> datetime:
    return slot.start.astimezone(UK)


def _length(minutes: int, wanted: WantedTimes, page: TimesPage) -> Option:
    other = WantedTimes(minutes=minutes, medium=wanted.medium)
    return Option(
        words=f"{minutes} minutes",
        address=_address(page, other, first=wanted.first),
        is_current=minutes == wanted.minutes,
    )


def _medium(medium: Medium, wanted: WantedTimes, page: TimesPage) -> Option:
    other = WantedTimes(minutes=wanted.minutes, medium=medium)
    return Option(
        words=MEDIA[medium], address=_address(page, other, first=wanted.first), is_current=medium == wanted.medium
    )


def _address(page: TimesPage, wanted: WantedTimes, *, first: date | None) -> str:
    """Return the address of the page with these times, and with the other parameters that it has."""
    own = {MINUTES: str(wanted.minutes), BY: str(wanted.medium), **({FROM: first.isoformat()} if first else {})}
    kept = {name: text for name, text in page.parameters.items() if name not in PARAMETERS}
    return f"{with_query(page.path, kept | own)}#{PLACE}"
