"""The loan to value of a step's answers: worked out alike on numbers and on browser expressions, rounded as shown.

It is shown to one decimal place, halves up, and without the place where it is 0: `60%`, `66.7%`.
"""

from __future__ import annotations

from broker.domain.arithmetic import Amount, Text, choose, maximum
from broker.domain.money import decimals
from broker.domain.questionnaire.flow import SecondValue


def loan(value: Amount, second: Amount, *, kind: SecondValue) -> Amount:
    """Return the loan in pounds: the second value itself, or what a deposit leaves of the price, 0 at the least."""
    return second if kind is SecondValue.LOAN else maximum(value - second, 0)


def loan_to_value(value: Amount, second: Amount, *, kind: SecondValue) -> Amount:
    """Return the loan to value in percent, rounded to one decimal place; 0 where the value is not above 0.

    It is above 100 where more is owed than the property is worth.
    """
    return choose(
        value > 0,
        lambda: (loan(value, second, kind=kind) * 1000 / value + 0.5) // 1 / 10,
        lambda: 0,
    )


def ltv_figure(percent: Amount) -> Text:
    """Write a loan to value that is rounded already, without its sign: `60`, `66.7`."""
    return choose(percent % 1 == 0, lambda: decimals(percent, 0), lambda: decimals(percent, 1))
