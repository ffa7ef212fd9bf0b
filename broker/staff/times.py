"""Short dates and times for staff, in UK time, with `today` and `yesterday`."""

from dataclasses import dataclass
from datetime import datetime

from broker.clock import UK


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
    words = moment_words(at, now)
    return words[0].upper() + words[1:]


def promise_words(call_by: datetime, now: datetime) -> str:
    """Return the time of a promised call: `today before 12:00`."""
    return f"{day_words(call_by, now)} before {clock(call_by)}"
