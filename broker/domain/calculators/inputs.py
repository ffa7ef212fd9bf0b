"""Texts of a calculator's fields: how values are written in them, and what is wrong with what was typed.

Every text may be a browser expression.
"""

from broker.domain import money
from broker.domain.arithmetic import Amount, Text, choose, matches
from broker.domain.calculators.calculator import Field, Unit


def box_text(field: Field, value: Amount) -> Text:
    """Return a value as the field's box shows it, without its unit: `250,000`, `4.50`, `7.5`."""
    if field.unit is Unit.PERCENT:
        return money.rate_digits(value)
    return money.halves(value) if field.unit is Unit.YEARS else money.exact(value)


def value_text(field: Field, value: Amount) -> Text:
    """Return a value with its unit, for a screen reader: `£250,000`, `4.50%`, `25 years`."""
    if field.unit is Unit.PERCENT:
        return money.exact_percent(value)
    return money.years(value) if field.unit is Unit.YEARS else money.exact_pounds(value)


def input_problem(field: Field, text: Text) -> Text:
    """Return the error message for a text typed in a field, empty for a good one (specification 5, decision 38).

    An empty text is 0, which is refused where the field does not reach down to it.
    """
    if field.unit is Unit.POUNDS:
        return money.amount_problem(text)
    limits = f"{money.decimals(field.min_value, 0)} to {money.decimals(field.max_value, 0)}"
    is_years = field.unit is Unit.YEARS
    advice = f"Enter {limits} years, in whole or half years" if is_years else f"Enter a rate from {limits}%"
    sentence = advice if is_years else f"{advice}, to three places at most"
    if field.min_value > 0:
        sentence = choose(matches(text, money.BLANK), lambda: f"Empty counts as 0. {advice}", lambda: sentence)
    return choose(
        matches(text, money.HALVES if is_years else money.THREE_PLACES),
        lambda: choose(
            (money.amount_in(text) >= field.min_value) & (money.amount_in(text) <= field.max_value),
            lambda: "",
            lambda: sentence,
        ),
        lambda: sentence,
    )


def is_wrong(field: Field, problem: Text, *, chosen: Text = "") -> Amount:
    """Return whether a field with an error stands in the way of an answer.

    `chosen` is the value of the choice that shows the field; one that does not show stands in nobody's way.
    """
    shown = field.only_for.partition("=")[2]
    return (problem != "") & (chosen == shown) if shown else problem != ""
