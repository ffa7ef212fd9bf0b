"""Is now a good time to fix? The page in words: the averages of the past, and two years or five for the visitor's loan.

There is no forecast: nobody knows the next rate, so the answer is the rate at which both choices cost the same.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil, floor, isinf
from urllib.parse import urlencode

from broker.calculators.view import form_parameters
from broker.lending.days import day_text, month_of, month_text
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
from broker.lending.two_or_five import MAX_RATE, TwoFixes
from broker.plans.rate_history import LENGTHS, LONG, LTV, SHORT, USUAL_LTV, Visit, newest_averages
from broker.plans.rate_history_chart import WIDTH, ChartMark, HistoryChart, history_chart, share_text
from broker.rates.averages import FIVE_YEARS, REVERSION, TWO_YEARS, RateHistory


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
class FieldText:
    text: str
    problem: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryForm:
    """The fields as typed, and the figures in one line."""

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
    payments: tuple[tuple[str, str], ...] = ()
    """The label and the text of each."""
    long: str = ""
    below: str = ""
    above: str = ""
    at: str = ""
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
        chart=history_chart(of),
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
    for length in (SHORT, LONG):
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
    )


def _query(of: Visit, *, ltv: int) -> str:
    """Return the figures that differ from the usual ones, with another loan to value, as a query with its mark."""
    query = urlencode(form_parameters(of.form, {**of.values, LTV: str(ltv)}))
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


def _answer(of: Visit) -> TwoOrFive:
    fixes = of.fixes
    if fixes is None:
        return TwoOrFive(problem=_problem(of))
    rate, start = fixes.break_even_rate(), _start_year(of)
    label, figure = _result(rate)
    low, high = _tick_range(of, rate)
    rest = years_and_months(fixes.end - fixes.short)
    return TwoOrFive(
        lead=f"Fix for two years and you need another deal in {start + SHORT}. "
        + (
            "Its rate hardly matters here:"
            if isinf(rate)
            else "Five years turns out cheaper only if that one costs more than:"
        ),
        label=label,
        figure=figure,
        caption=f"for {rest} from {start + SHORT}, on the {pounds(fixes.later_balance)} you will owe, "
        + (f"{exact_pounds(fixes.fees)} in fees on each deal" if fixes.fees else "without fees"),
        sentences=tuple(_sentences(of, fixes, rate)),
        steps=tuple(_steps(fixes, rate)),
        payments=(
            (f"Two years at {exact_percent(fixes.short_rate)}", _a_month(fixes.short_payment)),
            (f"Five years at {exact_percent(fixes.long_rate)}", _a_month(fixes.long_payment)),
        ),
        long=f"fixes what you pay until {start + LONG}, and there is usually a charge for leaving before.",
        below=_ticks(of, low, high, is_above=False, rate=rate),
        above=_ticks(of, low, high, is_above=True, rate=rate),
        at="" if isinf(rate) else share_text((rate - low) / (high - low)),
        scale=tuple(
            ChartMark(text=f"{each}%", left=share_text((each - low) / (high - low)), top="100%")
            for each in range(low, high + 1, 1 + (high - low) // 8)
        ),
    )


def _problem(of: Visit) -> str:
    if of.is_wrong:
        return "Put the marked figures right to see the answer for your loan."
    if of.is_last:
        return "Your deal lasts as long as your loan, so no other deal follows. Check the date and the years left."
    return "With two years or less left a two-year deal ends with the loan, so there is nothing to compare."


def _a_month(payment: float) -> str:
    return f"{pounds_and_pence(payment)} a month"


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
