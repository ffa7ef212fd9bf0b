"""The loan to value of a step's answers, for numbers and browser expressions.

It is rounded to one decimal place, halves up, and shown without a zero place: `60%`, `66.7%`.
"""

from broker.domain.arithmetic import Amount, Text, choose, maximum
from broker.domain.money import decimals
from broker.domain.questionnaire.flow import SecondValue


def loan(value: Amount, second: Amount, *, kind: SecondValue) -> Amount:
    """Return the loan in pounds: the second value itself, or the price less the deposit, 0 or more."""
    return second if kind is SecondValue.LOAN else maximum(value - second, 0)


def loan_to_value(value: Amount, second: Amount, *, kind: SecondValue) -> Amount:
    """Return the loan to value in percent, rounded to one decimal place; 0 if the value is not above 0.

    It is above 100 for negative equity.
    """
    return choose(value > 0, lambda: (loan(value, second, kind=kind) * 1000 / value + 0.5) // 1 / 10, lambda: 0)


def ltv_figure(percent: Amount) -> Text:
    """Format a rounded loan to value without its sign: `60`, `66.7`."""
    return choose(percent % 1 == 0, lambda: decimals(percent, 0), lambda: decimals(percent, 1))
