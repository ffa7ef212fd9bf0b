"""Three deals, and their cards with every string written out."""

from collections.abc import Sequence
from datetime import UTC, datetime

from broker.domain.rates.product import RateProduct, RatesAnswer, RateType
from broker.domain.rates.query import RatesQuery
from broker.domain.rates.ranking import winners
from broker.presenters.rates.product_text import Headline, Split
from broker.presenters.rates.results import RateCard
from tests.unit.domain.rates.products import priced

ALDER = priced("alder", rate=4.2, fees=1_999, lender_id=1)
BIRCH = priced("birch", rate=4.5, fees=499.5, lender_id=2, lender_name="Birch Building Society")
CEDAR = priced("cedar", rate=4.8, fees=249, months=27, lender_id=3, lender_name="Cedar", rate_type=RateType.VARIABLE)
THREE = (ALDER, BIRCH, CEDAR)
LOGOS = {1: "/art/lender-alder.svg"}


def answer(products: Sequence[RateProduct], query: RatesQuery, *, fee_free: int = 0) -> RatesAnswer:
    """Return what a source would say of some products."""
    best = winners(products)
    return RatesAnswer(
        query=query,
        products=products,
        fee_free=fee_free,
        read_at=datetime(2026, 3, 4, 9, tzinfo=UTC),
        sample=True,
        cheapest_cash=best.cash,
        cheapest_true=best.true,
    )


CARDS = (
    RateCard(
        product_id="alder",
        headline=Headline(
            lender="Alder Bank",
            initials="AB",
            logo="/art/lender-alder.svg",
            rate="4.20%",
            rate_caption="fixed, 24 months",
            aprc="7.28%",
        ),
        summary="2-year fixed, repayment, over 25 years",
        tag="Lowest rate",
        best=False,
        payment="£538.94",
        payment_caption="for 24 months",
        fees="£1,999",
        total_label="Total to pay, 2 years",
        total="£14,934",
        true_label="True cost, 2 years",
        true_cost="£10,212",
        true_year="£5,106 a year",
        split=Split(
            capital="£4,722",
            interest="£8,213",
            fees="£1,999",
            capital_share="31.6%",
            interest_share="55.0%",
            fees_share="13.4%",
        ),
        why="The lowest rate shown, but the £1,999 of fees makes it £452 a year dearer than Birch Building Society at "
        "4.50%.",
        follow_on="7.50% variable, £725.44 a month for 23 years",
        ltv="50%; this deal allows up to 75%",
        early_repayment="3% of what you repay, until the deal ends.",
    ),
    RateCard(
        product_id="birch",
        headline=Headline(
            lender="Birch Building Society", initials="BB", rate="4.50%", rate_caption="fixed, 24 months", aprc="7.17%"
        ),
        summary="2-year fixed, repayment, over 25 years",
        tag="Lowest true cost",
        best=True,
        payment="£555.83",
        payment_caption="for 24 months",
        fees="£499.50",
        total_label="Total to pay, 2 years",
        total="£13,839",
        true_label="True cost, 2 years",
        true_cost="£9,307",
        true_year="£4,654 a year",
        split=Split(
            capital="£4,532",
            interest="£8,808",
            fees="£499.50",
            capital_share="32.7%",
            interest_share="63.6%",
            fees_share="3.6%",
        ),
        why="Lowest true cost of those shown. A higher rate than Alder Bank at 4.20%, but £1,499.50 less in fees.",
        follow_on="7.50% variable, £726.88 a month for 23 years",
        ltv="50%; this deal allows up to 75%",
        early_repayment="3% of what you repay, until the deal ends.",
    ),
    RateCard(
        product_id="cedar",
        headline=Headline(lender="Cedar", initials="C", rate="4.80%", rate_caption="variable, 27 months", aprc="7.14%"),
        summary="2-year variable, repayment, over 25 years",
        tag="",
        best=False,
        payment="£573.00",
        payment_caption="for 27 months",
        fees="£249",
        total_label="Total to pay, 27 months",
        total="£15,720",
        true_label="True cost, 27 months",
        true_cost="£10,798",
        true_year="£4,799 a year",
        split=Split(
            capital="£4,922",
            interest="£10,549",
            fees="£249",
            capital_share="31.3%",
            interest_share="67.1%",
            fees_share="1.6%",
        ),
        why="£145 more a year than Birch Building Society at 4.50%, the lowest true cost of those shown.",
        follow_on="7.50% variable, £726.91 a month for 273 months",
        ltv="50%; this deal allows up to 75%",
        early_repayment="3% of what you repay, until the deal ends.",
    ),
)
