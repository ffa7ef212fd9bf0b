import re
from dataclasses import astuple, replace

import pytest

from broker.rates.customers import default_query
from broker.rates.lowest_rates import LTVS, rates_by_ltv
from broker.rates.product import RateProduct
from broker.rates.query import RatesQuery, SortOrder
from broker.rates.rates_by_ltv import HEIGHT, WIDTH, ByLtvView, Mark, basis_sentence, by_ltv_view, key_of
from tests.unit.rates.products import priced
from tests.unit.rates.three_deals import answer

QUERY = RatesQuery(price=200_000, amount=125_000)
TWO = {
    50: priced("a", rate=3.46, fees=1_995, loan=100_000),
    60: priced("b", rate=4.1, fees=0, loan=120_000, lender_name="Birch"),
}


def view(products: dict[int, RateProduct], query: RatesQuery = QUERY, *, is_example: bool = False) -> ByLtvView:
    answers = {ltv: answer([products[ltv]] if ltv in products else [], query) for ltv in LTVS}
    return by_ltv_view(rates_by_ltv(query, answers), is_example=is_example)


def test_chart_writes_its_rows_its_words_and_what_is_missing() -> None:
    chart = view(TWO)
    assert [astuple(row) for row in chart.rows] == [
        ("50%", "£100,000", "3.46%", "7.13%", "£498.48", "£1,995", "Alder Bank", False),
        ("60%", "£120,000", "4.10%", "7.03%", "£640.05", "£0", "Birch", True),
    ]
    assert chart.words == (
        "Chart of the lowest initial rate and its APRC by loan to value: 3.46% (7.13% APRC) at 50% to 4.10% "
        "(7.03% APRC) at 60%. Your loan is 62.5% of the price. The table below has the same figures."
    )
    assert chart.missing == "No deal is listed at 70%, 75%, 80%, 85%, 90% or 95%."
    assert chart.basis == "2-year fixed deals to buy a home at £200,000, repayment, over 25 years."
    assert chart.example.startswith("A mortgage of £120,000 payable over 25 years, at a fixed rate of 4.10%")
    assert chart.example_aprc.endswith("is 7.03% APRC representative.")
    assert (chart.read_at, chart.sample, chart.stale) == ("4 March 2026", True, False)


def test_chart_of_the_build_has_an_example_loan_and_no_row_of_the_visitor() -> None:
    chart = view(TWO, is_example=True)
    assert (chart.own.text, [row.yours for row in chart.rows]) == ("Example loan: 62.5%", [False, False])
    assert "An example loan is 62.5% of the price." in chart.words


def test_basis_says_what_the_search_asks_for() -> None:
    query = replace(default_query("buy-to-let-remortgage"), repayment=False, with_fee_free=True, term=1)
    query = replace(query, fixed=False, variable=True, two_years=False, five_years=True)
    assert view(TWO, query).basis == (
        "5-year variable deals to remortgage a buy-to-let property at £200,000, interest only, over 1 year, deals with "
        "no lender fee among them."
    )
    assert view(TWO, query).unregulated is True
    assert basis_sentence(QUERY, "from Alder Bank").startswith("2-year fixed deals from Alder Bank to buy a home at")


@pytest.mark.parametrize("spread", [0, 0.004, 0.3, 1.7, 9])
def test_dots_stand_at_the_figures_of_the_table(spread: float) -> None:
    chart = view({ltv: priced(str(ltv), rate=3.9 + spread * place / 7) for place, ltv in enumerate(LTVS)})
    written = [float(mark.text.rstrip("%")) for mark in chart.rates]
    low, high = written[0], written[-1]
    assert 2 <= len(written) <= 8
    for dots, shown in ((chart.rate_dots, "rate"), (chart.aprc_dots, "aprc")):
        heights = [float(down) / HEIGHT for down in re.findall(r"M[\d.]+ ([\d.]+)h", dots)]
        read = [high - share * (high - low) for share in heights]
        figures = [float(getattr(row, shown).rstrip("%")) for row in chart.rows]
        assert read == pytest.approx(figures, abs=0.006)
    places = [float(mark.place.rstrip("%")) for mark in chart.rates]
    assert places == pytest.approx([100 * (high - rate) / (high - low) for rate in written], abs=0.01)


def test_line_is_drawn_in_steps_through_the_dots() -> None:
    chart = view({50: priced("a", rate=4), 60: priced("b", rate=4), 75: priced("c", rate=4.5)})
    points = re.findall(r"M([\d.]+) ([\d.]+)h", chart.rate_dots)
    assert [across for across, _ in points] == ["0", "100", "250"]
    (_, first), (_, second), (_, third) = points
    assert chart.rate_line == f"M0 {first}V{second}H100V{third}H250"


@pytest.mark.parametrize(
    ("amount", "own", "late"),
    [
        (100_000, Mark(text="Your loan: 50%", place="0%"), False),
        (125_000, Mark(text="Your loan: 62.5%", place="27.78%"), False),
        (190_000, Mark(text="Your loan: 95%", place="100%"), True),
        (120_080, Mark(text="Your loan: 60.1%", place="22.31%"), False),
        (66_666, Mark(text="Your loan: 33.4%, below this chart", place="0%"), False),
        (200_000, Mark(text="Your loan: 100%, above this chart", place="100%"), True),
    ],
)
def test_visitors_loan_is_marked_inside_the_drawing(amount: int, own: Mark, *, late: bool) -> None:
    chart = view(TWO, replace(QUERY, amount=amount))
    assert (chart.own, chart.own_late) == (own, late)


def test_chart_of_property_to_let_says_where_its_search_ends() -> None:
    let = default_query("buy-to-let")
    assert view(TWO, let).missing == "No deal is listed at 70%, 75% or 80%. On property to let we search up to 80%."
    assert view(dict.fromkeys(LTVS, TWO[50]), let).missing == "On property to let we search up to 80%."


def test_empty_chart_has_no_points_and_no_example() -> None:
    chart = view({})
    assert (chart.rows, chart.rate_line, chart.rate_dots, chart.words, chart.example) == ((), "", "", "", "")
    assert chart.missing == "No deal is listed at 50%, 60%, 70%, 75%, 80%, 85%, 90% or 95%."
    assert chart.grid.endswith(f"H{WIDTH}")


def test_key_is_the_address_of_the_search_whatever_its_order() -> None:
    assert key_of(default_query("")) == "/tools/rates/"
    assert key_of(replace(QUERY, sort=SortOrder.FEES)) == key_of(QUERY) == "/tools/rates/?amount=125000"
    keys = {key_of(replace(QUERY, term=term, price=price)) for term in (20, 25) for price in (200_000, 300_000)}
    assert len(keys) == 4
