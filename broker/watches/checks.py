"""What is due of a watch: given the day, the figures of its plan, and what was found and told before.

Each tell is told once, by at most `MAX_MAILS` mails in `WINDOW`, whatever the clock does. A tell of prices needs the
same finding in two readings of the market, `MIN_APART` apart: a source may send a wrong list for once.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta

from broker.lending.days import day_number, months_earlier
from broker.watches.watch import PRICE_TELLS, Tell, Watch

MAX_MAILS, WINDOW = 2, timedelta(days=31)
"""Mails with news in any 31 days, so that no month has more."""

MIN_APART = timedelta(minutes=1)
"""The shortest time between two readings of the market."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """What was found and told: when each tell was told, and when the market was read that first showed it.

    `since` is the day from which dates count: those that had passed when the watch began are no news. `mailed` are the
    times of the latest mails, the oldest first.
    """

    since: date
    told: Mapping[Tell, datetime] = field(default_factory=dict)
    found: Mapping[Tell, datetime] = field(default_factory=dict)
    mailed: tuple[datetime, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Prices:
    """What the market that was read at a time says of a watch: pounds and percent, None for what it does not say.

    `saving` is that of switching now, `lowest` the lowest rate of a deal of the watch's kind from another lender.
    """

    read_at: datetime
    saving: float | None = None
    lowest: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What to tell now, nothing if empty, and the record to store: as it was, or with a finding more or less."""

    tells: tuple[Tell, ...]
    record: Record


def decide(watch: Watch, record: Record, *, opens: int, now: datetime, prices: Prices | None = None) -> Decision:
    """Return what is due; `opens` is the day, as a number, from which the present lender lets the next deal be booked.

    Without `prices` no finding changes: the market was not read, or is a sample.
    """
    kept = _settled(record, now)
    if prices:
        kept = _with_findings(watch, kept, prices)
    today = now.date()
    if watch.deal_end < today or len([at for at in kept.mailed if at > now - WINDOW]) >= MAX_MAILS:
        return Decision(tells=(), record=kept)
    ready = {
        tell for tell in PRICE_TELLS if prices and tell in kept.found and prices.read_at - kept.found[tell] >= MIN_APART
    }
    due = ready | _dates_due(watch, kept, opens=opens, today=today)
    wanted = tuple(tell for tell in Tell if tell in due and tell in watch.tells and tell not in kept.told)
    return Decision(tells=wanted, record=kept)


def with_told(record: Record, tells: tuple[Tell, ...], now: datetime) -> Record:
    """Return the record once a mail has told some tells."""
    found = {tell: at for tell, at in record.found.items() if tell not in tells}
    mailed = (*record.mailed, now)[-MAX_MAILS:]
    return replace(record, told={**record.told, **dict.fromkeys(tells, now)}, found=found, mailed=mailed)


def without_findings(record: Record, tells: tuple[Tell, ...]) -> Record:
    """Return the record where a closer look did not confirm some tells."""
    return replace(record, found={tell: at for tell, at in record.found.items() if tell not in tells})


def changed(record: Record, before: Watch, after: Watch, *, today: date) -> Record:
    """Return the record of a watch that its owner has changed: what was told of other figures may be told again."""
    again = {tell for tell in Tell if _subject(before, tell) != _subject(after, tell)}
    dates = _subject(before, Tell.WINDOW) != _subject(after, Tell.WINDOW)
    return replace(
        record,
        since=today if dates else record.since,
        told={tell: at for tell, at in record.told.items() if tell not in again},
        found={},
    )


def holds(watch: Watch, tell: Tell, prices: Prices) -> bool:
    """Return whether the market shows what an owner wants to be told of prices."""
    if tell is Tell.SAVING:
        return prices.saving is not None and prices.saving >= watch.saving_over
    if prices.lowest is None:
        return False
    return prices.lowest <= watch.rate_below if tell is Tell.RATE else prices.lowest < watch.applied_rate


def _subject(watch: Watch, tell: Tell) -> tuple[object, ...]:
    """Return what a tell is about."""
    if tell is Tell.SAVING:
        return (watch.saving_over, watch.deal_end)
    if tell is Tell.RATE:
        return (watch.rate_below, watch.kind)
    if tell is Tell.FELL:
        return (watch.applied_rate, watch.kind)
    return (watch.deal_end, watch.lender_id) if tell is Tell.WINDOW else (watch.deal_end,)


def _settled(record: Record, now: datetime) -> Record:
    """Return the record with now in place of times that lie ahead: the clock was ahead when they were stored."""
    if all(at <= now for at in (*record.mailed, *record.told.values(), *record.found.values())):
        return record
    return replace(
        record,
        told={tell: min(at, now) for tell, at in record.told.items()},
        found={tell: min(at, now) for tell, at in record.found.items()},
        mailed=tuple(min(at, now) for at in record.mailed),
    )


def _with_findings(watch: Watch, record: Record, prices: Prices) -> Record:
    """Return the record with the findings of a reading; those of tells that no longer hold are forgotten."""
    found = dict(record.found)
    for tell in PRICE_TELLS:
        if tell in watch.tells and tell not in record.told and holds(watch, tell, prices):
            found.setdefault(tell, prices.read_at)
        else:
            found.pop(tell, None)
    return record if found == record.found else replace(record, found=found)


def _dates_due(watch: Watch, record: Record, *, opens: int, today: date) -> set[Tell]:
    """Return the tells of dates that have come since the watch began, and are not yet old news."""
    end, day = day_number(watch.deal_end), day_number(today)
    three_months, one_month = months_earlier(end, 3), months_earlier(end, 1)
    spans = {Tell.WINDOW: (opens, end), Tell.THREE_MONTHS: (three_months, one_month), Tell.ONE_MONTH: (one_month, end)}
    since = day_number(record.since)
    return {tell for tell, (first, last) in spans.items() if since <= first <= day < last}
