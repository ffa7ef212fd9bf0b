"""A calculator with the inputs of an address, as display strings."""

from broker.calculators.repayment import CALCULATOR as REPAYMENT
from broker.calculators.view import calculator_view


def test_only_so_much_of_a_text_is_read() -> None:
    [_, rate, _] = calculator_view(REPAYMENT, {"rate": "x" * 16_000}).fields
    assert (rate.text, rate.is_wrong) == ("x" * 40, True)
