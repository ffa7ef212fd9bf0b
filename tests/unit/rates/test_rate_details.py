"""One product in full: every string, and sums that add up to the penny."""

import random
from dataclasses import replace
from datetime import date
from functools import partial

import pytest

from broker.rates import rate_details as presenter
from broker.rates.product_text import aprc_sentence, example_sentence, incentive_lines
from broker.rates.rate_details import RateDetails, deal_end, true_cost_steps
from tests.unit.rates.products import drawn, priced
from tests.unit.rates.three_deals import ALDER, ALDER_HEADLINE, ALDER_SPLIT

TODAY = date(2026, 11, 24)
rate_details = partial(presenter.rate_details, logo="", unregulated=False, sample=False, today=TODAY)


def test_details_show_every_figure() -> None:
    noted = replace(ALDER, notes="<p>Free valuation.</p>")
    assert rate_details(noted, logo="/art/lender-alder.svg") == RateDetails(
        product_id="alder",
        title="Alder Bank deal",
        kind="2-year fixed, repayment over 25 years",
        terms=(
            *incentive_lines(ALDER),
            ("Loan", "£25,000 to £1,000,000"),
            ("Loan to value", "Up to 75%"),
            ("Early repayment charge", "3% of what you repay, until the deal ends."),
        ),
        notes="<p>Free valuation.</p>",
        headline=ALDER_HEADLINE,
        payment="£538.94",
        payment_caption="for 24 months",
        payment_when="a month for the first 24 months",
        later_payment="£725.44",
        later_when="a month for the other 276, at 7.50% variable if nothing changes",
        true_label="True cost, 2 years",
        true_cost="£10,212",
        true_year="£5,106 a year",
        costs_title="Cost of the first 2 years",
        costs=(
            ("24 payments of £538.94", "£12,934.56"),
            ("Lender fees", "£1,999.00"),
            ("Total to pay over 2 years", "£14,933.56"),
            ("Less what comes off the loan", "− £4,721.91"),
            ("True cost over 2 years", "£10,211.65"),
        ),
        split=ALDER_SPLIT,
        steps=true_cost_steps(ALDER),
        end=deal_end(ALDER, today=TODAY),
        example=example_sentence(ALDER),
        example_aprc=aprc_sentence(ALDER),
        unregulated=False,
    )


def test_interest_only_says_that_the_loan_falls_due() -> None:
    details = rate_details(priced("a", interest_only=True), unregulated=True)
    assert dict(details.terms)["At the end of the term"] == "The loan itself is due"
    assert details.unregulated is True


@pytest.mark.parametrize("title", ["27-month fixed, up to 75% LTV", "2-year fixed until 31/01/2029", "Loyal"])
def test_kind_names_the_length_of_a_deal_unless_its_title_does(title: str) -> None:
    details = rate_details(replace(priced("a", rate=4, months=27), title=title))
    assert details.kind == ("27-month fixed, " if title == "Loyal" else "") + "repayment over 25 years"


def test_deal_that_fills_the_term_has_no_later_payment() -> None:
    assert rate_details(priced("a", months=60, years=5)).later_payment == ""


def test_parts_of_every_total_fill_the_bar() -> None:
    draw = random.Random(51)
    for place in range(1_000):
        split = rate_details(drawn(draw, f"p{place}")).split
        shares = (split.capital_share, split.interest_share, split.fees_share)
        widths = [float(share.removesuffix("%")) for share in shares]
        assert min(widths) >= 0
        assert sum(widths) == pytest.approx(100, abs=0.15001)


def test_working_names_the_cashback() -> None:
    """A loan of £80,000 over 25 years at 4.59% for 24 months with £1,058 of fees pays 448.76 a month."""
    product = priced("a", loan=80_000, rate=4.59, fees=1_058)
    offered = replace(product.incentives, cashback=250)
    details = rate_details(replace(product, incentives=offered, true_cost=product.true_cost - 250))
    assert details.costs[2:5] == (
        ("Total to pay over 2 years", "£11,828.24"),
        ("Less cashback", "− £250.00"),
        ("Total over 2 years, after cashback", "£11,578.24"),
    )
    assert details.steps[2] == (
        "The lender pays you £250.00 of cashback: £11,828.24 − £250.00 = £11,578.24, which is £5,789.12 a year."
    )
    assert (details.split.cashback, details.split.cashback_share) == ("£250", "2.1%")
