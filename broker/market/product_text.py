"""The texts of a sample product: its id, title and early repayment charge.

A deal that does not last whole years is written in months: a date would be past one day.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import groupby

from broker.domain.rates.product import NO_CHARGE
from broker.market.product_recipe import ProductLine


def product_id(line: ProductLine, band: int) -> str:
    """Return the id: `halifax-purchase-2-year-fixed-75-ltv-999-fee`, or `halifax-buy-to-let-purchase-...`."""
    let = "-buy-to-let" if line.buy_to_let else ""
    return f"{line.lender.slug}{let}-{line.purpose}-{line.years}-year-{line.rate_type}-{band}-ltv-{line.fee.name}-fee"


@lru_cache(maxsize=4_096)
def title(*, months: int, is_fixed: bool, is_let: bool, most_ltv: int, fee: float, fee_percent: float) -> str:
    """Return the product's short title, for example `2-year fixed, up to 75% LTV, £999 fee`."""
    length = f"{months}-month" if months % 12 else f"{months // 12}-year"
    deal = f"{length} {'fixed' if is_fixed else 'tracker'}"
    return f"{f'Buy to let {deal}' if is_let else deal}, up to {most_ltv}% LTV, {_fee(fee, fee_percent)}"


@lru_cache(maxsize=1_024)
def early_repayment_charge(yearly_charges: str, months: int) -> str:
    """Return the early repayment charge in words, from the percentages of its years, as `3;2;1`; empty for none.

    The first of them lasts longer where the deal is longer than whole years.
    """
    if not yearly_charges:
        return NO_CHARGE
    charges = yearly_charges.split(";")
    if len(set(charges)) == 1:
        return f"{charges[0]}% of the balance until the deal ends, then none"
    first, *later = _steps(charges, months)
    return ", then ".join([first.replace("%", "% of the balance"), *later, "none"])


def _steps(charges: Sequence[str], months: int) -> list[str]:
    extra = months - 12 * len(charges)
    if not extra:
        return [f"{percent}% in year {year}" for year, percent in enumerate(charges, 1)]
    ends = ((percent, 12 * year + extra) for year, percent in enumerate(charges, 1))
    lasts = [(percent, max(end for _, end in same)) for percent, same in groupby(ends, key=lambda step: step[0])]
    (first, end), *later = lasts
    return [f"{first}% in the first {end} months", *(f"{percent}% until month {end}" for percent, end in later)]


def _fee(fee: float, percent: float) -> str:
    if percent:
        return f"{percent:g}% fee"
    return f"£{fee:,.0f} fee" if fee else "no fee"
