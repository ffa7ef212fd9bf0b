"""Short dates and times for staff, in UK time, with `today` and `yesterday`."""

from dataclasses import dataclass
from datetime import datetime

from broker.clock import UK
from broker.lending.money import capitalised, counted


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    label: str
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """Facts under a tag; `tone` is the tag's look."""

    tag: str = ""
    tone: str = ""
    facts: tuple[Fact, ...] = ()


NOT_KNOWN = Standing()


_NEAR = {-1: "yesterday", 0: "today", 1: "tomorrow"}


def clock(at: datetime) -> str:
    """Return a time of day: `14:02`."""
    return f"{at.astimezone(UK):%H:%M}"


def day_words(at: datetime, now: datetime) -> str:
    """Return the day of a time: `today`, `Monday 23 November`, with the year of another year."""
    local, here = at.astimezone(UK), now.astimezone(UK)
    if near := _NEAR.get((local.date() - here.date()).days):
        return near
    return f"{local:%A %-d %B}" if local.year == here.year else f"{local:%A %-d %B %Y}"


def moment_words(at: datetime, now: datetime) -> str:
    """Return a past time: `today at 14:02`."""
    return f"{day_words(at, now)} at {clock(at)}"


def moment_fact(at: datetime, now: datetime) -> str:
    """Return a past time with a capital: `Today at 14:02`."""
    return capitalised(moment_words(at, now))


def short_day(at: datetime, now: datetime) -> str:
    """Return the day of a time in few letters: `24 Nov`, with the year of another year."""
    local = at.astimezone(UK)
    return f"{local:%-d %b}" if local.year == now.astimezone(UK).year else f"{local:%-d %b %Y}"


def due_words(at: datetime, now: datetime, *, capital: bool = False) -> str:
    """Return a time to come in few letters: `14:30` of today, `Fri 27, 10:30` within a week, `Thu 3 Dec`, `1 Mar 2027`.

    With `capital`, a time of today is `Today 14:30`.
    """
    local, here = at.astimezone(UK), now.astimezone(UK)
    days = (local.date() - here.date()).days
    if days == 0:
        return f"Today {local:%H:%M}" if capital else f"{local:%H:%M}"
    if abs(days) < 7 and local.month == here.month:
        return f"{local:%a %-d}, {local:%H:%M}"
    return f"{local:%a %-d %b}" if abs(days) < 180 else f"{local:%-d %b %Y}"


def due_moment(at: datetime, now: datetime, *, capital: bool = False) -> str:
    """Return a time to come as `due_words` does, always with the time of day: `Thu 3 Dec, 10:40`."""
    words = due_words(at, now, capital=capital)
    return words if words.endswith(clock(at)) else f"{words}, {clock(at)}"


def duration(minutes: float, *, day: int = 24 * 60) -> str:
    """Return a length of time in its two largest units: `31 min`, `2 h 10 min`, `3 days 4 h`.

    `day` is the length of a day in minutes, that of a working day for working time; without one hours go on.
    """
    whole = round(minutes)
    if not 0 < day <= whole:
        parts = [(whole // 60, "h"), (whole % 60, "min")]
    else:
        days, hours = whole // day, round(whole % day / 60)
        if hours * 60 >= day:
            days, hours = days + 1, 0
        parts = [(days, "day" if days == 1 else "days"), (hours, "h")]
    return " ".join(f"{count} {unit}" for count, unit in parts if count) or "0 min"


def due_badge(at: datetime, now: datetime) -> tuple[str, str]:
    """Return how late or how near a time is, `18 min late`, `in 12 min`, or empty; and the colour of its badge.

    Less than a minute is `late`, as in lists.
    """
    local, here = at.astimezone(UK), now.astimezone(UK)
    days, minutes = (here.date() - local.date()).days, int((now - at).total_seconds()) // 60
    if days > 0:
        return f"{counted(days, 'day')} late", "red"
    if at < now:
        return f"{duration(minutes)} late" if minutes else "late", "red"
    return (f"in {-minutes} min", "orange") if days == 0 and -minutes <= 60 else ("", "gray")


def moment_in(value: object) -> datetime | None:
    """Parse a time in ISO format with its zone, as a page sends it back; None for anything else."""
    try:
        at = datetime.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        return None
    return at if at and at.tzinfo else None


def uk_moment(day: str, time: str) -> datetime | None:
    """Return the time of a day (`2026-12-01`) and a UK wall clock (`10:40`); None for an invalid one."""
    try:
        return datetime.fromisoformat(f"{day}T{time}").replace(tzinfo=UK) if len(day) == 10 and len(time) == 5 else None
    except ValueError:
        return None
