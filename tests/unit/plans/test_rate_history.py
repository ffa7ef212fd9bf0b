"""Is now a good time? What the page says of the averages, of the visitor's deal, and of two years or five."""

import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from pathlib import Path

import pandas as pd
import pytest

from broker.lending.days import day_number, month_of
from broker.plans.rate_history import Visit, visit
from broker.plans.rate_history_chart import HEIGHT, WIDTH, HistoryLine
from broker.plans.rate_history_view import HistoryView, history_view
from broker.rates.averages import FIVE_YEARS, TWO_YEARS, RateHistory, read_history
from broker.rates.daily_lowest import NO_LOWEST, DailyLowest

DATA = Path(__file__).parents[3] / "data" / "market" / "bank_of_england"
HISTORY = read_history(DATA)
TODAY = date(2026, 11, 26)
MINE = {"loan": "187,400", "term": "19", "rate": "1.60", "end": "2027-03-31"}


def _visit(given: Mapping[str, str] = MINE, *, history: RateHistory = HISTORY, ours: DailyLowest = NO_LOWEST) -> Visit:
    return visit(history, given, ours=ours, today=TODAY)


def _view(given: Mapping[str, str] = MINE, *, history: RateHistory = HISTORY) -> HistoryView:
    return history_view(_visit(given, history=history))


def _without(code: str, *months: tuple[int, int]) -> RateHistory:
    """Return the averages without some months of a series."""
    dropped = {month_of(day_number(date(year, month, 1))) for year, month in months}
    kept = {month: rate for month, rate in HISTORY.of(code).items() if month not in dropped}
    return replace(HISTORY, averages={**HISTORY.averages, code: kept})


def _line(view: HistoryView, name: str) -> HistoryLine:
    return next(line for line in view.chart.lines if line.name == name)


def _points(path: str) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in re.findall(r"[ML]([\d.]+),([\d.]+)", path)]


def test_heading_counts_the_months_before() -> None:
    before = list(HISTORY.of(TWO_YEARS[75]).values())[:-1]
    assert sum(rate < 4.92 for rate in before) == 90
    assert _view().heading == "Dearer than 90 of the 107 months before, cheaper than 17"


def test_months_of_the_same_rate_are_counted_apart() -> None:
    code = TWO_YEARS[75]
    months = dict(HISTORY.of(code))
    months[min(months)] = 4.92
    same = replace(HISTORY, averages={**HISTORY.averages, code: months})
    assert _view(history=same).heading == "Dearer than 89 of the 107 months before, cheaper than 17, the same as 1"


@pytest.mark.parametrize("ltv", list(TWO_YEARS))
def test_line_of_two_years_has_every_point_of_its_source(ltv: int) -> None:
    view = _view({"ltv": str(ltv)})
    top = int(view.chart.scale[-1].text.rstrip("%"))
    drawn = [round((1 - y / HEIGHT) * top, 2) for _, y in _points(_line(view, "h-2").path)]
    assert drawn == pytest.approx(list(HISTORY.of(TWO_YEARS[ltv]).values()), abs=0.011 * top / 8)
    assert [x for x, _ in _points(_line(view, "h-2").path)] == sorted(x for x, _ in _points(_line(view, "h-2").path))


@pytest.mark.parametrize("ltv", list(TWO_YEARS))
def test_table_has_every_month_as_its_sources(ltv: int) -> None:
    chart = _view({"ltv": str(ltv)}).chart
    assert len(chart.rows) == 108
    place = chart.heads.index("2-year fixed") - 1
    shown = {row.month: row.cells[place] for row in chart.rows if row.cells[place] != "–"}
    assert [float(cell.rstrip("%")) for cell in shown.values()] == list(HISTORY.of(TWO_YEARS[ltv]).values())
    assert chart.rows[-1].cells[chart.heads.index("Bank Rate") - 1] == "3.75%"


def test_bank_rate_is_a_line_of_steps() -> None:
    path = _line(_view(), "h-bank").path
    assert path.count("V") == len(HISTORY.bank_rates) - 1
    assert "L" not in path


def test_missing_month_is_a_gap_and_a_sentence() -> None:
    whole, gap = _view({}), _view({}, history=_without(TWO_YEARS[75], (2020, 5), (2021, 3)))
    assert _line(whole, "h-2").path.count("M") == 1
    assert _line(gap, "h-2").path.count("M") == 3
    sentence = "No average of 2 years at 75% was published for May 2020, March 2021, so its line has a gap there."
    assert sentence in gap.notes
    assert next(row for row in gap.chart.rows if row.month == "May 2020").cells[0] == "–"


def test_loan_to_value_without_five_years_says_so() -> None:
    view = _view({"ltv": "85"})
    assert 85 not in FIVE_YEARS
    assert "The Bank of England publishes no average of five years at 85%, so there is no line for it." in view.notes
    assert [line.name for line in view.chart.lines] == ["h-2", "h-after", "h-bank"]
    assert [figure.label for figure in view.figures] == ["2-year fixed"]
    assert (view.form.two.text, view.form.five.text) == ("4.92", "4.78")
    assert any("Both rates are the averages of August 2026 at 75%" in each for each in view.answer.sentences)


def test_older_averages_are_dated() -> None:
    view = _view({"ltv": "90"})
    dated = "At 90% the last average that we hold is that of August 2025; at 75% it is that of August 2026."
    assert dated in view.notes
    assert "August 2025, at 90% loan to value" in view.lead
    assert view.chart.reading.startswith("August 2025: 2-year fixed 4.56%")


def test_visitors_rate_and_deal_end_are_marked() -> None:
    view = _view()
    assert (view.form.lead, view.form.more) == ("£187,400", " left, 19 years · 1.60% to March 2027")
    assert view.chart.own_mark.text == "Your rate, 1.60%"
    assert view.chart.end_mark.text == "Your deal ends, March 2027"
    assert [figure.figure for figure in view.figures] == ["4.92%", "4.78%", "1.60%"]
    end = float(view.chart.end_mark.left.rstrip("%"))
    assert float(view.chart.ground.rstrip("%")) < end < 100
    assert view.chart.own_rate.endswith(f"H{end / 100 * WIDTH:.1f}")


def test_page_without_figures_has_no_marks() -> None:
    chart = _view({}).chart
    assert (chart.own_rate, chart.own_mark.text, chart.end_mark.text) == ("", "", "")


@pytest.mark.parametrize("end", ["2099-12-31", "2016-01-31", "2027-11-30", "2028-06-30", "2030-01-31"])
def test_far_end_of_a_deal_keeps_the_chart(end: str) -> None:
    chart = _view({"end": end, "rate": "2"}).chart
    assert float(chart.ground.rstrip("%")) > 60
    assert 0 <= float(chart.end_mark.left.rstrip("%")) <= 100


def test_deal_that_is_over_is_said() -> None:
    view = _view({"end": "2025-03-31", "rate": "2"})
    assert view.notes[0] == (
        "Your deal ended on 31 March 2025, so you most likely pay your lender’s own rate now. Those averaged 6.58% in "
        "August 2026."
    )
    assert view.figures[-1].caption == "until it ended in March 2025"
    assert "another deal in 2028" in view.answer.lead


def test_two_years_or_five_for_the_visitors_loan() -> None:
    answer = _view().answer
    assert (answer.label, answer.figure) == ("The next rate at which both cost the same", "4.48%")
    assert answer.caption == "for 3 years from 2029, on the £174,859 you will owe, £999 in fees on each deal"
    assert answer.sentences[0] == "At 4.47% two years cost less, at 4.48% five years do."
    assert answer.sentences[1].startswith("The average 2-year fix has been below 4.48% in 74 of 108 months.")
    assert answer.sentences[2] == "With no fees on any deal, both cost the same at 4.67%."
    assert [text for _, text in answer.payments] == ["£1,266.67 a month", "£1,252.43 a month"]


def test_ticks_lie_on_their_side_of_the_answer() -> None:
    answer = _view().answer
    at = float(answer.at.rstrip("%")) / 100 * WIDTH
    below, above = (re.findall(r"M([\d.]+)", path) for path in (answer.below, answer.above))
    assert max(map(float, below)) < at <= min(map(float, above))
    assert len(below) + len(above) == len(set(HISTORY.of(TWO_YEARS[75]).values()))


@pytest.mark.parametrize(
    "given", [MINE, {}, {"loan": "200000", "fees": "0"}, {"term": "3", "two": "3.1", "five": "4.9"}]
)
def test_printed_equations_come_out(given: Mapping[str, str]) -> None:
    def number(text: str) -> float:
        return float(text.replace(",", "").replace("£", ""))

    steps = _view(given).answer.steps
    for step in steps:
        for count, payment, paid in re.findall(r"(\d+) x (£[\d,.]+\d) = (£[\d,.]+\d)", step):
            assert int(count) * number(payment) == pytest.approx(number(paid), abs=0.001)
    paid, fees, owed, whole = map(number, re.findall(r"£[\d,]+(?:\.\d\d)?", steps[0])[1:])
    assert paid + fees + owed == pytest.approx(whole, abs=0.001)


@pytest.mark.parametrize(
    ("given", "label", "figure"),
    [
        ({"five": "1"}, "Whatever the next rate", "Five years cost less"),
        ({"two": "1", "five": "20"}, "Unless the next rate is above 25%", "Two years cost less"),
    ],
)
def test_choice_that_no_later_rate_changes_is_said(given: Mapping[str, str], label: str, figure: str) -> None:
    answer = _view(given).answer
    assert (answer.label, answer.figure, answer.at, answer.sentences) == (label, figure, "", ())


def test_loan_that_ends_with_two_years_has_nothing_to_compare() -> None:
    view = _view({"term": "2"})
    assert view.answer.problem.startswith("With two years or less left")
    assert view.chart.lines


def test_deal_that_lasts_as_long_as_the_loan_has_nothing_after_it() -> None:
    for end, term in (("2031-11-30", "5"), ("2060-01-31", "20")):
        assert _view({"end": end, "term": term}).answer.problem.startswith("Your deal lasts as long as your loan")
    assert _view({"end": "2031-10-31", "term": "5"}).answer.problem == ""


@pytest.mark.parametrize("empty", ["", "  "])
def test_empty_rate_of_an_offer_is_the_average_and_not_a_rate_of_nothing(empty: str) -> None:
    view = _view({**MINE, "two": empty, "five": empty})
    assert (view.form.two.text, view.form.five.text) == ("4.92", "4.78")
    assert view.answer == _view(MINE).answer


def test_wrong_figure_is_named_and_the_history_stays() -> None:
    view = _view({**MINE, "loan": "a lot", "end": "2027-02-31"})
    assert view.form.is_wrong
    assert view.form.loan.text == "a lot"
    assert [name for name in ("loan", "term", "end") if getattr(view.form, name).problem] == ["loan", "end"]
    assert view.answer.problem == "Put the marked figures right to see the answer for your loan."
    assert view.answer.figure == ""
    assert view.heading == _view().heading


@pytest.mark.parametrize("ltv", ["", "70", "x", "0"])
def test_unknown_loan_to_value_is_the_usual_one(ltv: str) -> None:
    assert _view({"ltv": ltv}).ltv == "75%"


def test_links_keep_the_figures_and_leave_out_usual_ones() -> None:
    view = _view({**MINE, "two": "4.92", "ltv": "60"})
    assert {link.label: link.query for link in view.ltvs if not link.is_here}["90%"] == (
        "?loan=187400&term=19&rate=1.60&end=2027-03-31&two=4.92&ltv=90"
    )
    assert _view({}).query == ""
    assert _view({"two": "4.92"}).query == ""


def test_our_own_lowest_rates_stand_beside_the_averages() -> None:
    rows = [("2026-08-30", 2, 75, 4.4), ("2026-08-31", 2, 75, 4.35), ("2026-10-01", 2, 75, 4.3)]
    ours = DailyLowest(table=pd.DataFrame(rows, columns=["day", "years", "ltv", "rate"]))
    view = history_view(_visit(ours=ours))
    line = _line(view, "h-ours-2")
    assert (line.label, line.path.count("M"), line.path.count("L")) == ("Our lowest 2-year", 2, 1)
    assert view.chart.heads[-1] == "Our lowest 2-year"
    assert [row.cells[-2:] for row in view.chart.rows[-3:]] == [("3.75%", "4.35%"), ("–", "–"), ("–", "4.30%")]
    assert view.chart.reading.startswith("August 2026: ")
    assert view.chart.last == "August 2026"
    assert view.notes[-1] == "The lowest rates of our own lists are of each day since 30 August 2026."
