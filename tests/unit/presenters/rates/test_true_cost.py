"""The working of a true cost in words, with every figure of every product right to the penny."""

import random
import re
from dataclasses import replace

from broker.presenters.rates.true_cost import cost_lines, true_cost_steps
from tests.unit.domain.rates.products import drawn, priced

ALDER = priced("alder", rate=4.2, fees=1_999)


def test_steps_lead_from_payments_to_the_true_cost() -> None:
    assert true_cost_steps(ALDER) == (
        "24 payments of £538.94 come to £12,934.56.",
        "Add the lender fees of £1,999.00: £12,934.56 + £1,999.00 = £14,933.56.",
        "You owe £100,000.00 at the start and £95,278.09 at the end, so £100,000.00 − £95,278.09 = £4,721.91 came off "
        "the loan.",
        "Take that from what you pay: £14,933.56 − £4,721.91 = £10,211.65. This is the true cost.",
        "It is the interest and the fees: £8,212.65 + £1,999.00 = £10,211.65.",
        "Spread over the deal, that is £5,105.83 a year.",
    )


def test_interest_only_owes_as_much_at_the_end() -> None:
    assert true_cost_steps(priced("a", rate=6, fees=999, interest_only=True))[2] == (
        "The payments are of interest only: you owe £100,000.00 at the start and at the end, so £0.00 comes off."
    )


def test_lenders_own_total_is_followed_where_it_has_something_besides() -> None:
    stated = replace(ALDER, cash_cost=15_000.56, true_cost=10_278.65)
    assert true_cost_steps(stated)[1] == (
        "Add the lender fees of £1,999.00: with what else is in the lender's own total, "
        "£12,934.56 + £1,999.00 + £67.00 = £15,000.56."
    )
    assert cost_lines(stated)[2:4] == (
        ("Other costs in the lender's own total", "£67.00"),
        ("Total to pay over 2 years", "£15,000.56"),
    )


def test_lenders_own_total_below_the_sum_takes_off() -> None:
    lines = cost_lines(replace(ALDER, cash_cost=14_900.56, true_cost=10_178.65))
    assert lines[2] == ("Other costs in the lender's own total", "− £33.00")


def test_lenders_own_total_that_nothing_bears_out_is_named_and_left() -> None:
    assert true_cost_steps(replace(ALDER, cash_cost=99_999))[2] == (
        "The lender's own total is £99,999.00, which these do not bear out; we go by the payments and fees."
    )


def test_every_sum_in_every_working_holds_to_the_penny() -> None:
    draw, sums = random.Random(71), 0
    for place in range(1_000):
        for step in true_cost_steps(drawn(draw, f"p{place}")):
            for first, sign, second, result in re.findall(r"£([\d,.]+) ([+−]) £([\d,.]+) = £([\d,]+\.\d\d)", step):
                one, other, total = (pennies(each) for each in (first, second, result))
                assert (one + other if sign == "+" else one - other) == total
                sums += 1
    assert sums > 3_000


def pennies(text: str) -> int:
    """Return a figure such as `5,214.37` in pennies."""
    return round(float(text.replace(",", "")) * 100)
