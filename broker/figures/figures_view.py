"""The figures as staff see them: six of them in large, and tables with their charts; the files have the same tables."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Any

import pandas as pd

from broker.cases.case import Stage
from broker.clock import UK
from broker.enquiries.working_time import WorkingWeek
from broker.figures.figures import (
    ALL,
    BOOKED,
    BROKEN,
    CALLS,
    CASES,
    COUNT,
    KEPT,
    LOANS,
    MEDIAN,
    NINE_OF_TEN,
    OFFERED,
    SHARE,
    WATCHES,
    Frame,
    Frames,
    Period,
    calls_by_adviser,
    calls_by_week,
    deal_ends,
    enquiries_by_week,
    first_calls,
    funnel,
    outcomes_by_adviser,
    slots_by_week,
    stages_by_week,
    start_of,
)
from broker.lending.money import pounds

PERIODS: Mapping[int, str] = {4: "Last 4 weeks", 13: "Last 13 weeks", 26: "Last 26 weeks", 52: "Last 52 weeks"}
DEFAULT_WEEKS = 13
"""The periods that may be chosen, in weeks with the present one."""

MAX_TONES = 5
"""Colours of a chart; what has no colour of its own has the last one."""

FEW = "too few to show"
"""A count of visitors that is not shown."""

_HEIGHT, _CALLS_HEIGHT = 150, 160
"""Pixels of the highest column of a chart."""

_MOST_OVER = 2.5
"""The promise is drawn in a chart that it makes at most so many times as high."""

_MAX_VALUES = 6
"""Columns of a table of values, without that of all."""

_LENDER_STAGES = ("application", "valuation", "offer", "exchange")
_LONG_IN_STAGE = timedelta(days=14)

_WORDS = {
    "": "Nobody",
    ALL: "All",
    "principle": "In principle",
    "rates search": "Searches of rates",
    "plan with figures": "Plans made",
    "questionnaire: started": "Questionnaires begun",
    "questionnaire: finished": "Questionnaires finished",
}
_SPOKEN_BY = {"source": "source", "service": "service", "adviser": "adviser"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Stat:
    """A figure in large; `change` is how it differs, with a tone: up for better, dn for worse."""

    label: str
    figure: str
    change: str = ""
    tone: str = ""
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    words: str
    tone: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A part of a column; `height` in CSS."""

    height: str
    tone: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A column of a chart over its label of one or two lines; parts are from the top down."""

    label: str
    under: str
    figure: str
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """A horizontal bar; `width` in CSS."""

    label: str
    figure: str
    width: str
    tone: str = "c1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """A chart of columns or of bars; `line` is the CSS height of a line across the columns, with its words."""

    legend: tuple[Key, ...] = ()
    columns: tuple[Column, ...] = ()
    bars: tuple[Bar, ...] = ()
    line: str = ""
    line_words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FigureTable:
    """A table by its name in addresses: raw cells in `frame`, whose columns are heads, and how a column is written.

    The first column names the row. With `has_total` the last row is the total. `missing` is what a column without a
    value says.
    """

    name: str
    title: str
    note: str
    frame: Frame
    formats: Mapping[str, Callable[[Any], str]] = field(default_factory=dict)
    missing: Mapping[str, str] = field(default_factory=dict)
    has_total: bool = False
    chart: Chart = Chart()

    def cell(self, head: str, value: Any) -> str:
        if pd.isna(value):
            return self.missing.get(head, "")
        if head in self.formats:
            return self.formats[head](value)
        return f"{value:,}" if isinstance(value, int) else str(value)

    @property
    def rows(self) -> tuple[tuple[str, ...], ...]:
        """Return the rows in words."""
        return tuple(
            tuple(self.cell(head, value) for head, value in zip(self.frame.columns, row, strict=True))
            for row in self.frame.astype(object).itertuples(index=False)
        )


def words_of(value: str) -> str:
    """Return an enumerated value in words: `first-home` is `First home`; a name of an account stays."""
    return _WORDS.get(value, "") or value.replace("-", " ").capitalize()


def _head(name: str, *, is_name: bool) -> str:
    """Return a value in words, or the name of an account as it is."""
    return name if is_name and name not in ("", ALL) else words_of(name)


def figure_tables(frames: Frames, period: Period, week: WorkingWeek) -> tuple[FigureTable, ...]:
    """Return all tables in the order of the page."""
    calls = first_calls(frames, period, week)
    return (
        *(_enquiries(frames, period, column) for column in _SPOKEN_BY),
        _calls(calls, period, week),
        _outcomes(frames, period),
        _funnel(frames, period),
        _deal_ends(frames, period),
        _calls_of_weeks(calls, period),
        _stages(frames, period),
        _slots(frames, period),
    )


def stats(frames: Frames, period: Period, week: WorkingWeek) -> tuple[Stat, ...]:
    """Return the six figures of the day; the present week is compared with the last one up to the same time."""
    this = Period(weeks=1, now=period.now)
    last = Period(weeks=1, now=period.now - timedelta(weeks=1))
    calls, before = (first_calls(frames, each, week) for each in (this, last))
    return (
        _enquiries_stat(frames, this, last),
        _median_stat(calls["minutes"].median(), before["minutes"].median()),
        _kept_stat(calls),
        _appointments_stat(frames, period.now),
        _applications_stat(frames, period.now),
        _completions_stat(frames, period.now),
    )


def _enquiries_stat(frames: Frames, this: Period, last: Period) -> Stat:
    now, then = (int(enquiries_by_week(frames, each, "source")[ALL].sum()) for each in (this, last))
    change = "" if now == then else f"{abs(now - then):,} {'more' if now > then else 'fewer'}"
    words = "than last week by now" if change else "as many as last week by now"
    return Stat(label="Enquiries this week", figure=f"{now:,}", change=change, tone=_tone(now - then), words=words)


def _median_stat(now: float, then: float) -> Stat:
    label = "To first call, median"
    if pd.isna(now):
        return Stat(label=label, figure="–", words="nobody called yet this week")
    quicker = 0 if pd.isna(then) else round(then - now)
    change = f"{_minutes(abs(quicker))} {'quicker' if quicker > 0 else 'slower'}" if quicker else ""
    words = "than last week" if change else "of working time"
    return Stat(label=label, figure=_minutes(now), change=change, tone=_tone(quicker), words=words)


def _kept_stat(calls: Frame) -> Stat:
    kept = calls["is_kept"].dropna()
    broken = int((~kept.astype(bool)).sum())
    words = f"{broken:,} broken of {len(kept):,} this week"
    return Stat(label="Promises kept", figure=_percent(kept.mean()) if len(kept) else "–", words=words)


def _appointments_stat(frames: Frames, now: datetime) -> Stat:
    end = pd.Timestamp(now + timedelta(days=7))
    booked = frames.appointments[frames.appointments["state"] == "booked"]
    coming, slots = (
        rows[(rows["starts"] > pd.Timestamp(now)) & (rows["starts"] <= end)] for rows in (booked, frames.slots)
    )
    words = f"in 7 days, which have {len(slots):,} slots"
    return Stat(label="Appointments to come", figure=f"{len(coming):,}", words=words)


def _applications_stat(frames: Frames, now: datetime) -> Stat:
    cases = frames.cases[frames.cases["merged_into"].isna() & frames.cases["is_open"]]
    found = cases[cases["stage"].isin(_LENDER_STAGES)]
    waiting = int((found["stage_since"] < pd.Timestamp(now - _LONG_IN_STAGE)).sum())
    words = f"{_millions(found['amount'].fillna(0).sum())}, {waiting:,} over {_LONG_IN_STAGE.days} days in a stage"
    return Stat(label="Open applications", figure=f"{len(found):,}", words=words)


def _completions_stat(frames: Frames, now: datetime) -> Stat:
    today = now.astimezone(UK).date()
    first = today.replace(day=1)
    before = (first - timedelta(days=1)).replace(day=1)
    done = frames.outcomes[frames.outcomes["outcome"] == "completed"]
    this, last = (
        done[(done["at"] >= pd.Timestamp(start_of(start))) & (done["at"] < pd.Timestamp(end))].drop_duplicates("number")
        for start, end in ((first, now + timedelta(seconds=1)), (before, start_of(first)))
    )
    amounts = frames.cases.set_index("number")["amount"].reindex(this["number"]).fillna(0)
    words = f"{_millions(amounts.sum())}; {len(last):,} in {before:%B}"
    return Stat(label=f"Completions, {today:%B}", figure=f"{len(this):,}", words=words)


def _enquiries(frames: Frames, period: Period, column: str) -> FigureTable:
    table = enquiries_by_week(frames, period, column)
    return FigureTable(
        name=f"enquiries-by-{_SPOKEN_BY[column]}",
        title=f"Enquiries by week and {_SPOKEN_BY[column]}",
        note=f"weeks begin on Monday; this week to {period.now.astimezone(UK):%A %H:%M}",
        frame=_weekly(table, is_name=column == "adviser"),
        has_total=True,
        chart=_stacked(table, is_name=column == "adviser"),
    )


def _calls(calls: Frame, period: Period, week: WorkingWeek) -> FigureTable:
    by_week, promised = calls_by_week(calls, period), _working_day(week)
    heads = {"adviser": "Adviser", CALLS: "First calls", MEDIAN: "Median", NINE_OF_TEN: "9 of 10 in"}
    heads |= {KEPT: "Kept", BROKEN: "Broken"}
    table = calls_by_adviser(calls)
    table.insert(0, "adviser", [_head(name, is_name=True) for name in table.index])
    return FigureTable(
        name="first-calls",
        title="Time to first call, against the promise",
        note=f"median working minutes; promised: one working day, {promised:,} working minutes",
        frame=table[list(heads)].rename(columns=heads),
        formats={"Median": _minutes, "9 of 10 in": _minutes, "Kept": _percent},
        has_total=not table.empty,
        chart=_medians(by_week[MEDIAN], promised),
    )


def _calls_of_weeks(calls: Frame, period: Period) -> FigureTable:
    heads = {CALLS: "First calls", MEDIAN: "Median", NINE_OF_TEN: "9 of 10 in", KEPT: "Kept", BROKEN: "Broken"}
    table = calls_by_week(calls, period).rename(columns=heads).iloc[::-1]
    table.insert(0, "Week of", [_day(monday) for monday in table.index])
    return FigureTable(
        name="first-calls-by-week",
        title="Time to first call by week",
        note="of the enquiries of each week",
        frame=table.astype({"First calls": "Int64", "Broken": "Int64"}),
        formats={"Median": _minutes, "9 of 10 in": _minutes, "Kept": _percent},
    )


def _outcomes(frames: Frames, period: Period) -> FigureTable:
    table = outcomes_by_adviser(frames, period)
    most = int(table[ALL].max()) if len(table) else 0
    bars = tuple(
        Bar(label=words_of(outcome), figure=f"{total:,}", width=_share(total, most))
        for outcome, total in table[ALL].items()
    )
    table = table.rename(columns={ALL: "All"})
    table.insert(0, "Outcome", [words_of(outcome) for outcome in table.index])
    return FigureTable(
        name="outcomes",
        title="Outcomes",
        note="each once a case, by who recorded it last",
        frame=table,
        chart=Chart(bars=bars),
    )


def _funnel(frames: Frames, period: Period) -> FigureTable:
    table = funnel(frames, period)
    most = table[COUNT].max() ** 0.5 if table[COUNT].any() else 0
    bars = tuple(
        Bar(
            label=words_of(step),
            figure=FEW if pd.isna(count) else f"{count:,}",
            width=_share(0 if pd.isna(count) else count**0.5, most),
            tone="c2" if place >= len(table) - 4 else "c1",
        )
        for place, (step, count) in enumerate(table[COUNT].items())
    )
    heads = {"step": "Step", COUNT: "Count", SHARE: "Share"}
    table.insert(0, "step", [words_of(step) for step in table.index])
    merged = int(frames.cases["merged_into"].notna().sum())
    last = period.last - timedelta(days=1)
    note = f"{period.weeks - 1} whole weeks to {_day(last)}; shares of the step before, then of enquiries"
    return FigureTable(
        name="funnel",
        title="From search to completion",
        note=f"{note}; {merged:,} doubles merged" if merged else note,
        frame=table[list(heads)].rename(columns=heads),
        formats={"Share": _percent},
        missing={"Count": FEW},
        chart=Chart(bars=bars),
    )


def _deal_ends(frames: Frames, period: Period) -> FigureTable:
    table = deal_ends(frames, period)
    shown = table[[CASES, WATCHES]].fillna(0).astype(int)
    both = shown.sum(axis=1)
    chart = Chart(
        legend=(Key(words="Our cases", tone="c1"), Key(words="Watches", tone="c2")),
        columns=tuple(
            Column(
                label=f"{month:%b}",
                under="",
                figure=f"{both[month]:,}",
                parts=_parts([(row[CASES], "c1"), (row[WATCHES], "c2")], both.max()),
            )
            for month, row in shown.iterrows()
        ),
    )
    heads = {CASES: "Our cases", WATCHES: "Watches", "both": "Both", LOANS: "Loans of ours"}
    total = table.sum().to_frame("12 months").T.astype("Int64")
    frame: Frame = pd.concat(
        [table.rename(lambda month: f"{month:%b %Y}"), total.mask(total.eq(0) & table.isna().any())]
    )
    frame = frame.assign(both=frame[CASES] + frame[WATCHES])[list(heads)].rename(columns=heads)
    frame.insert(0, "Month", frame.index)
    return FigureTable(
        name="deal-ends",
        title="Deal ends by month",
        note="next 12 months: our cases, and watches that agreed to a call, fewer than 5 in no sum",
        frame=frame,
        formats={"Loans of ours": _millions},
        missing={"Watches": FEW, "Both": FEW},
        has_total=True,
        chart=chart,
    )


def _stages(frames: Frames, period: Period) -> FigureTable:
    table = stages_by_week(frames, period)
    table = table[[*(stage.value for stage in Stage if stage in table), ALL]]
    return FigureTable(
        name="stages",
        title="Stages by week",
        note="cases that first reached each stage in a week",
        frame=_weekly(table),
        has_total=True,
    )


def _slots(frames: Frames, period: Period) -> FigureTable:
    table = slots_by_week(frames, period)
    booked = table[BOOKED] / table[OFFERED].where(table[OFFERED] > 0)
    frame = table.iloc[::-1].rename(columns=str.capitalize)
    frame.insert(0, "Week of", [_day(monday) for monday in frame.index])
    frame = _with_total(frame, f"{period.weeks} weeks")
    total = table[BOOKED].sum() / table[OFFERED].sum() if table[OFFERED].sum() else None
    frame["Share booked"] = pd.Series([*booked.iloc[::-1], total], dtype="Float64").to_numpy()
    return FigureTable(
        name="slots",
        title="Slots of the diary",
        note="by the present hours of advisers; held and missed as recorded",
        frame=frame,
        formats={"Share booked": _percent},
        has_total=True,
    )


def _weekly(table: Frame, *, is_name: bool = False) -> Frame:
    """Return counts by week with heads, the present week first, and a row of totals; the rarest values are one."""
    shown = _folded(table)
    heads = {name: _head(name, is_name=is_name) for name in shown.columns}
    frame = shown.iloc[::-1].rename(columns=heads)
    frame.insert(0, "Week of", [_day(monday) for monday in frame.index])
    return _with_total(frame, f"{len(table)} weeks")


def _folded(table: Frame) -> Frame:
    """Return a table of counts in which the rarest of too many columns are one."""
    names = [name for name in table.columns if name != ALL]
    rare = names[_MAX_VALUES - 1 :] if len(names) > _MAX_VALUES else []
    if not rare:
        return table
    others = table[rare].sum(axis=1)
    return table[[name for name in names if name not in rare]].assign(**{"the others": others, ALL: table[ALL]})


def _with_total(frame: Frame, words: str) -> Frame:
    total = frame.iloc[:, 1:].sum()
    row = pd.DataFrame([[words, *total]], columns=frame.columns)
    return pd.concat([frame, row], ignore_index=True)


def _stacked(table: Frame, *, is_name: bool) -> Chart:
    """Return a chart of counts by week; what has no colour of its own is one part."""
    names = [name for name in table.columns if name != ALL]
    own = names if len(names) <= MAX_TONES else names[: MAX_TONES - 1]
    keys = [Key(words=_head(name, is_name=is_name), tone=f"c{place + 1}") for place, name in enumerate(own)]
    if len(own) < len(names):
        keys.append(Key(words="The others", tone=f"c{MAX_TONES}"))
    highest = int(table[ALL].max()) if len(table) else 0

    def column(monday: date, row: Any) -> Column:
        counts = [(int(row[name]), f"c{place + 1}") for place, name in enumerate(own)]
        counts.append((int(row[ALL]) - sum(count for count, _ in counts), f"c{MAX_TONES}"))
        day, month = f"{monday:%-d}", f"{monday:%b}"
        return Column(label=day, under=month, figure=f"{row[ALL]:,}", parts=_parts(counts, highest))

    return Chart(legend=tuple(keys), columns=tuple(column(monday, row) for monday, row in table.iterrows()))


def _medians(medians: Any, promised: int) -> Chart:
    """Return a chart of median minutes by week, with the promise where it is not far above all of them."""
    most = 0 if pd.isna(medians.max()) else float(medians.max())
    is_drawn = 0 < promised <= most * _MOST_OVER
    highest = max(most, promised) if is_drawn else most
    columns = tuple(
        Column(
            label=f"{monday:%-d}",
            under=f"{monday:%b}",
            figure="" if pd.isna(minutes) else f"{minutes:.0f}",
            parts=() if pd.isna(minutes) else (Part(height=_pixels(minutes, highest, _CALLS_HEIGHT), tone="c1"),),
        )
        for monday, minutes in medians.items()
    )
    line = _pixels(promised, highest, _CALLS_HEIGHT) if is_drawn else ""
    return Chart(columns=columns, line=line, line_words=f"{promised:,}, promised" if is_drawn else "")


def _parts(counts: Sequence[tuple[int, str]], highest: int) -> tuple[Part, ...]:
    """Return the parts of a column from the top down; the first count is at its foot."""
    return tuple(
        Part(height=_pixels(count, highest, _HEIGHT), tone=tone) for count, tone in reversed(counts) if count > 0
    )


def _pixels(value: float, highest: float, height: int) -> str:
    return f"{value / highest * height:.0f}px" if highest else "0px"


def _share(value: float, most: float) -> str:
    return f"{value / most:.1%}" if most else "0%"


def _working_day(week: WorkingWeek) -> int:
    """Return the open minutes of the longest working day."""
    lengths = [
        (each.closes.hour - each.opens.hour) * 60 + each.closes.minute - each.opens.minute
        for each in week.hours.values()
    ]
    return max(lengths, default=0)


def _minutes(minutes: float) -> str:
    """Return minutes in words: `31 min`, from two hours on `2 h 10 min`."""
    whole = round(minutes)
    if whole < 120:
        return f"{whole} min"
    return f"{whole // 60} h {whole % 60} min" if whole % 60 else f"{whole // 60} h"


def _percent(share: float) -> str:
    return f"{share:.0%}"


def _millions(amount: float) -> str:
    """Return an amount as boards read it: `£4.3m`, below a million in whole pounds."""
    return f"£{amount / 1_000_000:.1f}m" if amount >= 1_000_000 else pounds(round(amount))


def _day(day: date) -> str:
    return f"{day:%-d %b}"


def _tone(better: float) -> str:
    return "up" if better > 0 else "dn" if better < 0 else ""
