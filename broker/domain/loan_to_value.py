"""Loan to value as it is shown, to a tenth of a percent, rounded up; for numbers and browser expressions.

Lenders price by bands, and a loan a pound over a band's end is in the next one: rounded down, 60.04% would read as if
it were within 60%.
"""

from broker.domain.arithmetic import Amount, Text, choose
from broker.domain.money import decimals


def loan_to_value(loan: Amount, value: Amount) -> Amount:
    """Return the loan to value in percent, rounded up to a tenth; 0 where the value is not above 0."""
    return choose(value > 0, lambda: -(-loan * 1000 / value // 1) / 10, lambda: 0)


def ltv_figure(percent: Amount) -> Text:
    """Format a rounded loan to value without its sign, and without a zero place: `60`, `66.7`."""
    return choose(percent % 1 == 0, lambda: decimals(percent, 0), lambda: decimals(percent, 1))


def ltv_text(loan: Amount, value: Amount) -> Text:
    """Format the loan to value of a loan: `60%`, `60.5%`."""
    return ltv_figure(loan_to_value(loan, value)) + "%"
