"""Is now a good time to fix? The averages of the past, and two years or five for the visitor's loan, in words.

There is no forecast: nobody knows the next rate, so the answer is the rate at which both choices cost the same.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from math import ceil, floor, isinf
from urllib.parse import urlencode

from broker.calculators.calculator import (
    LEFT_OUT,
    Calculator,
    Choice,
    Field,
    Group,
    Unit,
    Working,
    box_text,
    loan_field,
    rate_field,
    term_field,
)
from broker.calculators.view import FieldView, read_values, typed_fields
from broker.lending.arithmetic import Amount
from broker.lending.days import day_number, day_text, month_of, month_text
from broker.lending.money import (
    decimals,
    exact_percent,
    exact_pounds,
    percent,
    pounds,
    pounds_and_pence,
    years,
    years_and_months,
)
from broker.lending.mortgage import MONTHS
from broker.lending.two_or_five import MAX_RATE, TwoFixes
from broker.rates.averages import FIVE_YEARS, REVERSION, THREE_YEARS, TWO_YEARS, RateHistory
from broker.rates.daily_lowest import DailyLowest

SLUG = "rate-history"
TITLE = "Is now a good time?"

WIDTH, HEIGHT = 1_000, 320
"""Units of the chart's SVG."""

LTV = "ltv"
USUAL_LTV = 75
"""The loan to value, in percent, for which every length is published."""

MORE_MONTHS = MONTHS
"""Months after the last average that the chart leaves empty; a deal that ends later stretches them."""
MAX_MORE_MONTHS = 5 * MONTHS

NO_FORECAST = (
    "Forecasts of rates have been wrong in both directions. A number would look like knowledge, and it is not."
)

SOURCE = (
    "Averages of rates that lenders advertised each month, weighted by what they lend. They are not offers: an average "
    "has no APRC, and every deal we show has one."
)

LENGTHS: Mapping[int, Mapping[int, str]] = {2: TWO_YEARS, 3: THREE_YEARS, 5: FIVE_YEARS}
"""The series of each length of deal, in years, by loan to value."""

_NONE = "–"

_WEEK = 7 / 30
"""A gap between days of our own rates, in months, that breaks their line."""

_SHORT, _LONG = 2, 5


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
class LtvLink:
    label: str
    query: str
    is_here: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RateFigure:
    """A rate with its label and its caption; `name` is the class of its colour."""

    name: str
    label: str
    figure: str
    caption: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledText:
    label: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldText:
    text: str
    problem: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryForm:
    """The fields as typed, their errors as one list, and the figures in one line."""

    loan: FieldText
    term: FieldText
    rate: FieldText
    end: FieldText
    two: FieldText
    five: FieldText
    fees: FieldText
    ltv: str
    lead: str
    more: str
    is_wrong: bool
    problems: tuple[LabelledText, ...]
    """The id and the sentence of each wrong field."""


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
class TwoOrFive:
    """Two years or five: the answer, or the `problem` in place of one.

    `below` and `above` are ticks of the months whose average was below and above the answer, as paths of an SVG;
    `at` is the place of the answer, empty where there is no such rate.
    """

    problem: str = ""
    lead: str = ""
    label: str = ""
    figure: str = ""
    caption: str = ""
    sentences: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()
    payments: tuple[LabelledText, ...] = ()
    short: str = ""
    long: str = ""
    below: str = ""
    above: str = ""
    at: str = ""
    at_text: str = ""
    scale: tuple[ChartMark, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryView:
    """The page; `figures` are the newest averages and the visitor's rate, `notes` what the chart lacks."""

    heading: str
    lead: str
    figures: tuple[RateFigure, ...]
    form: HistoryForm
    ltvs: tuple[LtvLink, ...]
    ltv: str
    month_name: str
    """The month of the newest average, without its year."""
    chart: HistoryChart
    notes: tuple[str, ...]
    answer: TwoOrFive
    query: str
    """The figures as the query of an address with its mark, empty for the usual ones."""


FIELDS = (
    loan_field("Loan left", default=200_000),
    replace(term_field(40), label="Years left"),
    replace(rate_field("rate", "Your rate today", default=0), hint=LEFT_OUT),
    Field(name="end", label="Your deal ends on", default=0, unit=Unit.DAY, high=0, hint="Empty if it has no end"),
    replace(rate_field("two", "Two-year deal", default=0), hint="The average, or your offer"),
    replace(rate_field("five", "Five-year deal", default=0), hint="The average, or your offer"),
    Field(name="fees", label="Fees of each deal", default=999, high=3_000),
)


def history_form(history: RateHistory, ltv: int) -> Calculator:
    """Return the form; the rates of both deals start from the newest month that has both averages."""
    two, five, _ = newest_averages(history, ltv)
    averages = {"two": two, "five": five}
    return Calculator(
        slug=SLUG,
        title=TITLE,
        subtitle="Average mortgage rates since 2017, and two years or five for your loan",
        group=Group.CHANGES,
        calculate=_no_working,
        fields=tuple(replace(field, default=averages.get(field.name, field.default)) for field in FIELDS),
        choices=(
            Choice(
                name=LTV,
                group="Averages",
                label="Loan to value",
                default=str(USUAL_LTV),
                options=tuple((str(each), f"{each}%") for each in TWO_YEARS),
            ),
        ),
    )


def _no_working(_: Mapping[str, Amount]) -> Working:
    raise NotImplementedError("the answer also needs the averages: history_view has it")


def chosen_ltv(given: Mapping[str, str]) -> int:
    """Return the loan to value of a query, in percent, the usual one for any that is not published."""
    text = given.get(LTV, "")
    return int(text) if text in {str(each) for each in TWO_YEARS} else USUAL_LTV


def newest_averages(history: RateHistory, ltv: int) -> tuple[float, float, int]:
    """Return the averages of two and five years at a loan to value, and the last month that has both.

    Those at 75% where five years are not published.
    """
    at = ltv if ltv in FIVE_YEARS else USUAL_LTV
    two, five = history.of(TWO_YEARS[at]), history.of(FIVE_YEARS[at])
    month = max(set(two) & set(five))
    return two[month], five[month], month


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """A query with what it is answered from; `ours` are the lowest rates of our feed by day, if there is one."""

    history: RateHistory
    ours: DailyLowest
    today: date
    ltv: int
    values: Mapping[str, Amount]
    fields: Mapping[str, FieldView]
    form: Calculator

    @property
    def is_wrong(self) -> bool:
        return any(field.is_wrong for field in self.fields.values())

    @property
    def two(self) -> Mapping[int, float]:
        return self.history.of(TWO_YEARS[self.ltv])

    @property
    def last(self) -> int:
        """Return the last month of the two-year average at this loan to value."""
        return max(self.two)

    @property
    def months(self) -> range:
        """Return the months that have an average or a lowest rate of ours."""
        ours = month_of(day_number(self.ours.last)) if self.ours else 0
        return range(self.history.first, max(self.history.last, ours) + 1)

    @property
    def end(self) -> int:
        """Return the day on which the visitor's deal ends, 0 for none."""
        return self.values["end"]

    @property
    def is_over(self) -> bool:
        return 0 < self.end < day_number(self.today)

    @property
    def fixes(self) -> TwoFixes | None:
        """Return the two choices, None for a loan that ends with a two-year deal."""
        months = round(self.values["term"] * MONTHS)
        if self.is_wrong or months <= _SHORT * MONTHS:
            return None
        return TwoFixes(
            loan=self.values["loan"],
            months=months,
            short_rate=self.values["two"],
            long_rate=self.values["five"],
            fees=self.values["fees"],
        )


def visit(history: RateHistory, given: Mapping[str, str], *, ours: DailyLowest, today: date) -> Visit:
    ltv = chosen_ltv(given)
    form = history_form(history, ltv)
    values = read_values(form, given)
    fields = dict(zip((field.name for field in FIELDS), typed_fields(form, given, values=values), strict=True))
    return Visit(history=history, ours=ours, today=today, ltv=ltv, values=values, fields=fields, form=form)


def history_view(of: Visit) -> HistoryView:
    return HistoryView(
        heading=_heading(of),
        lead=f"That is the average 2-year fix in {month_text(of.last)}, at {of.ltv}% loan to value. Where rates go "
        "next nobody knows, so we show where they have been, and what would have to happen for each choice to be the "
        "cheaper one.",
        figures=tuple(_figures(of)),
        form=_form(of),
        ltvs=tuple(LtvLink(label=f"{each}%", query=_query(of, ltv=each), is_here=each == of.ltv) for each in TWO_YEARS),
        ltv=f"{of.ltv}%",
        month_name=month_text(of.last).partition(" ")[0],
        chart=_chart(of),
        notes=tuple(_notes(of)),
        answer=_answer(of),
        query=_query(of, ltv=of.ltv),
    )


def _heading(of: Visit) -> str:
    *before, now = of.two.values()
    dearer, cheaper = sum(rate < now for rate in before), sum(rate > now for rate in before)
    same = len(before) - dearer - cheaper
    ending = f", the same as {same}" if same else ""
    return f"Dearer than {dearer} of the {len(before)} months before, cheaper than {cheaper}{ending}"


def _figures(of: Visit) -> Iterator[RateFigure]:
    for length in (_SHORT, _LONG):
        if found := of.history.of(LENGTHS[length].get(of.ltv, "")):
            caption = f"average, {month_text(max(found))}"
            label = f"{length}-year fixed"
            yield RateFigure(name=f"h-{length}", label=label, figure=percent(found[max(found)]), caption=caption)
    if rate := of.values["rate"]:
        until = f"until {month_text(month_of(of.end))}" if of.end else "today"
        over = f"until it ended in {month_text(month_of(of.end))}"
        yield RateFigure(
            name="h-own", label="Your rate", figure=exact_percent(rate), caption=over if of.is_over else until
        )


def _form(of: Visit) -> HistoryForm:
    values = of.values
    texts = {name: FieldText(text=str(each.text), problem=str(each.problem)) for name, each in of.fields.items()}
    rate = f"{exact_percent(values['rate'])} " if values["rate"] else ""
    until = f"to {month_text(month_of(of.end))}" if of.end else "today"
    ends = f"deal ends {month_text(month_of(of.end))}" if of.end else ""
    return HistoryForm(
        **texts,
        ltv=str(of.ltv),
        lead=exact_pounds(values["loan"]),
        more=f" left, {years(values['term'])}" + (f" · {rate}{until}" if rate else f" · {ends}" if ends else ""),
        is_wrong=of.is_wrong,
        problems=tuple(
            LabelledText(label=f"{SLUG}-{field.name}", text=f"{field.label}: {of.fields[field.name].problem}")
            for field in FIELDS
            if of.fields[field.name].is_wrong
        ),
    )


def _query(of: Visit, *, ltv: int) -> str:
    """Return the figures that differ from the usual ones, with another loan to value, as a query with its mark."""
    typed = {
        field.name: str(box_text(field, of.values[field.name])).replace(",", "")
        for field in of.form.fields
        if of.values[field.name] != field.default
    }
    query = urlencode({**typed, **({LTV: str(ltv)} if ltv != USUAL_LTV else {})})
    return f"?{query}" if query else ""


def _notes(of: Visit) -> Iterator[str]:
    """Yield what the chart lacks, and what there is to know of the visitor's own deal."""
    history = of.history
    if of.is_over:
        yield (
            f"Your deal ended on {day_text(of.end)}, so you most likely pay your lender’s own rate now. Those averaged "
            f"{percent(history.of(REVERSION)[max(history.of(REVERSION))])} in "
            f"{month_text(max(history.of(REVERSION)))}."
        )
    if of.ltv not in FIVE_YEARS:
        yield f"The Bank of England publishes no average of five years at {of.ltv}%, so there is no line for it."
    if of.last < history.last:
        yield (
            f"At {of.ltv}% the last average that we hold is that of {month_text(of.last)}; at {USUAL_LTV}% it is that "
            f"of {month_text(history.last)}."
        )
    for length, series in LENGTHS.items():
        yield from _series_notes(history, f"of {length} years at {of.ltv}%", series.get(of.ltv, ""))
    yield from _series_notes(history, "of reversion rates", REVERSION)
    if of.ours:
        yield f"The lowest rates of our own lists are of each day since {of.ours.first:%-d %B %Y}."


def _series_notes(history: RateHistory, words: str, code: str) -> Iterator[str]:
    found = history.of(code)
    if found and min(found) > history.first:
        yield f"The averages {words} begin in {month_text(min(found))}: we hold none before."
    if missing := history.missing(code):
        months = ", ".join(map(month_text, missing))
        yield f"No average {words} was published for {months}, so its line has a gap there."


# The chart


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
        return ChartMark(text=text, left=_share(self.left(month)), top=_share(self.top(rate)))

    def path(self, points: Iterable[tuple[float, float]], *, step: float = 1) -> str:
        """Return the path of a line, which begins anew after a gap of more than `step` months."""
        parts: list[str] = []
        before = None
        for month, rate in points:
            joined = before is not None and month - before <= step + 0.001
            parts.append(("L" if joined else "M") + self.point(month, rate))
            before = month
        return "".join(parts)


def _share(share: float) -> str:
    return f"{share * 100:.2f}%"


def _day(day: date) -> float:
    """Return a day as a month with a fraction."""
    return month_of(day_number(day)) + (day.day - 1) / 31


def _scale(of: Visit) -> _Scale:
    history = of.history
    end, last = month_of(of.end) + 2 if of.end else 0, of.months[-1]
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


def _chart(of: Visit) -> HistoryChart:
    history, scale = of.history, _scale(of)
    ours = [
        (f"h-ours-{length}", f"Our lowest {length}-year", {_day(day): rate for day, rate in found.items()})
        for length in (_SHORT, _LONG)
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
        scale=tuple(ChartMark(text=f"{rate}%", left="0", top=_share(scale.top(rate))) for rate in scale_rates),
        years=tuple(
            ChartMark(text=str(month // MONTHS), left=_share(scale.left(month)), top="100%")
            for month in range(scale.first, scale.end)
            if month % MONTHS == 0
        ),
        highest=_two_year_mark(of, scale, max(of.two, key=of.two.__getitem__)),
        lowest=_two_year_mark(of, scale, min(of.two, key=of.two.__getitem__)),
        own_rate=_own_rate_path(of, scale),
        own_mark=_own_mark(of, scale),
        end_mark=_end_mark(of, scale),
        ground=_share(scale.left(of.months[-1])),
        heads=heads,
        rows=tuple(
            MonthRow(month=name, left=_share(scale.left(month)), cells=tuple(cells))
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
    for length in (_SHORT, _LONG):
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
    ours = ((f"Our lowest {length}-year", of.ours.by_month(length, of.ltv)) for length in (_SHORT, _LONG))
    columns += [(name, months) for name, months in ours if months]
    heads = ("Month", *(name for name, _ in columns))
    return heads, tuple((month_text(month), *(_cell(rates.get(month)) for _, rates in columns)) for month in of.months)


def _cell(rate: float | None) -> str:
    return _NONE if rate is None else percent(rate)


# Two years or five


def _answer(of: Visit) -> TwoOrFive:
    fixes = of.fixes
    if fixes is None:
        problem = (
            "Put the marked figures right to see the answer for your loan."
            if of.is_wrong
            else "With two years or less left a two-year deal ends with the loan, so there is nothing to compare."
        )
        return TwoOrFive(problem=problem)
    rate, start = fixes.break_even_rate(), _start_year(of)
    label, figure = _result(rate)
    low, high = _tick_range(of, rate)
    rest = years_and_months(fixes.end - fixes.short)
    return TwoOrFive(
        lead=f"Fix for two years and you need another deal in {start + _SHORT}. "
        + (
            "Its rate hardly matters here:"
            if isinf(rate)
            else "Five years turns out cheaper only if that one costs more than:"
        ),
        label=label,
        figure=figure,
        caption=f"for {rest} from {start + _SHORT}, on the {pounds(fixes.later_balance)} you will owe, "
        + (f"{exact_pounds(fixes.fees)} in fees on each deal" if fixes.fees else "without fees"),
        sentences=tuple(_sentences(of, fixes, rate)),
        steps=tuple(_steps(fixes, rate)),
        payments=(
            _payment(f"Two years at {exact_percent(fixes.short_rate)}", fixes.short_payment),
            _payment(f"Five years at {exact_percent(fixes.long_rate)}", fixes.long_payment),
        ),
        short="leaves you free sooner: to move, to sell, to pay off a lump sum, or to take a lower rate.",
        long=f"fixes what you pay until {start + _LONG}, and there is usually a charge for leaving before.",
        below=_ticks(of, low, high, is_above=False, rate=rate),
        above=_ticks(of, low, high, is_above=True, rate=rate),
        at="" if isinf(rate) else _share((rate - low) / (high - low)),
        at_text="" if isinf(rate) else percent(rate),
        scale=tuple(
            ChartMark(text=f"{each}%", left=_share((each - low) / (high - low)), top="100%")
            for each in range(low, high + 1, 1 + (high - low) // 8)
        ),
    )


def _payment(label: str, payment: float) -> LabelledText:
    return LabelledText(label=label, text=f"{pounds_and_pence(payment)} a month")


def _start_year(of: Visit) -> int:
    """Return the year in which the new deal starts: that of the end of the visitor's deal, or this one."""
    return of.today.year if not of.end or of.is_over else int(of.end // 10_000)


def _result(rate: float) -> tuple[str, str]:
    if not isinf(rate):
        return "The next rate at which both cost the same", percent(rate)
    return (
        (f"Unless the next rate is above {MAX_RATE}%", "Two years cost less")
        if rate > 0
        else ("Whatever the next rate", "Five years cost less")
    )


def _sentences(of: Visit, fixes: TwoFixes, rate: float) -> Iterator[str]:
    if isinf(rate):
        return
    hundredth = floor(rate * 100) / 100
    yield f"At {percent(hundredth)} two years cost less, at {percent(hundredth + 0.01)} five years do."
    below = sum(each < rate for each in of.two.values())
    free = TwoFixes(
        loan=fixes.loan, months=fixes.months, short_rate=fixes.short_rate, long_rate=fixes.long_rate
    ).break_even_rate()
    yield (
        f"The average 2-year fix has been below {percent(rate)} in {below} of {len(of.two)} months. That is history, "
        "not a chance."
    )
    if fixes.fees and not isinf(free):
        yield f"With no fees on any deal, both cost the same at {percent(free)}."
    two, five, month = newest_averages(of.history, of.ltv)
    if (two, five) == (fixes.short_rate, fixes.long_rate):
        at = of.ltv if of.ltv in FIVE_YEARS else USUAL_LTV
        yield (
            f"Both rates are the averages of {month_text(month)} at {at}%. For your own answer, type the rates of your "
            "two offers."
        )


def _steps(fixes: TwoFixes, rate: float) -> Iterator[str]:
    fees, rest = exact_pounds(fixes.fees), fixes.end - fixes.short
    yield (
        f"Five years at {exact_percent(fixes.long_rate)}: {_paid(fixes.end, fixes.long_payment)}. With {fees} in fees "
        f"and {pounds_and_pence(fixes.long_balance)} still owed: {pounds_and_pence(fixes.long_cost())}."
    )
    yield (
        f"Two years at {exact_percent(fixes.short_rate)}: {_paid(fixes.short, fixes.short_payment)}. "
        f"{pounds_and_pence(fixes.later_balance)} is then owed."
    )
    if isinf(rate):
        return
    payment, owed = fixes.later(rate)
    yield (
        f"The deal after it, at {decimals(rate, 4)}%: {_paid(rest, payment)}. With the two years’ "
        f"{pounds_and_pence(fixes.short * fixes.short_payment)}, 2 x {fees} in fees and {pounds_and_pence(owed)} still "
        f"owed: {pounds_and_pence(fixes.short_cost(rate))}. The two sums may differ by pence, as payments are "
        "collected in whole pennies."
    )


def _paid(count: int, payment: float) -> str:
    return f"{count} x {pounds_and_pence(payment)} = {pounds_and_pence(count * payment)}"


def _tick_range(of: Visit, rate: float) -> tuple[int, int]:
    """Return the whole percents around every two-year average and the answer."""
    shown = [*of.two.values(), *([] if isinf(rate) else [rate])]
    return floor(min(shown)), ceil(max(shown))


def _ticks(of: Visit, low: int, high: int, *, is_above: bool, rate: float) -> str:
    chosen = sorted({each for each in of.two.values() if (each >= rate) is is_above})
    return "".join(f"M{(each - low) / (high - low) * WIDTH:.1f} 0V30" for each in chosen)
