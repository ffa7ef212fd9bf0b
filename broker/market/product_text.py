"""The texts of a sample product: id, title, early repayment charge and notes."""

from calendar import monthrange
from datetime import date

from markupsafe import Markup

from broker.market.csv_tables import FIXED, PURCHASE
from broker.market.product_recipe import Fee, ProductLine
from broker.market.seeded_random import choice, uniform

_LADDERS = {2: (2, 1), 3: (3, 2, 1), 5: (5, 4, 3, 2, 1)}
"""The early repayment charge of a fixed deal, percent of the balance by year."""

_GIFTS = ("Free standard valuation.", "£250 cashback on completion.", "£500 cashback on completion.")


def product_id(line: ProductLine, band: int) -> str:
    """Return the id: `halifax-purchase-2-year-fixed-75-ltv-999-fee`, or `halifax-buy-to-let-purchase-...`."""
    let = "-buy-to-let" if line.buy_to_let else ""
    return f"{line.lender.slug}{let}-{line.purpose}-{line.years}-year-{line.rate_type}-{band}-ltv-{line.fee.name}-fee"


def title(line: ProductLine, band: int, *, as_of: date) -> str:
    """Return the product's short title, for example `2-year fixed, up to 75% LTV, £999 fee`."""
    kind = "fixed" if line.rate_type == FIXED else "tracker"
    dated = line.months != line.years * 12
    deal = f"{kind} to {_day(months_on(as_of, line.months))}" if dated else f"{line.years}-year {kind}"
    start = f"Buy to let {deal}" if line.buy_to_let else deal[0].upper() + deal[1:]
    return f"{start}, up to {band}% LTV, {_fee(line.fee)}"


def early_repayment_charge(line: ProductLine, as_of: date) -> str:
    """Return the early repayment charge in words; most trackers have none."""
    if line.rate_type != FIXED:
        charged = uniform(*line.key, "charge") < 0.25
        return f"1% of the balance in the first {line.years} years, then none" if charged else "None"
    ladder = _LADDERS[line.years]
    if line.months == line.years * 12:
        first, *later = [f"{percent}% in year {year}" for year, percent in enumerate(ladder, 1)]
        return ", then ".join([first.replace("%", "% of the balance"), *later, "none"])
    ends = [_day(months_on(as_of, line.months - 12 * left)) for left in reversed(range(len(ladder)))]
    first, *later = [f"{percent}% until {end}" for percent, end in zip(ladder, ends, strict=True)]
    return ", then ".join([first.replace("%", "% of the balance"), *later, "none"])


def notes(line: ProductLine) -> str:
    """Return the product's extras, as HTML; empty for none."""
    said: list[str] = []
    if line.rate_type == FIXED:
        said.append("Overpay up to 10% of the balance a year without an early repayment charge.")
    if uniform(*line.key, line.fee.name, "gift") < 0.4:
        said.append(choice(_GIFTS, *line.key, line.fee.name, "which gift"))
    if line.purpose != PURCHASE and uniform(*line.key, "legal work") < 0.6:
        said.append("Free standard legal work.")
    return str(Markup("<p>{}</p>").format(" ".join(said))) if said else ""


def months_on(day: date, months: int) -> date:
    """Return the last day of the month a number of months after a day."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return date(year, month + 1, monthrange(year, month + 1)[1])


def _day(day: date) -> str:
    return f"{day.day} {day:%B %Y}"


def _fee(fee: Fee) -> str:
    if fee.percent:
        return f"{fee.percent}% fee"
    return f"£{fee.pounds:,} fee" if fee.pounds else "no fee"
