"""The loan and the loan to value of a step's answers, for numbers and browser expressions."""

from broker.domain.questionnaire.flow import SecondValue
from broker.lending import loan_to_value as shown
from broker.lending.arithmetic import Amount, maximum


def loan(value: Amount, second: Amount, *, kind: SecondValue) -> Amount:
    """Return the loan in pounds: the second value itself, or the price less the deposit, 0 or more."""
    return second if kind is SecondValue.LOAN else maximum(value - second, 0)


def loan_to_value(value: Amount, second: Amount, *, kind: SecondValue) -> Amount:
    """Return the loan to value in percent, as it is shown; it is above 100 for negative equity."""
    return shown.loan_to_value(loan(value, second, kind=kind), value)
