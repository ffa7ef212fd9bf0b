"""The list as a file: what a spreadsheet reads in each cell, and never runs."""

import csv
import io
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from broker.lenders.lender import KnownLender
from broker.rates.customers import RULES, default_query
from broker.rates.downloads import MAX_ROWS, file_name, rates_csv, requested_query
from broker.rates.product import Incentives, RateProduct, RatesAnswer
from broker.rates.query import QueryError, RatesQuery
from broker.rates.search_params import download_address
from tests.unit.rates.products import priced
from tests.unit.rates.sources import many
from tests.unit.rates.three_deals import ALDER, THREE, answer

QUERY = RatesQuery()
LENDERS = (KnownLender(lender_id=7, name="Alder Bank", slug="alder-bank"),)


def read(found: RatesAnswer) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(rates_csv(found), newline=""), strict=True))


def row_of(product: RateProduct) -> dict[str, str]:
    (row,) = read(answer([product], QUERY))
    return row


def test_row_has_every_figure_with_its_unit() -> None:
    offered = Incentives(cashback=250, free_valuation=True, overpayment_percent=10)
    described = {
        "description": "<p>Fixed at 4.20% &amp; then variable</p>",
        "notes": "<ul><li>Free valuation</li><li>Portable</li></ul>",
    }
    assert row_of(replace(ALDER, incentives=offered, **described)) == {
        "Lender": "Alder Bank",
        "Product": "Alder Bank deal",
        "Deal": "2-year fixed",
        "Repayment or interest only": "repayment",
        "Initial rate %": "4.20",
        "APRC %": "7.28",
        "Months at the initial rate": "24",
        "Monthly payment £": "538.94",
        "Follow-on rate %": "7.50",
        "Monthly payment after the deal £": "725.44",
        "Lender fees £": "1999.00",
        "Total to pay in the deal £": "14933.56",
        "True cost of the deal £": "10211.65",
        "True cost a year £": "5105.83",
        "Highest loan to value %": "75.00",
        "Early repayment charge": "3% of what you repay, until the deal ends.",
        "Cashback £": "250.00",
        "Valuation": "Free standard valuation",
        "Legal work": "None stated",
        "Overpayments": "Up to 10% of the balance a year",
        "If you move home": "Not stated",
        "Who may apply": "No limit stated",
        "Description": "Fixed at 4.20% & then variable",
        "Notes": "Free valuation Portable",
        "Loan £": "100000",
        "Property price £": "200000",
        "Term in years": "25",
        "What these figures are": "Sample figures, not offers",
        "Read": "4 March 2026",
        "This file": "The only deal",
    }


def test_rate_keeps_its_thousandths() -> None:
    row = row_of(replace(ALDER, initial_rate=5.125, follow_on_rate=7.375))
    assert (row["Initial rate %"], row["Follow-on rate %"]) == ("5.125", "7.375")


def test_lines_follow_the_answer() -> None:
    assert [row["Lender"] for row in read(answer(THREE[::-1], QUERY))] == [each.lender_name for each in THREE[::-1]]


def test_figures_are_rounded_or_empty_and_no_text_is_a_formula() -> None:
    row = row_of(replace(ALDER, follow_on_rate=None, follow_on_payment=None, early_repayment_charge=""))
    assert (row["Follow-on rate %"], row["Monthly payment after the deal £"]) == ("", "")
    assert row["Early repayment charge"] == "Not known here: ask us before you decide"
    row = row_of(priced("a", fees=999.5, most_ltv=85))
    assert (row["Lender fees £"], row["Highest loan to value %"]) == ("999.50", "85.00")
    for text, cell in (("=HYPERLINK(1)", "'=HYPERLINK(1)"), ('a "b", c\r\nd', 'a "b", c\r\nd')):
        row = row_of(replace(ALDER, title=text, lender_name=text))
        assert (row["Product"], row["Lender"]) == (cell, cell)


def test_file_is_bounded_and_says_so() -> None:
    rows = read(answer(many(MAX_ROWS + 1), QUERY))
    assert len(rows) == MAX_ROWS
    assert {row["This file"] for row in rows} == {"The first 1,000 of 1,001 deals: narrow the search for the rest"}
    assert {row["This file"] for row in read(answer(many(2), QUERY))} == {"All 2 deals"}
    narrowed = rates_csv(answer(many(2), QUERY), filters="from Alder Bank, with fees up to £1,000")
    assert narrowed.count('"All 2 deals, from Alder Bank, with fees up to £1,000"') == 2


def test_empty_list_says_that_it_is_empty() -> None:
    (row,) = read(answer([], QUERY))
    assert {name: cell for name, cell in row.items() if cell} == {
        "Loan £": "100000",
        "Property price £": "200000",
        "Term in years": "25",
        "What these figures are": "Sample figures, not offers",
        "Read": "4 March 2026",
        "This file": "No products found, please amend the filters!",
    }


def test_live_rates_are_not_called_samples() -> None:
    live = replace(answer([ALDER], QUERY), sample=False)
    (row,) = read(live)
    assert (row["What these figures are"], row["Read"]) == ("Live rates, not offers", "09:00 on 4 March 2026")
    (row,) = read(replace(live, stale=True))
    assert row["What these figures are"] == "The latest rates we have; the rates service did not answer"


def test_name_has_the_day_in_the_united_kingdom() -> None:
    late = replace(answer([], QUERY), read_at=datetime(2026, 7, 31, 23, 30, tzinfo=UTC))
    assert file_name(late) == "mortgage-rates-2026-08-01.csv"


@pytest.mark.parametrize("customer", RULES)
def test_address_brings_back_its_search(customer: str) -> None:
    query = replace(default_query(customer), price=345_678, amount=123_456, term=31, filters=frozenset({"cashback"}))
    query = replace(query, lender_id=7, most_fees=1_000)
    for each in (query, default_query(customer)):
        path, _, query_string = download_address(each).partition("?")
        parameters = dict(pair.split("=") for pair in query_string.split("&") if pair)
        assert (path, requested_query(parameters, LENDERS)) == ("/rates.csv", each)


@pytest.mark.parametrize(
    ("parameters", "problem"),
    [
        ({"customer": "nobody"}, "There is no such kind of customer"),
        ({"rate": "both"}, "There is no such choice"),
        ({"sort": "colour"}, "There is no such choice"),
        ({"fees": "1"}, "There is no such choice"),
        ({"lender": "8"}, "There is no such lender"),
        ({"lender": "all"}, "There is no such lender"),
        ({"price": ""}, "Enter the property price, for example 200,000"),
        ({"price": "1", "amount": "2"}, "Enter an amount that is not above the property price"),
        ({"term": "41"}, "Enter a term in whole years, from 1 to 40"),
    ],
)
def test_address_that_makes_no_sense_is_refused(parameters: dict[str, str], problem: str) -> None:
    with pytest.raises(QueryError) as refused:
        requested_query(parameters, LENDERS)
    assert list(refused.value.problems.values()) == [problem]
