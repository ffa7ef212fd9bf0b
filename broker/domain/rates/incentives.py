"""What a product offers beside its rate: money back, free services, allowances, and who may apply."""

from dataclasses import dataclass

ANY_AMOUNT = 100.0
"""The overpayment allowance of a product that may be repaid at any time, in percent."""

FIRST_TIME_BUYERS_ONLY, HOME_MOVERS_ONLY = "First-time buyers only", "Home movers only"
"""The eligibility of products that not every customer type may have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Incentives:
    """The incentives of a product; what its source does not state is 0, False, None or empty.

    `cashback` is in pounds, paid on completion. `overpayment_percent` is the share of the balance that may be repaid
    each year without a charge. `eligibility` says who may apply, where not everybody may.
    """

    cashback: float = 0
    free_valuation: bool = False
    free_legal_work: bool = False
    overpayment_percent: float | None = None
    is_portable: bool | None = None
    eligibility: str = ""


NO_INCENTIVES = Incentives()
