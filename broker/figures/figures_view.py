"""The figures as staff see them: six of them in large, and tables with their charts; the files have the same tables."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from functools import partial
from typing import Any

import pandas as pd

from broker.analytics.counted import Counted
from broker.cases.case import Outcome, Stage
from broker.cases.words import OUTCOME_WORDS, SERVICE_WORDS, SOURCE_WORDS, STAGE_WORDS
from broker.clock import UK, uk_date, uk_midnight
from broker.enquiries.working_time import WorkingWeek
from broker.figures.figures import (
    ADVISER,
    ALL,
    BOOKED,
    BROKEN,
    CALLS,
    CASES,
    COUNT,
    ENQUIRIES,
    HELD,
    KEPT,
    KIND,
    LOANS,
    MEDIAN,
    MISSED,
    NINE_OF_TEN,
    OF_CASE,
    OFFERED,
    PAGE,
    SERVICE,
    SHARE,
    SOURCE,
    WATCHES,
    WEEK,
    Frame,
    Frames,
    Period,
    counted,
    deal_ends,
    doubles,
    enquiries,
    first_calls,
    funnel,
    measured,
    outcomes,
    received,
    slots,
    stages,
)
from broker.lending.money import pounds
from broker.staff.times import duration

PERIODS: Mapping[int, str] = {4: "Last 4 weeks", 13: "Last 13 weeks", 26: "Last 26 weeks", 52: "Last 52 weeks"}
DEFAULT_WEEKS = 13
"""The periods that may be chosen, in weeks with the present one."""

MAX_TONES = 5
"""Colours of a chart; what has no colour of its own has the last one."""

FEW = "too few to show"
"""A count of visitors that is not shown."""

_HEIGHT, _CALLS_HEIGHT = 150, 160
"""Pixels of the highest column of a chart."""

_MAX_TIMES = 13
"""Columns of a chart whose times are written over them; the table by week has those of more."""

_MINUTES = "minutes"

_MOST_OVER = 2.5
"""The promise is drawn in a chart that it makes at most so many times as high."""

_MAX_VALUES = 6
"""Values side by side on the page, without that of all; the files have every one."""

_MAX_BARS = len(Outcome)

_LENDER_STAGES = (Stage.APPLICATION, Stage.VALUATION, Stage.OFFER, Stage.EXCHANGE)
_LONG_IN_STAGE = timedelta(days=14)

_CALLS, _OUTCOMES, _STAGES, _SLOTS = "first-calls", "outcomes", "stages", "slots"

WAYS: Mapping[str, tuple[str, ...]] = {
    ENQUIRIES: OF_CASE,
    _CALLS: (ADVISER, WEEK, SOURCE, PAGE, SERVICE),
    _OUTCOMES: (ADVISER, WEEK, SOURCE, PAGE, SERVICE),
    _STAGES: (WEEK, *OF_CASE),
    _SLOTS: (WEEK, *OF_CASE),
}
"""What each measure may be counted by, the usual first; each way is a table. Enquiries are always by week as well."""

_ROW_HEADS = {WEEK: "Week of", KIND: "Kind", SOURCE: "Source", PAGE: "Page", SERVICE: "Service", ADVISER: "Adviser"}
_KINDS = {
    _OUTCOMES: ("Outcomes", "each once a case, by who recorded it last", ()),
    _STAGES: ("Stages", "cases that first reached each stage", tuple(Stage)),
    _SLOTS: (
        "Slots of the diary",
        "by the present hours of advisers; held and missed as recorded",
        (OFFERED, BOOKED, HELD, MISSED),
    ),
}
"""Title, note and the order of kinds, without which they are in that of their frequency."""

_FREE, _SHARE_BOOKED = "free", "share-booked"

_KIND_WORDS: Mapping[str, str] = {
    **STAGE_WORDS,
    **OUTCOME_WORDS,
    CALLS: "First calls",
    NINE_OF_TEN: "9 of 10 in",
    _SHARE_BOOKED: "Share booked",
    Counted.SEARCH: "Searches of rates",
    Counted.PLAN_ANSWERED: "Plans made",
    Counted.QUESTIONNAIRE_STARTED: "Questionnaires begun",
    Counted.QUESTIONNAIRE_FINISHED: "Questionnaires finished",
}
_WORDS: Mapping[str, Mapping[Any, str]] = {SOURCE: SOURCE_WORDS, SERVICE: SERVICE_WORDS, ADVISER: {"": "Nobody"}}


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

    `units` are those of columns whose raw cells have one. The first column names the row. With `has_total` the last row
    is the total. `missing` is what a column without a value says. `measure` and `by` are those of `WAYS`, empty for a
    table of its own. With `is_folded` the page shows the rarest of too many columns as one.
    """

    name: str
    title: str
    note: str
    frame: Frame
    formats: Mapping[str, Callable[[Any], str]] = field(default_factory=dict)
    units: Mapping[str, str] = field(default_factory=dict)
    missing: Mapping[str, str] = field(default_factory=dict)
    has_total: bool = False
    chart: Chart = Chart()
    measure: str = ""
    by: str = ""
    is_folded: bool = False

    @property
    def shown(self) -> Frame:
        """Return the frame of the page."""
        names, last = [*self.frame.columns[:-1]], self.frame.columns[-1]
        if not self.is_folded or len(names) <= 1 + _MAX_VALUES:
            return self.frame
        others = {"The others": self.frame[names[_MAX_VALUES:]].sum(axis=1), last: self.frame[last]}
        return self.frame[names[:_MAX_VALUES]].assign(**others)

    def cell(self, head: str, value: Any) -> str:
        if pd.isna(value):
            return self.missing.get(head, "")
        if head in self.formats:
            return self.formats[head](value)
        return f"{value:,}" if isinstance(value, int) else str(value)

    @property
    def rows(self) -> tuple[tuple[str, ...], ...]:
        """Return the rows in words."""
        shown = self.shown
        return tuple(
            tuple(self.cell(head, value) for head, value in zip(shown.columns, row, strict=True))
            for row in shown.astype(object).itertuples(index=False)
        )


def figure_tables(frames: Frames, period: Period, week: WorkingWeek) -> tuple[FigureTable, ...]:
    """Return all tables in the order of the page."""
    calls = first_calls(frames, period, week)
    rows = {_OUTCOMES: outcomes(frames, period), _STAGES: stages(frames, period), _SLOTS: slots(frames, period)}
    kinds = {each: [_kinds(each, found, by, period) for by in WAYS[each]] for each, found in rows.items()}
    return (
        *(_enquiries(enquiries(frames, period), by, period) for by in WAYS[ENQUIRIES]),
        *(_calls(calls, by, period, week) for by in WAYS[_CALLS]),
        *kinds[_OUTCOMES],
        _funnel(frames, period),
        _deal_ends(frames, period),
        *kinds[_STAGES],
        *kinds[_SLOTS],
    )


def stats(frames: Frames, period: Period, week: WorkingWeek) -> tuple[Stat, ...]:
    """Return the six figures of the day; the present week is compared with the last one up to the same time."""
    this = Period(weeks=1, now=period.now)
    last = Period(weeks=1, now=period.now - timedelta(weeks=1))
    calls, before = (first_calls(frames, each, week) for each in (this, last))
    return (
        _enquiries_stat(frames, this, last),
        _median_stat(calls["minutes"].median(), before["minutes"].median(), _working_day(week)),
        _kept_stat(calls),
        _appointments_stat(frames, period.now),
        _applications_stat(frames, period.now),
        _completions_stat(frames, period.now),
    )


def _enquiries_stat(frames: Frames, this: Period, last: Period) -> Stat:
    now, then = (len(received(frames, each)) for each in (this, last))
    change = "" if now == then else f"{abs(now - then):,} {'more' if now > then else 'fewer'}"
    words = "than last week by now" if change else "as many as last week by now"
    return Stat(label="Enquiries this week", figure=f"{now:,}", change=change, tone=_tone(now - then), words=words)


def _median_stat(now: float, then: float, day: int) -> Stat:
    label = "To first call, median"
    if pd.isna(now):
        return Stat(label=label, figure="–", words="nobody called yet this week")
    quicker = 0 if pd.isna(then) else round(then - now)
    change = f"{duration(abs(quicker), day=day)} {'quicker' if quicker > 0 else 'slower'}" if quicker else ""
    words = "than last week" if change else "of working time"
    return Stat(label=label, figure=duration(now, day=day), change=change, tone=_tone(quicker), words=words)


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
    today = uk_date(now)
    first = today.replace(day=1)
    before = (first - timedelta(days=1)).replace(day=1)
    done = frames.outcomes[frames.outcomes["outcome"] == Outcome.COMPLETED]
    this, last = (
        done[(done["at"] >= pd.Timestamp(start)) & (done["at"] < pd.Timestamp(end))].drop_duplicates("number")
        for start, end in ((uk_midnight(first), now + timedelta(seconds=1)), (uk_midnight(before), uk_midnight(first)))
    )
    amounts = frames.cases.set_index("number")["amount"].reindex(this["number"]).fillna(0)
    words = f"{_millions(amounts.sum())}; {len(last):,} in {before:%B}"
    return Stat(label=f"Completions, {today:%B}", figure=f"{len(this):,}", words=words)


def _enquiries(rows: Frame, by: str, period: Period) -> FigureTable:
    table = counted(rows, WEEK, by, period)
    return FigureTable(
        name=f"{ENQUIRIES}-by-{by}",
        title=f"Enquiries by week and {by}",
        note=f"weeks begin on Monday; this week to {period.now.astimezone(UK):%A %H:%M}",
        frame=_framed(table, WEEK, by, period),
        has_total=True,
        chart=_stacked(table, by),
        measure=ENQUIRIES,
        by=by,
        is_folded=True,
    )


def _calls(calls: Frame, by: str, period: Period, week: WorkingWeek) -> FigureTable:
    promised = _working_day(week)
    words = partial(duration, day=promised)
    medians = measured(calls, WEEK, period)[MEDIAN].drop(ALL)
    table = measured(calls, by, period).astype({CALLS: "Int64", BROKEN: "Int64"})
    return FigureTable(
        name=f"{_CALLS}-by-{by}",
        title=f"Time to first call, against the promise, by {by}",
        note=f"median working time, in the chart hours:minutes; promised: one working day, {duration(promised)}; "
        "where an appointment is booked, its time, which may be later",
        frame=_framed(table, by, KIND, period),
        formats={_kind(MEDIAN): words, _kind(NINE_OF_TEN): words, _kind(KEPT): _percent},
        units={_kind(MEDIAN): _MINUTES, _kind(NINE_OF_TEN): _MINUTES},
        has_total=True,
        chart=_medians(medians, promised),
        measure=_CALLS,
        by=by,
    )


def _kinds(measure: str, rows: Frame, by: str, period: Period) -> FigureTable:
    """Return the table of a measure that has kinds: its rows are weeks or pages, else they are the kinds."""
    title, note, kinds = _KINDS[measure]
    is_long = by in (WEEK, PAGE)
    down, across = (by, KIND) if is_long else (KIND, by)
    table = counted(rows, down, across, period, kinds=kinds)
    drawn = table
    if measure == _SLOTS and is_long:
        # a slot may be offered, booked and held: no sum of the three
        drawn, table = _taken(table), table.drop(columns=ALL)
    if measure == _SLOTS and by == WEEK and OFFERED in table:
        table[_SHARE_BOOKED] = (drawn[BOOKED] / table[OFFERED].replace(0, pd.NA)).astype("Float64")
    return FigureTable(
        name=f"{measure}-by-{by}",
        title=f"{title} by {by}",
        note=note,
        frame=_framed(table if is_long else table.drop(ALL), down, across, period),
        formats={_kind(_SHARE_BOOKED): _percent},
        has_total=is_long,
        chart=_stacked(drawn, across) if by == WEEK else _bars(drawn, down),
        measure=measure,
        by=by,
        is_folded=not is_long,
    )


def _taken(table: Frame) -> Frame:
    """Return booked slots and free ones, none where more are booked than offered."""
    counts = table.reindex(columns=[OFFERED, BOOKED], fill_value=0)
    free = (counts[OFFERED] - counts[BOOKED]).clip(lower=0)
    return pd.DataFrame({BOOKED: counts[BOOKED], _FREE: free, ALL: counts[BOOKED] + free})


def _funnel(frames: Frames, period: Period) -> FigureTable:
    table = funnel(frames, period)
    most = table[COUNT].max() ** 0.5 if table[COUNT].any() else 0
    bars = tuple(
        Bar(
            label=_kind(step),
            figure=FEW if pd.isna(count) else f"{count:,}",
            width=_share(0 if pd.isna(count) else count**0.5, most),
            tone="c2" if place >= len(table) - 4 else "c1",
        )
        for place, (step, count) in enumerate(table[COUNT].items())
    )
    heads = {"step": "Step", COUNT: "Count", SHARE: "Share"}
    table.insert(0, "step", [_kind(step) for step in table.index])
    merged = len(doubles(frames, period.whole))
    last = period.last - timedelta(days=1)
    note = f"{period.weeks - 1} whole weeks to {_day(last)}; shares of the step before, then of enquiries"
    return FigureTable(
        name="funnel",
        title="From search to completion",
        note=f"{note}; {merged:,} merged into others" if merged else note,
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


def _framed(table: Frame, down: str, across: str, period: Period) -> Frame:
    """Return a table in words with a column that names its rows, the present week first; that of `ALL` stays last."""
    ends = [ALL] if ALL in table.index else []
    rows = [name for name in table.index if name != ALL]
    frame = table.loc[[*(reversed(rows) if down == WEEK else rows), *ends]]
    frame = frame.rename(columns=lambda name: _word(name, across))
    names = [f"{period.weeks} weeks" if (down, name) == (WEEK, ALL) else _word(name, down) for name in frame.index]
    frame.insert(0, _ROW_HEADS[down], names)
    return frame


def _word(value: Any, by: str) -> str:
    """Return a value in words: the day of a week; names of accounts and paths of pages stay."""
    if value == ALL:
        return "All"
    if by in (WEEK, KIND):
        return _day(value) if by == WEEK else _kind(value)
    return _WORDS.get(by, {}).get(value, value)


def _kind(name: str) -> str:
    return _KIND_WORDS.get(name, name.capitalize())


def _stacked(table: Frame, across: str) -> Chart:
    """Return a chart of counts by week; the rarest of what has no colour of its own is one part."""
    weeks = table.drop(ALL)
    totals = table.loc[ALL].drop(ALL)
    common = totals.sort_values(ascending=False, kind="stable").index
    own = [name for name in totals.index if len(totals) <= MAX_TONES or name in common[: MAX_TONES - 1]]
    keys = [Key(words=_word(name, across), tone=f"c{place}") for place, name in enumerate(own, 1)]
    if len(own) < len(totals):
        keys.append(Key(words="The others", tone=f"c{MAX_TONES}"))
    highest = int(weeks[ALL].max())

    def column(monday: date, row: Any) -> Column:
        counts = [(int(row[name]), f"c{place}") for place, name in enumerate(own, 1)]
        counts.append((int(row[ALL]) - sum(count for count, _ in counts), f"c{MAX_TONES}"))
        day, month = f"{monday:%-d}", f"{monday:%b}"
        return Column(label=day, under=month, figure=f"{row[ALL]:,}", parts=_parts(counts, highest))

    return Chart(legend=tuple(keys), columns=tuple(column(monday, row) for monday, row in weeks.iterrows()))


def _bars(table: Frame, down: str) -> Chart:
    """Return bars of the totals of rows."""
    totals = table[ALL].drop(ALL)[:_MAX_BARS]
    bars = (Bar(label=_word(name, down), figure=f"{n:,}", width=_share(n, totals.max())) for name, n in totals.items())
    return Chart(bars=tuple(bars))


def _medians(medians: Any, promised: int) -> Chart:
    """Return a chart of median minutes by week, with the promise where it is not far above all of them."""
    most = 0 if pd.isna(medians.max()) else float(medians.max())
    is_drawn = 0 < promised <= most * _MOST_OVER
    highest = max(most, promised) if is_drawn else most
    columns = tuple(
        Column(
            label=f"{monday:%-d}",
            under=f"{monday:%b}",
            figure="" if pd.isna(minutes) or len(medians) > _MAX_TIMES else _hours(minutes),
            parts=() if pd.isna(minutes) else (Part(height=_pixels(minutes, highest, _CALLS_HEIGHT), tone="c1"),),
        )
        for monday, minutes in medians.items()
    )
    line = _pixels(promised, highest, _CALLS_HEIGHT) if is_drawn else ""
    words = f"{duration(promised, day=promised)}, promised" if is_drawn else ""
    return Chart(columns=columns, line=line, line_words=words)


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


def _hours(minutes: float) -> str:
    """Return a length of time as short as a column of a chart: `1:38` for 98 minutes."""
    hours, rest = divmod(round(minutes), 60)
    return f"{hours}:{rest:02}"


def _percent(share: float) -> str:
    return f"{share:.0%}"


def _millions(amount: float) -> str:
    """Return an amount as boards read it: `£4.3m`, below a million in whole pounds."""
    return f"£{amount / 1_000_000:.1f}m" if amount >= 1_000_000 else pounds(round(amount))


def _day(day: date) -> str:
    return f"{day:%-d %b}"


def _tone(better: float) -> str:
    return "up" if better > 0 else "dn" if better < 0 else ""
