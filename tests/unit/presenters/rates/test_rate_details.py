"""One product in full: every string, and sums that add up to the penny."""

import random

import pytest

from broker.domain.money import amount_in
from broker.domain.rates.product import RateProduct
from broker.presenters.rates.deal_end import deal_end
from broker.presenters.rates.product_text import Headline, Split, aprc_sentence, example_sentence
from broker.presenters.rates.rate_details import RateDetails, rate_details
from broker.presenters.rates.true_cost import true_cost_steps
from tests.unit.domain.rates.products import drawn, priced

ALDER = priced("alder", rate=4.2, fees=1_999, notes="<p>Free valuation.</p>")


def test_details_show_every_figure() -> None:
    assert rate_details(ALDER, logo="/art/lender-alder.svg", unregulated=False, sample=False) == RateDetails(
        product_id="alder",
        title="Alder Bank, 2-year fixed",
        lasting="2-year",
        kind="fixed",
        headline=Headline(
            lender="Alder Bank",
            initials="AB",
            logo="/art/lender-alder.svg",
            rate="4.20%",
            rate_caption="fixed, 24 months",
            aprc="7.28%",
        ),
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
        split=Split(
            capital="£4,722",
            interest="£8,213",
            fees="£1,999",
            capital_share="31.6%",
            interest_share="55.0%",
            fees_share="13.4%",
        ),
        steps=true_cost_steps(ALDER),
        end=deal_end(ALDER),
        small_print=(
            "Up to 75% loan to value.",
            "Loans from £25,000 to £1,000,000.",
            "Early repayment charge: 3% of what you repay, until the deal ends.",
        ),
        example=example_sentence(ALDER),
        example_aprc=aprc_sentence(ALDER),
        unregulated=False,
    )


def test_details_of_a_deal_that_fills_the_term_have_no_later_payment() -> None:
    details = rate_details(priced("a", months=60, years=5), logo="", unregulated=False, sample=False)
    assert (details.later_payment, details.initial_share) == ("", "5.00fr")


def test_interest_only_says_that_the_loan_falls_due() -> None:
    details = rate_details(priced("a", interest_only=True), logo="", unregulated=True, sample=False)
    assert details.small_print[-1] == "Interest only: the loan itself is due at the end of the term."
    assert details.unregulated is True


@pytest.mark.parametrize(
    ("product", "share"), [(priced("a", months=24, years=40), "1.00fr"), (priced("a", months=60, years=10), "2.50fr")]
)
def test_first_stretch_is_drawn_no_narrower_than_a_fifth(product: RateProduct, share: str) -> None:
    assert rate_details(product, logo="", unregulated=False, sample=False).initial_share == share


def pennies(text: str) -> int:
    """Return an amount as it is written, in pennies; what is taken off is below 0."""
    return round(amount_in(text.removeprefix("− ")) * 100) * (-1 if text.startswith("−") else 1)


def test_sum_of_every_product_adds_up_to_the_penny() -> None:
    draw = random.Random(51)
    for place in range(1_000):
        product = drawn(draw, f"p{place}")
        details = rate_details(product, logo="", unregulated=False, sample=False)
        lines = dict(details.costs)
        payments, fees, total, repaid, true = (pennies(figure) for figure in lines.values())
        assert payments == product.initial_months * pennies(details.payment)
        assert (payments + fees, total + repaid) == (total, true)


def test_shares_of_every_product_fill_the_bar() -> None:
    draw = random.Random(52)
    for place in range(1_000):
        details = rate_details(drawn(draw, f"p{place}"), logo="", unregulated=False, sample=False)
        shares = (details.split.capital_share, details.split.interest_share, details.split.fees_share)
        widths = [float(share.removesuffix("%")) for share in shares]
        assert min(widths) >= 0
        assert sum(widths) == pytest.approx(100, abs=0.15001)
