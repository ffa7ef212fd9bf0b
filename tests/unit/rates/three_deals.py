"""Three deals, and the headline and the costs of the first as a page shows them."""

from collections.abc import Sequence
from datetime import UTC, datetime

from broker.rates.product import RateProduct, RatesAnswer, RateType
from broker.rates.product_text import Headline, Split
from broker.rates.query import RatesQuery
from broker.rates.ranking import answer_of
from tests.unit.rates.products import priced

ALDER = priced("alder", rate=4.2, fees=1_999, lender_id=1)
BIRCH = priced("birch", rate=4.5, fees=499.5, lender_id=2, lender_name="Birch Building Society")
CEDAR = priced("cedar", rate=4.8, fees=249, months=27, lender_id=3, lender_name="Cedar", rate_type=RateType.VARIABLE)
THREE = (ALDER, BIRCH, CEDAR)
LOGOS = {1: "/art/lender-alder.svg"}


def answer(products: Sequence[RateProduct], query: RatesQuery, *, fee_free: int = 0) -> RatesAnswer:
    return answer_of(query, products, fee_free=fee_free, read_at=datetime(2026, 3, 4, 9, tzinfo=UTC), sample=True)


ALDER_HEADLINE = Headline(
    lender="Alder Bank",
    initials="AB",
    logo="/art/lender-alder.svg",
    rate="4.20%",
    rate_caption="fixed, 24 months",
    aprc="7.28%",
)
ALDER_SPLIT = Split(
    capital="£4,721.91",
    interest="£8,212.65",
    fees="£1,999",
    capital_share="31.6%",
    interest_share="55.0%",
    fees_share="13.4%",
    cashback_share="0.0%",
)
