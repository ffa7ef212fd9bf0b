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
        kind="2-year fixed, repayment, over 25 years",
        incentives=incentive_lines(ALDER),
        notes="<p>Free valuation.</p>",
        headline=ALDER_HEADLINE,
        payment="£538.94",
        payment_when="a month for the first 24 months",
        later_payment="£725.44",
        later_when="a month for the other 276, at 7.50% variable if nothing changes",
        initial_share="1.00fr",
        costs_title="Cost of the first 2 years",
        costs=(
            ("24 payments of £538.94", "£12,934.56"),
            ("Lender fees", "£1,999.00"),
            ("Total to pay over 2 years", "£14,933.56"),
            ("Less what comes off the loan", "− £4,721.91"),
            ("True cost over 2 years", "£10,211.65"),
        ),
        split=replace(ALDER_SPLIT, capital="£4,721.91", interest="£8,212.65"),
        steps=true_cost_steps(ALDER),
        end=deal_end(ALDER, today=TODAY),
        small_print=(
            "Up to 75% loan to value.",
            "Loans from £25,000 to £1,000,000.",
            "Early repayment charge: 3% of what you repay, until the deal ends.",
        ),
        example=example_sentence(ALDER),
        example_aprc=aprc_sentence(ALDER),
        unregulated=False,
    )


def test_interest_only_says_that_the_loan_falls_due() -> None:
    details = rate_details(priced("a", interest_only=True), unregulated=True)
    assert details.small_print[-1] == "Interest only: the loan itself is due at the end of the term."
    assert details.unregulated is True


def test_bar_of_the_deal_is_a_fifth_of_the_term_or_its_share() -> None:
    shares = {(24, 40): "1.00fr", (60, 10): "2.50fr", (60, 5): "5.00fr"}
    details = {(months, years): rate_details(priced("a", months=months, years=years)) for months, years in shares}
    assert {term: each.initial_share for term, each in details.items()} == shares
    assert details[60, 5].later_payment == ""


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
