"""Incentives in the texts of the feed: only plain statements count."""

import pytest

from broker.rates.feed.product_rows import parse_incentives, states_no_charge
from broker.rates.product import NO_INCENTIVES, Incentives

STATED = {
    "<ul><li>Free standard valuation</li><li>Min loan £25,001 &amp; max £500,000</li></ul>": Incentives(
        free_valuation=True
    ),
    "£250 cashback on completion": Incentives(cashback=250),
    "Cash back of £1,000.00 paid at completion, free legals": Incentives(cashback=1_000, free_legal_work=True),
    "<p>Cashback £500</p><p>£500 cashback when it completes</p>": Incentives(cashback=500),
    "Cashback: £500": Incentives(cashback=500),
    "<b>£500</b> cashback": Incentives(cashback=500),
    "£500&nbsp;cashback": Incentives(cashback=500),
    "Fixed for 2 years, no product fee, £500 cashback": Incentives(cashback=500),
    "Overpayments of up to 10% a year. Portable.": Incentives(overpayment_percent=10, is_portable=True),
    "20% overpayments each year; not portable": Incentives(overpayment_percent=20, is_portable=False),
    "100% overpayments allowed": Incentives(overpayment_percent=100),
    "10% overpayments a year without early repayment charge": Incentives(overpayment_percent=10),
    "Non-portable": Incentives(is_portable=False),
    "This deal is not currently portable": Incentives(is_portable=False),
    "It isn’t portable": Incentives(is_portable=False),
    "First Time Buyers only": Incentives(eligibility="First-time buyers only"),
    "Existing customers only": Incentives(eligibility="Existing customers only"),
}


@pytest.mark.parametrize(("text", "incentives"), STATED.items())
def test_plain_statements_are_read(text: str, incentives: Incentives) -> None:
    assert parse_incentives("2 Year Fixed until 31/01/2029", text) == incentives


@pytest.mark.parametrize(
    "text",
    [
        "",
        "£250 cashback, or £500 cashback for loans over £200,000",
        "1% cashback",
        "£99,999 cashback",
        "cashback available",
        "Free standard",
        "valuation fee £250",
        "Fixed at 4.19% for 24 months",
        "No £250 cashback for remortgage",
        "up to £500 cashback",
        "£500 cashback for purchases",
        "£500 cashback, first time buyers only",
        "£500 cashback. No £500 cashback when you remortgage",
        "Product fee £999 cashback £500",
        "£250 cashback or free legals",
        "No free valuation",
        "Free valuation for remortgages",
        "2% charge on overpayments above 10%",
        "ERC 2% of overpayments",
        "4.19% fixed with overpayments of up to £500",
        "No fee and portable",
        "Portable. Not portable",
        "First time buyers and home movers only",
        "First time buyers, home movers only",
        "Home movers only. First time buyers only",
        "Free legals for home movers only",
    ],
)
def test_qualified_or_unclear_statements_are_ignored(text: str) -> None:
    assert parse_incentives(text) == NO_INCENTIVES


@pytest.mark.parametrize(
    "texts",
    [
        ("Tracker", "<li>No early repayment charge</li>"),
        ("no ERCs",),
        ("2 year tracker, no ERC", "There are no early repayment charges (ERCs)."),
        ("Lifetime tracker - no early repayment charges apply", "10% overpayments"),
        ("<b>No</b>&nbsp;ERC",),
    ],
)
def test_no_charge_is_what_is_said_in_so_many_words(texts: tuple[str, ...]) -> None:
    assert states_no_charge(*texts)


@pytest.mark.parametrize(
    "text",
    [
        "Early repayment charges apply. No charge for valuations",
        "ERC 2% until 30/06/2027, no early repayment charge thereafter",
        "ERC 2% until 30/06/2027. No early repayment charge",
        "5% in year 1, 4% in year 2, no ERC after year 2",
        "5% in year 1, 4% in year 2, no ERC",
        "no early repayment charges on overpayments up to 10%",
        "Overpayments up to 10%, no early repayment charge",
        "After year 2, no ERC",
        "No ERC (after two years)",
        "No ERC, if you move home",
        "No ERC. The charge is 2% of the balance until 2027",
        "No ERC." + " Words." * 700,
    ],
)
def test_charge_that_is_named_or_limited_is_not_denied(text: str) -> None:
    assert not states_no_charge("Tracker", text)


@pytest.mark.parametrize(
    "text",
    ["<" * 9_000, "£1" * 4_500, "overpayments" + " a" * 4_500, "9% of" * 1_800, " - , . " * 1_200, "not " * 2_250],
)
def test_hostile_text_states_nothing(text: str) -> None:
    assert parse_incentives(text) == NO_INCENTIVES
    assert not states_no_charge(text)
