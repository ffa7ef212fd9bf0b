"""What it takes to reach the next lower band of loan to value, and what that is worth."""

from broker.domain.rates.ltv_band import LowerBand
from broker.lending.money import percent, pounds, pounds_and_pence


def band_sentence(band: LowerBand | None, *, amount: int) -> str:
    """Return the sentence on a lower band for the loan of a search; empty where there is none."""
    if band is None:
        return ""
    less = pounds(amount - band.query.amount)
    takes = f"{less} more deposit, so {less} less to borrow," if band.query.purchase else f"{less} less to borrow"
    rates = f"from {percent(band.here.initial_rate)} to {percent(band.there.initial_rate)} for the lowest rate"
    return f"{takes} brings you to {band.ltv}%: {rates}, {_saving(band)}."


def band_button(band: LowerBand | None) -> str:
    """Return the label of the link that searches with the smaller loan."""
    return f"Search with {pounds(band.query.amount)}" if band else ""


def _saving(band: LowerBand) -> str:
    """Return the difference between both payments as they are shown, to the pound where it is one or more."""
    less = round(band.here.initial_payment, 2) - round(band.there.initial_payment, 2)
    shown = pounds(abs(less)) if abs(less) >= 1 else pounds_and_pence(abs(less))
    return f"{shown} a month less" if less >= 0 else f"{shown} a month more"
