"""Tables of the firm's figures, computed from frames of rows; weeks begin on Monday in UK time."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Any, TypeAlias

import pandas as pd

from broker.analytics.counted import Counted
from broker.analytics.table import MIN_SHOWN
from broker.cases.case import Outcome
from broker.clock import UK, uk_date, uk_midnight
from broker.enquiries.working_time import WorkingWeek

Frame: TypeAlias = Any
Series: TypeAlias = Any
"""Those of pandas, whose own annotations leave open which of the two an index returns."""

ALL = "*"
"""The row or column of totals."""

CALLS, MEDIAN, NINE_OF_TEN, KEPT, BROKEN = "calls", "median", "nine_of_ten", "kept", "broken"
OFFERED, BOOKED, HELD, MISSED = "offered", "booked", "held", "missed"
CASES, WATCHES, LOANS = "cases", "watches", "loans"
COUNT, SHARE = "count", "share"
"""Columns of the tables."""

WEEK, SOURCE, PAGE, SERVICE, ADVISER = "week", "source", "page", "service", "adviser"
"""What may be counted by: the Monday of the week, and what a case has."""

KIND = "kind"
"""The column of what is counted, such as the outcome of a call."""

ENQUIRIES, APPOINTMENTS, APPLICATIONS, COMPLETIONS = "enquiries", "appointments", "applications", "completions"
"""Steps of the funnel that are counted from cases; the values of `VISITOR_STEPS` come before them."""

VISITOR_STEPS = (
    *(Counted.SEARCH, Counted.PLAN_ANSWERED),
    *(Counted.QUESTIONNAIRE_STARTED, Counted.QUESTIONNAIRE_FINISHED),
)
"""Steps of the funnel that are counts of visitors, of whom small ones are not shown."""

MONTHS_AHEAD = 12
"""Months of the table of deal ends, from the present one."""

_WEEK = timedelta(weeks=1)

OF_CASE = (SOURCE, PAGE, SERVICE, ADVISER)

_FIRST_TIMES = ("created", "call_by", "first_call_at")

_OF_ADVISERS = ("cases", "outcomes", "stages", "appointments", "slots")
"""Frames whose rows belong to an adviser each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Frames:
    """Rows as frames; times are in UTC, and nothing in them is personal data. `merged` makes them of what is read.

    `cases`: number, created, source, page, service, adviser, call_by, first_call_at, stage, stage_since, amount in
    pounds, deal_ends, is_open, and merged_into, the number of the case that they are a part of. `outcomes`: number, at,
    adviser who recorded it, outcome. `stages`: number, at, stage reached. `appointments`: number, adviser, created,
    starts, state. Those three have source, page, service and adviser of their case too, as far as they have none of
    their own. `slots`: adviser, starts. `counts`: day, kind, count. `watches`: deal_ends, the first day of a month.
    `advisers` are the names that may be chosen. An empty adviser is nobody.
    """

    cases: Frame
    outcomes: Frame
    stages: Frame
    appointments: Frame
    slots: Frame
    counts: Frame
    watches: Frame
    advisers: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Period:
    """The last weeks up to a moment, the present week included."""

    weeks: int
    now: datetime

    @property
    def last(self) -> date:
        """Return the Monday of the present week."""
        today = uk_date(self.now)
        return today - timedelta(days=today.weekday())

    @property
    def mondays(self) -> list[date]:
        """Return the Mondays, oldest first."""
        return [self.last - _WEEK * ago for ago in range(self.weeks - 1, -1, -1)]

    @property
    def start(self) -> datetime:
        return uk_midnight(self.mondays[0])

    @property
    def whole(self) -> "Period":
        """Return the weeks that are over."""
        return Period(weeks=self.weeks - 1, now=uk_midnight(self.last) - timedelta(seconds=1))


def merged(read: Frames) -> Frames:
    """Return frames in which what belongs to a merged case belongs to the one that it was merged into.

    That one came in, was promised a call, and was called, when the first of both was. A case that staff entered for
    somebody who telephoned, which is to be called at once, was promised none.
    Whoever has done something may be chosen beside the advisers that were read, who may have cases.
    """
    cases = read.cases
    parts = cases.dropna(subset="merged_into")
    kept_of = dict(zip(parts["number"], parts["merged_into"].astype(int), strict=True))
    known = cases.set_index("number")

    def home(rows: Frame) -> Series:
        return rows["number"].map(lambda each: kept_of.get(each, each))

    cases = cases.assign(call_by=cases["call_by"].where(cases["call_by"] > cases["created"]))
    first = cases.groupby(home(cases))[[*_FIRST_TIMES]].transform("min")
    cases = cases.assign(**first.where(cases["merged_into"].isna(), cases[[*_FIRST_TIMES]]))

    def with_case(rows: Frame) -> Frame:
        number = home(rows)
        own = {name: number.map(known[name]) for name in OF_CASE if name not in rows}
        return rows.assign(number=number, **own)

    outcomes, stages, appointments = map(with_case, (read.outcomes, read.stages, read.appointments))
    names = [name for rows in (cases, outcomes, appointments, read.slots) for name in rows["adviser"].unique()]
    advisers = tuple(sorted({*names, *read.advisers} - {""}))
    return replace(read, cases=cases, outcomes=outcomes, stages=stages, appointments=appointments, advisers=advisers)


def of_adviser(frames: Frames, adviser: str) -> Frames:
    """Return the frames of one adviser; what belongs to no adviser, such as counts of visitors, is left out."""
    own = {name: (rows := getattr(frames, name))[rows["adviser"] == adviser] for name in _OF_ADVISERS}
    return replace(frames, **own, counts=frames.counts.iloc[:0], watches=frames.watches.iloc[:0])


def received(frames: Frames, period: Period) -> Frame:
    """Return the cases that came in during a period; two enquiries that were merged are one."""
    return _within(_whole(frames.cases), "created", period)


def doubles(frames: Frames, period: Period) -> Frame:
    """Return the enquiries of a period that were merged into another."""
    return _within(frames.cases.dropna(subset="merged_into"), "created", period)


def enquiries(frames: Frames, period: Period) -> Frame:
    """Return the enquiries of a period as rows to be counted."""
    return _in_weeks(received(frames, period), "created")


def outcomes(frames: Frames, period: Period) -> Frame:
    """Return the outcomes of a period as rows to be counted: each once for a case, with who recorded it last."""
    found = _within(frames.outcomes, "at", period).sort_values("at").drop_duplicates(["number", "outcome"], keep="last")
    return _in_weeks(found.rename(columns={"outcome": KIND}), "at")


def stages(frames: Frames, period: Period) -> Frame:
    """Return the stages that cases first reached in a period as rows to be counted."""
    first = frames.stages.sort_values("at", kind="stable").drop_duplicates(["number", "stage"])
    return _in_weeks(_within(first, "at", period).rename(columns={"stage": KIND}), "at")


def slots(frames: Frames, period: Period) -> Frame:
    """Return slots offered, and appointments booked, held and missed, as rows to be counted by the week they start in.

    A slot belongs to an adviser alone; an appointment is one row as booked, and one more as held or missed.
    """
    booked = frames.appointments[frames.appointments["state"] != "cancelled"]
    kinds = {OFFERED: frames.slots, BOOKED: booked}
    kinds |= {state: booked[booked["state"] == state] for state in (HELD, MISSED)}
    rows = pd.concat([rows.assign(**{KIND: kind}) for kind, rows in kinds.items()], ignore_index=True)
    return _in_weeks(_within(rows, "starts", period), "starts")


def counted(rows: Frame, down: str, across: str, period: Period, *, kinds: Sequence[str] = ()) -> Frame:
    """Count rows by two of their columns, with `ALL` last in both.

    Weeks and `kinds` are in their order, other values from the most frequent to the rarest. A row that lacks one of the
    two is not counted.
    """
    table = pd.crosstab(rows[down], rows[across]).astype(int)

    def ordered(totals: Series, name: str) -> list[Any]:
        frequent = totals.sort_values(ascending=False, kind="stable").index
        known = {WEEK: period.mondays, KIND: [kind for kind in kinds if kind in frequent]}.get(name)
        return known or [*frequent]

    table = table.reindex(index=ordered(table.sum(axis=1), down), columns=ordered(table.sum(), across), fill_value=0)
    table = table.assign(**{ALL: table.sum(axis=1)}).rename_axis(index=None, columns=None)
    return pd.concat([table, table.sum().to_frame(ALL).T])


def working_minutes(starts: Series, ends: Series, week: WorkingWeek) -> Series:
    """Return the minutes of open hours between times in UTC; missing where either time is."""
    begins, finishes = _uk(starts), _uk(ends)
    both = pd.concat([begins, finishes]).dropna()
    if both.empty:
        return pd.Series(float("nan"), index=starts.index)
    first, last = both.min().date(), both.max().date()
    days = pd.date_range(first, last)
    hours = [week.open_hours(day.date()) for day in days]
    opens = pd.Series([each.opens.hour * 60 + each.opens.minute if each else 0 for each in hours], index=days)
    closes = pd.Series([each.closes.hour * 60 + each.closes.minute if each else 0 for each in hours], index=days)
    before = (closes - opens).cumsum().shift(fill_value=0)

    def open_minutes(times: Series) -> Series:
        day = times.dt.tz_localize(None).dt.normalize()
        of_day = times.dt.hour * 60 + times.dt.minute + times.dt.second / 60
        begun = day.map(opens)
        return day.map(before) + of_day.clip(lower=begun, upper=day.map(closes)) - begun

    return (open_minutes(finishes) - open_minutes(begins)).clip(lower=0)


def first_calls(frames: Frames, period: Period, week: WorkingWeek) -> Frame:
    """Return the promised calls of a period's enquiries: minutes, is_kept, and what they may be counted by.

    `minutes` are the open minutes to the first call, missing before it. `is_kept` is missing while a promise can still
    be kept.
    """
    cases = enquiries(frames, period).dropna(subset="call_by")
    called, late = cases["first_call_at"], cases["call_by"] < pd.Timestamp(period.now)
    kept = (called <= cases["call_by"]).astype("boolean").mask(called.isna() & ~late)
    return cases[[WEEK, *OF_CASE]].assign(minutes=working_minutes(cases["created"], called, week), is_kept=kept)


def measured(calls: Frame, by: str, period: Period) -> Frame:
    """Return the measures of promised calls by week or by those with most calls first, and of `ALL` last."""
    found = _measures(calls, calls[by])
    if by == WEEK:
        found = found.reindex(period.mondays)
    else:
        found = found[(found[CALLS] > 0) | (found[BROKEN] > 0)].sort_values(CALLS, ascending=False, kind="stable")
    return pd.concat([found, _measures(calls, pd.Series(ALL, index=calls.index)).reindex([ALL])])


def shown_total(counts: Frame, kind: Counted, period: Period) -> int | None:
    """Return how often visitors did something in the whole weeks of a period; None for a number that is not shown.

    Only weeks of MIN_SHOWN and more are summed, so neither a total nor the difference between the totals of two periods
    or two days tells a smaller count. The present week waits until it is whole, for the same reason.
    """
    rows = counts[counts["kind"] == kind.value]
    weeks = rows.groupby(_week_days(rows["day"]))["count"].sum().reindex(period.mondays[:-1], fill_value=0)
    large = weeks[weeks >= MIN_SHOWN]
    return None if large.empty and weeks.any() else int(large.sum())


def funnel(frames: Frames, period: Period) -> Frame:
    """Return the steps from a search to a completion in whole weeks: count, and a share.

    The share of a step of visitors is of the step before, that of the steps after an enquiry is of enquiries. A count
    of visitors that is not shown is missing, and so are the shares that it would give away.
    """
    whole = period.whole
    outcomes = _within(frames.outcomes, "at", whole).drop_duplicates(["number", "outcome"])["outcome"]
    booked = _within(frames.appointments, "created", whole)
    steps: dict[str, int | None] = {}
    if not frames.counts.empty:
        steps = {kind.value: shown_total(frames.counts, kind, period) for kind in VISITOR_STEPS}
    after = {
        APPOINTMENTS: booked["number"].nunique(),
        APPLICATIONS: int((outcomes == Outcome.APPLICATION).sum()),
        COMPLETIONS: int((outcomes == Outcome.COMPLETED).sum()),
    }
    enquiries = len(received(frames, whole))
    count = pd.Series({**steps, ENQUIRIES: enquiries, **after}, dtype="Float64")
    base = count.shift().mask(count.index.isin([*after]), enquiries)
    # an enquiry may come from any step of visitors, or from none
    share = (count / base.where(base > 0)).mask(count.index == ENQUIRIES)
    return pd.DataFrame({COUNT: count.astype("Int64"), SHARE: share})


def deal_ends(frames: Frames, period: Period) -> Frame:
    """Count deals that end in each month from the present one on: cases, watches, and loans of the cases.

    Watches are those of visitors: fewer than MIN_SHOWN are missing.
    """
    today = uk_date(period.now)
    months = pd.period_range(today, periods=MONTHS_AHEAD, freq="M")
    cases = _whole(frames.cases).dropna(subset="deal_ends")
    month = _months_of(cases["deal_ends"])
    watches = _months_of(frames.watches["deal_ends"]).value_counts().reindex(months, fill_value=0).astype("Int64")
    return pd.DataFrame(
        {
            CASES: month.value_counts().reindex(months, fill_value=0).astype(int),
            WATCHES: watches.mask((watches > 0) & (watches < MIN_SHOWN)),
            LOANS: cases["amount"].fillna(0).groupby(month).sum().reindex(months, fill_value=0).astype(int),
        }
    )


def _measures(calls: Frame, by: Series) -> Frame:
    groups = calls.groupby(by)
    minutes, kept = groups["minutes"], groups["is_kept"]
    return pd.DataFrame(
        {
            CALLS: minutes.count(),
            MEDIAN: minutes.median(),
            # the least number of minutes within which nine of ten were called
            NINE_OF_TEN: minutes.quantile(0.9, interpolation="higher"),
            KEPT: kept.mean().astype("Float64"),
            BROKEN: kept.count() - kept.sum().astype(int),
        }
    ).rename_axis(index=None)


def _whole(cases: Frame) -> Frame:
    """Return the cases that are no part of another one."""
    return cases[cases["merged_into"].isna()]


def _within(rows: Frame, column: str, period: Period) -> Frame:
    times = rows[column]
    return rows[(times >= pd.Timestamp(period.start)) & (times <= _end(column, period))]


def _end(column: str, period: Period) -> Any:
    """Return the end of a period: appointments may begin later in the present week."""
    return pd.Timestamp(uk_midnight(period.last + _WEEK) if column == "starts" else period.now)


def _in_weeks(rows: Frame, column: str) -> Frame:
    """Return rows with the Monday of a time."""
    return rows.assign(**{WEEK: _week_days(_uk(rows[column]).dt.tz_localize(None))})


def _uk(times: Series) -> Series:
    return pd.to_datetime(times, utc=True).dt.tz_convert(UK)


def _week_days(days: Series) -> Series:
    """Return the Monday of each day, as dates."""
    found = pd.to_datetime(days).dt.normalize()
    return (found - pd.to_timedelta(found.dt.day_of_week, unit="D")).dt.date


def _months_of(days: Series) -> Series:
    return pd.to_datetime(days).dt.to_period("M")
