"""The early repayment charges and incentives of the sample products, chosen by chance for each line of a lender."""

from broker.domain.rates.incentives import ANY_AMOUNT, FIRST_TIME_BUYERS_ONLY, Incentives
from broker.market.csv_tables import FIXED, PURCHASE
from broker.market.product_recipe import ProductLine
from broker.market.seeded_random import choice, uniform

_LADDERS = {2: (2, 1), 3: (3, 2, 1), 5: (5, 4, 3, 2, 1)}
"""The early repayment charge of a fixed deal, percent of the balance by year."""


def yearly_charges(line: ProductLine) -> tuple[int, ...]:
    """Return the early repayment charge of each year, in percent of the balance; most trackers have none."""
    if line.rate_type == FIXED:
        return _LADDERS[line.years]
    return (1,) * line.years if uniform(*line.key, "charge") < 0.25 else ()


def incentives(line: ProductLine) -> Incentives:
    """Return what a line offers: 5% of homes to buy are for first-time buyers, who always get money back."""
    key = (*line.key, line.fee.name)
    is_home = not line.buy_to_let
    is_first = is_home and line.purpose == PURCHASE and uniform(*key, "first-time buyers") < 0.05
    amounts = (500, 1_000) if is_first else (250, 500)
    has_cashback = is_first or uniform(*key, "cashback") < 0.2
    return Incentives(
        cashback=choice(amounts, *key, "amount") if has_cashback else 0,
        free_valuation=uniform(*key, "valuation") < 0.45,
        free_legal_work=line.purpose != PURCHASE and uniform(*line.key, "legal work") < 0.6,
        overpayment_percent=_overpayment_percent(line),
        is_portable=is_home and uniform(line.lender.lender_id, line.rate_type, "portable") < 0.85,
        eligibility=FIRST_TIME_BUYERS_ONLY if is_first else "",
    )


def _overpayment_percent(line: ProductLine) -> float:
    """Return the share of the balance that may be repaid in a year: 10%, a few lenders 20%, any without a charge."""
    if not yearly_charges(line):
        return ANY_AMOUNT
    return 20 if uniform(line.lender.lender_id, "overpayments") < 0.1 else 10
