"""Loan to value as it is shown, to a tenth of a percent, rounded up; for numbers and browser expressions.

Lenders price by bands, and a loan a pound over a band's end is in the next one: rounded down, 60.04% would read as if
it were within 60%.
"""

from dataclasses import dataclass

from broker.lending.arithmetic import Amount, Text, choose, minimum
from broker.lending.money import decimals


def loan_to_value(loan: Amount, value: Amount) -> Amount:
    """Return the loan to value in percent, rounded up to a tenth; 0 where the value is not above 0."""
    return choose(value > 0, lambda: -(-loan * 1000 / value // 1) / 10, lambda: 0)


def ltv_figure(percent: Amount) -> Text:
    """Format a rounded loan to value without its sign, and without a zero place: `60`, `66.7`."""
    return choose(percent % 1 == 0, lambda: decimals(percent, 0), lambda: decimals(percent, 1))


def ltv_text(loan: Amount, value: Amount) -> Text:
    """Format the loan to value of a loan: `60%`, `60.5%`."""
    return ltv_figure(loan_to_value(loan, value)) + "%"


@dataclass(frozen=True, slots=True, kw_only=True)
class GaugeView:
    """The texts of a gauge: its figure, and the length of the lit part of its ring, out of 100."""

    figure: Text
    lit: Text


def gauge_view(ltv: Amount) -> GaugeView:
    """Return the gauge of a loan to value in percent, as it is shown."""
    figure = choose(ltv > 999, lambda: "Over 999%", lambda: ltv_figure(ltv) + "%")
    return GaugeView(figure=figure, lit=decimals(minimum(ltv, 100), 1))
