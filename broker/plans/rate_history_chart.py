"""The chart of the averages since 2017, with the visitor's own rate as a mark, and the same figures as a table."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from math import ceil

from broker.lending.days import day_number, month_of, month_text
from broker.lending.money import exact_percent, percent
from broker.lending.mortgage import MONTHS
from broker.plans.rate_history import LENGTHS, LONG, SHORT, Visit
from broker.rates.averages import REVERSION, RateHistory

WIDTH, HEIGHT = 1_000, 320
"""Units of the chart's SVG."""

MORE_MONTHS = MONTHS
"""Months after the last average that the chart leaves empty; a deal that ends later stretches them."""
MAX_MORE_MONTHS = 5 * MONTHS

_NONE = "–"

_WEEK = 7 / 30
"""A gap between days of our own rates, in months, that breaks their line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryLine:
    """A line of the chart: `name` is its class, `path` that of an SVG, with gaps where nothing was published."""

    name: str
    label: str
    path: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartMark:
    """A text at a place of the chart, in percent of its width and height."""

    text: str
    left: str
    top: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MonthRow:
    """A month of the table; `left` is its place in the chart, in percent of the width."""

    month: str
    left: str
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryChart:
    """The chart: its lines, its grid, what is marked in it, and the same figures as a table.

    `own_rate` is the path of the visitor's rate, `end` the place of the deal's end; both may be empty.
    """

    lines: tuple[HistoryLine, ...]
    grid: str
    scale: tuple[ChartMark, ...]
    years: tuple[ChartMark, ...]
    highest: ChartMark
    lowest: ChartMark
    own_rate: str
    own_mark: ChartMark
    end_mark: ChartMark
    ground: str
    """The place where the months without averages begin, in percent of the width."""
    heads: tuple[str, ...]
    rows: tuple[MonthRow, ...]
    last_row: str
    row: str
    """The number of the row that is read out first, the newest average's."""
    reading: str
    """That row in words."""
    codes: str
    last: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Scale:
    """The chart's months, from `first` to `end`, and its highest rate in whole percent."""

    first: int
    end: int
    highest: int

    def left(self, month: float) -> float:
        """Return the place of a month, or a part of one, as a share of the width."""
        return min(max((month - self.first) / (self.end - self.first), 0), 1)

    def point(self, month: float, rate: float) -> str:
        return f"{self.left(month) * WIDTH:.1f},{self.top(rate) * HEIGHT:.1f}"

    def top(self, rate: float) -> float:
        """Return the place of a rate as a share of the height, from the top."""
        return 1 - min(rate, self.highest) / self.highest

    def mark(self, text: str, month: float, rate: float) -> ChartMark:
        return ChartMark(text=text, left=share_text(self.left(month)), top=share_text(self.top(rate)))

    def path(self, points: Iterable[tuple[float, float]], *, step: float = 1) -> str:
        """Return the path of a line, which begins anew after a gap of more than `step` months."""
        parts: list[str] = []
        before = None
        for month, rate in points:
            joined = before is not None and month - before <= step + 0.001
            parts.append(("L" if joined else "M") + self.point(month, rate))
            before = month
        return "".join(parts)


def share_text(share: float) -> str:
    return f"{share * 100:.2f}%"


def _day(day: date) -> float:
    """Return a day as a month with a fraction."""
    return month_of(day_number(day)) + (day.day - 1) / 31


def _scale(of: Visit) -> _Scale:
    history = of.history
    end, last = int(month_of(of.end)) + 2 if of.end else 0, of.months[-1]
    shown = [rate for _, _, points in _series(of) for rate in points.values()]
    highest = max([*shown, *(rate for _, rate in history.bank_rates), of.values["rate"]])
    return _Scale(
        first=history.first, end=last + min(max(MORE_MONTHS, end - last), MAX_MORE_MONTHS), highest=ceil(highest + 0.25)
    )


def _series(of: Visit) -> Iterator[tuple[str, str, Mapping[int, float]]]:
    """Yield the class, the label and the averages of each series at the visitor's loan to value, if there are any."""
    for length, series in LENGTHS.items():
        if found := of.history.of(series.get(of.ltv, "")):
            yield f"h-{length}", f"{length}-year fixed", found
    if found := of.history.of(REVERSION):
        yield "h-after", "Reversion rate", found


def history_chart(of: Visit) -> HistoryChart:
    history, scale = of.history, _scale(of)
    ours = [
        (f"h-ours-{length}", f"Our lowest {length}-year", {_day(day): rate for day, rate in found.items()})
        for length in (SHORT, LONG)
        if (found := of.ours.of(length, of.ltv))
    ]
    lines = [
        *(HistoryLine(name=name, label=label, path=scale.path(points.items())) for name, label, points in _series(of)),
        HistoryLine(name="h-bank", label="Bank Rate", path=_bank_rate_path(history, scale)),
        *(HistoryLine(name=name, label=label, path=scale.path(days.items(), step=_WEEK)) for name, label, days in ours),
    ]
    heads, rows = _table(of)
    scale_rates = range(0, scale.highest + 1, 1 + scale.highest // 10)
    return HistoryChart(
        lines=tuple(lines),
        grid="".join(f"M0 {scale.top(rate) * HEIGHT:.1f}H{WIDTH}" for rate in scale_rates),
        scale=tuple(ChartMark(text=f"{rate}%", left="0", top=share_text(scale.top(rate))) for rate in scale_rates),
        years=tuple(
            ChartMark(text=str(month // MONTHS), left=share_text(scale.left(month)), top="100%")
            for month in range(scale.first, scale.end)
            if month % MONTHS == 0
        ),
        highest=_two_year_mark(of, scale, max(of.two, key=of.two.__getitem__)),
        lowest=_two_year_mark(of, scale, min(of.two, key=of.two.__getitem__)),
        own_rate=_own_rate_path(of, scale),
        own_mark=_own_mark(of, scale),
        end_mark=_end_mark(of, scale),
        ground=share_text(scale.left(of.months[-1])),
        heads=heads,
        rows=tuple(
            MonthRow(month=name, left=share_text(scale.left(month)), cells=tuple(cells))
            for month, (name, *cells) in zip(of.months, rows, strict=True)
        ),
        last_row=str(len(rows) - 1),
        row=str(of.last - history.first),
        reading=_reading(heads, rows[of.last - history.first]),
        codes=_codes(of),
        last=month_text(history.last),
    )


def _reading(heads: Sequence[str], row: Sequence[str]) -> str:
    cells = (f"{head} {cell}" for head, cell in zip(heads[1:], row[1:], strict=True) if cell != _NONE)
    return f"{row[0]}: {', '.join(cells)}"


def history_points(of: Visit) -> Iterator[tuple[str, tuple[tuple[float, float] | None, ...]]]:
    """Yield the labels and the points of two and five years, from 0 to 1, for a document; None is a gap."""
    months = range(of.history.first, of.history.last + 1)
    scale = replace(_scale(of), end=of.history.last)
    for length in (SHORT, LONG):
        if found := of.history.of(LENGTHS[length].get(of.ltv, "")):
            points = ((scale.left(each), scale.top(found[each])) if each in found else None for each in months)
            yield f"{length}-year fixed", tuple(points)


def _codes(of: Visit) -> str:
    codes = [series[of.ltv] for series in LENGTHS.values() if of.ltv in series]
    return ", ".join([*codes, REVERSION]) + " and IUDBEDR"


def _bank_rate_path(history: RateHistory, scale: _Scale) -> str:
    """Return a line of steps, from the first month to the last of the averages."""
    steps = {max(_day(since), scale.first): rate for since, rate in history.bank_rates}
    (start, held), *changes = steps.items()
    turns = (f"H{scale.left(at) * WIDTH:.1f}V{scale.top(rate) * HEIGHT:.1f}" for at, rate in changes)
    return f"M{scale.point(start, held)}{''.join(turns)}H{scale.left(history.last) * WIDTH:.1f}"


def _two_year_mark(of: Visit, scale: _Scale, month: int) -> ChartMark:
    return scale.mark(f"{percent(of.two[month])}, {month_text(month)}", month, of.two[month])


def _own_rate_path(of: Visit, scale: _Scale) -> str:
    rate = of.values["rate"]
    if not rate:
        return ""
    until = min(month_of(of.end), scale.end) if of.end else scale.end
    return f"M{scale.point(scale.first, rate)}H{scale.left(until) * WIDTH:.1f}"


def _own_mark(of: Visit, scale: _Scale) -> ChartMark:
    rate = of.values["rate"]
    return scale.mark(f"Your rate, {exact_percent(rate)}" if rate else "", of.history.last - 3 * MONTHS, rate)


def _end_mark(of: Visit, scale: _Scale) -> ChartMark:
    """Return the mark of the deal's end; its text is empty without one, or before the first average."""
    month = month_of(of.end) if of.end else 0
    verb = "ended" if of.is_over else "ends"
    text = f"Your deal {verb}, {month_text(month)}" if month >= scale.first else ""
    return scale.mark(text, month, scale.highest)


def _table(of: Visit) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """Return the heads and rows of every month at a loan to value; a month without an average has a dash."""
    history = of.history
    fixed = ((f"{length}-year fixed", series.get(of.ltv, "")) for length, series in LENGTHS.items())
    columns = [(name, history.of(code)) for name, code in (*fixed, ("Reversion rate", REVERSION)) if code]
    columns.append(("Bank Rate", history.bank_rate_by_month()))
    ours = ((f"Our lowest {length}-year", of.ours.by_month(length, of.ltv)) for length in (SHORT, LONG))
    columns += [(name, months) for name, months in ours if months]
    heads = ("Month", *(name for name, _ in columns))
    return heads, tuple((month_text(month), *(_cell(rates.get(month)) for _, rates in columns)) for month in of.months)


def _cell(rate: float | None) -> str:
    return _NONE if rate is None else percent(rate)
