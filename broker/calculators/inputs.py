"""Texts of a calculator's fields: their values as text, and the error messages for typed texts.

Every text may be a browser expression.
"""

from collections.abc import Mapping

from broker.calculators.calculator import Field, Unit
from broker.domain import days
from broker.lending import money
from broker.lending.arithmetic import SPACES, Amount, Text, choose, matches, number_in


def box_text(field: Field, value: Amount) -> Text:
    """Return a value as the field's box shows it, without its unit: `250,000`, `4.50`, `7.5`."""
    if field.unit is Unit.DAY:
        return days.iso_text(value)
    if field.unit is Unit.PERCENT:
        return money.rate_digits(value)
    return money.halves(value) if field.unit is Unit.YEARS else money.exact(value)


def value_text(field: Field, value: Amount) -> Text:
    """Return a value with its unit, for a screen reader: `£250,000`, `4.50%`, `25 years`."""
    if field.unit is Unit.DAY:
        return choose(value == 0, lambda: "no date", lambda: days.day_text(value))
    if field.unit is Unit.PERCENT:
        return money.exact_percent(value)
    return money.years(value) if field.unit is Unit.YEARS else money.exact_pounds(value)


def number_of(field: Field, text: Text) -> Amount:
    """Return the number in a field's text that has no `input_problem`."""
    if field.unit is Unit.POUNDS:
        return money.amount_in(text)
    return number_in(text, f"-%{SPACES}")


def input_problem(field: Field, text: Text) -> Text:
    """Return the error message for a text typed in a field, empty for a good one (specification 5, decision 38).

    An empty text is 0, which is refused where the field does not reach down to it.
    """
    if field.unit is Unit.POUNDS:
        return _pounds_problem(field, text)
    if field.unit is Unit.DAY:
        return _day_problem(field, text)
    limits = f"{money.decimals(field.min_value, 0)} to {money.decimals(field.max_value, 0)}"
    is_years = field.unit is Unit.YEARS
    advice = f"Enter {limits} years, in whole or half years" if is_years else f"Enter a rate from {limits}%"
    sentence = advice if is_years else f"{advice}, to three places at most"
    if field.min_value > 0:
        sentence = choose(matches(text, money.BLANK), lambda: f"Empty counts as 0. {advice}", lambda: sentence)
    return choose(
        matches(text, money.HALVES if is_years else money.THREE_PLACES),
        lambda: choose(
            (number_of(field, text) >= field.min_value) & (number_of(field, text) <= field.max_value),
            lambda: "",
            lambda: sentence,
        ),
        lambda: sentence,
    )


def _pounds_problem(field: Field, text: Text) -> Text:
    if not field.min_value:
        return money.amount_problem(text)
    advice = f"Enter {money.pounds(field.min_value)} or more"
    return choose(
        matches(text, money.BLANK),
        lambda: f"Empty counts as 0. {advice}",
        lambda: money.amount_problem(text, least=field.min_value, advice=advice),
    )


def _day_problem(field: Field, text: Text) -> Text:
    advice = f"Enter a date from {days.EARLIEST_YEAR} to {days.LATEST_YEAR}, for example 2027-03-31"
    return choose(
        matches(text, money.BLANK),
        lambda: "",
        lambda: choose(
            matches(text, days.ISO_DAY),
            lambda: choose(days.is_day(number_of(field, text)), lambda: "", lambda: advice),
            lambda: advice,
        ),
    )


def needed_problem(field: Field, problem: Text, *, values: Mapping[str, Amount]) -> Text:
    """Return the error of a field, empty where the choices and checkboxes in `values` leave the field out."""
    if field.unless:
        return choose(values[field.unless], lambda: "", lambda: problem)
    name, _, option = field.only_for.partition("=")
    return choose(values[name] == option, lambda: problem, lambda: "") if name else problem
