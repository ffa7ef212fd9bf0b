"""Incentives in the texts of the feed: only plain statements count."""

import pytest

from broker.domain.rates.incentives import NO_INCENTIVES, Incentives
from broker.feeds.parsing.incentives import parse_incentives, states_no_charge

STATED = {
    "<ul><li>Free standard valuation</li><li>Min loan £25,001 &amp; max £500,000</li></ul>": Incentives(
        free_valuation=True
    ),
    "£250 cashback on completion": Incentives(cashback=250),
    "Cash back of £1,000.00 paid at completion, free legals": Incentives(cashback=1_000, free_legal_work=True),
    "<p>Cashback £500</p><p>£500 cashback for purchases</p>": Incentives(cashback=500),
    "Overpayments of up to 10% a year. Portable.": Incentives(overpayment_percent=10, is_portable=True),
    "20% overpayments each year; not portable": Incentives(overpayment_percent=20, is_portable=False),
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
    ],
)
def test_anything_less_plain_is_not(text: str) -> None:
    assert parse_incentives(text) == NO_INCENTIVES


def test_no_charge_is_what_is_said_in_so_many_words() -> None:
    assert states_no_charge("Tracker", "<li>No early repayment charge</li>")
    assert states_no_charge("no ERCs")
    assert not states_no_charge("Early repayment charges apply", "no charge for valuations")
