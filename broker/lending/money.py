"""Formatting and parsing of pounds, percentages and years.

Python and the browser format alike, to the penny: halves are rounded up, and the decimal is rounded, not the binary
fraction behind it (2.675 is £2.68).
"""

import re
from decimal import ROUND_HALF_UP, Decimal
from functools import singledispatch
from math import nan

from broker.lending.arithmetic import SPACES, Amount, Text, choose, half_width, matches

MAX_POUNDS = 10_000_000_000
"""The first amount that is refused: ten billion (specification 5)."""

MAX_TEXT_LENGTH = 40
"""Characters that are read of a typed number; the rest is cut."""

BLANK = f"[{SPACES}]*"

NO_AMOUNT = f"[£{SPACES}]*"
"""A field for an amount in which nothing is typed."""

# In each pattern a text matches in one way only, so that the time to match grows with its length and no faster.
_NEGATIVE = rf"[£{SPACES}]*[-−–][£{SPACES}]*[0-9.][\d\D]*"
DECIMAL_COMMA = rf"[£{SPACES}0-9,]*,[0-9]{{1,2}}{BLANK}(?:[.kKmM][\d\D]*)?"
"""A text whose last comma is followed by one or two digits: `150,50` means £150.50 in most of Europe."""

PENCE_ADVICE = "Write pence after a full stop, for example 150.50"

_AMOUNT = re.compile(r"£*(?:(?=\.?[0-9])([0-9,]*)(?:\.([0-9]*))?([kKmM]?))?")  # js/numbers.js has it too
_SCALES = {"": (0, 2), "k": (3, 3), "m": (6, 6)}
"""The power of ten of each suffix of an amount, and the decimal places that it allows: to the penny or the pound."""

_NUMBER_WORDS = (
    *("nought", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"),
)

HALVES = rf"{BLANK}(?:(?:[0-9]+(?:\.(?:[05]0*)?)?|\.[05]0*){BLANK})?"
"""A number of wholes and halves, or nothing."""

THREE_PLACES = rf"{BLANK}(?:(?:[0-9]+(?:\.[0-9]{{0,3}})?|\.[0-9]{{1,3}}){BLANK}(?:%{BLANK})?)?"
"""A percentage with at most three decimal places, or nothing."""


@singledispatch
def decimals(value: Amount, places: int) -> Text:
    """Format a number with thousands commas and a fixed number of decimal places, halves rounded up, zero unsigned."""
    step = Decimal(1).scaleb(-places)
    rounded = Decimal(repr(float(value))).quantize(step, rounding=ROUND_HALF_UP)
    return f"{rounded:z,.{places}f}"


@singledispatch
def in_pounds(number: Text) -> Text:
    """Return a formatted number with a pound sign after any minus: `-£5`."""
    return "-£" + number[1:] if number.startswith("-") else "£" + number


def pounds(value: Amount) -> Text:
    """Format an amount in whole pounds: `£1,235`."""
    return in_pounds(decimals(value, 0))


def exact_pounds(value: Amount) -> Text:
    """Format an amount in whole pounds if it is whole, else to the penny."""
    return in_pounds(exact(value))


@singledispatch
def exact(value: Amount) -> Text:
    """Format a number without decimals if it is whole, else with two."""
    pence = (value * 100 + 0.5) // 1
    return choose(pence % 100 == 0, lambda: decimals(value, 0), lambda: decimals(value, 2))


def pounds_and_pence(value: Amount) -> Text:
    """Format an amount to the penny: `£1,234.50`."""
    return in_pounds(decimals(value, 2))


def percent(value: Amount) -> Text:
    """Format a percentage to two places: `4.50%`."""
    return decimals(value, 2) + "%"


def exact_percent(value: Amount) -> Text:
    """Format a percentage to two places, or to three where it has thousandths: `5.125%`."""
    return rate_digits(value) + "%"


def rate_digits(value: Amount) -> Text:
    """Format a percentage without its sign to two places, or to three where it has thousandths: `5.125`."""
    thousandths = (value * 1000 + 0.5) // 1
    return choose(thousandths % 10 == 0, lambda: decimals(value, 2), lambda: decimals(value, 3))


def halves(value: Amount) -> Text:
    """Format a number of wholes and halves: `7`, `7.5`."""
    return choose(value % 1 == 0, lambda: decimals(value, 0), lambda: decimals(value, 1))


def years(value: Amount) -> Text:
    """Format a number of years with its unit: `1 year`, `7.5 years`."""
    return halves(value) + choose(value == 1, lambda: " year", lambda: " years")


def years_and_months(months: Amount) -> Text:
    """Format a whole number of months: `5 years 11 months`, `1 year`, `0 months`."""
    whole, rest = months // 12, months % 12
    in_years = decimals(whole, 0) + choose(whole == 1, lambda: " year", lambda: " years")
    in_months = decimals(rest, 0) + choose(rest == 1, lambda: " month", lambda: " months")
    mixed = choose(rest == 0, lambda: in_years, lambda: in_years + " " + in_months)
    return choose(whole == 0, lambda: in_months, lambda: mixed)


def number_word(count: int) -> str:
    """Return a small number in words, `seven`, and one above twenty in digits."""
    return _NUMBER_WORDS[count] if 0 <= count < len(_NUMBER_WORDS) else f"{count:,}"


def counted(count: int, thing: str) -> str:
    """Return a count of things whose plural takes an s: `1 day`, `3 days`."""
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"


def capitalised(words: str) -> str:
    """Return words as the start of a line: `no answer` as `No answer`."""
    return words[:1].upper() + words[1:]


def amount_problem(text: Text, *, least: float = 0, advice: str = "") -> Text:
    """Return the error message for a typed amount, empty for a good one; below `least` it is `advice`.

    An empty entry is 0; ten billion or more is refused (specification 5), and so is a decimal comma.
    """
    amount = amount_in(text)

    def size_problem() -> Text:
        too_little = choose(amount < least, lambda: advice, lambda: "") if least else ""
        return choose(amount < MAX_POUNDS, lambda: too_little, lambda: "Enter an amount below £10 billion")

    def form_problem() -> Text:
        return choose(
            matches(text, _NEGATIVE),
            lambda: "Enter a number of 0 or more, without a minus sign",
            lambda: choose(
                matches(text, DECIMAL_COMMA),
                lambda: PENCE_ADVICE,
                lambda: "Enter a number in figures, for example 250,000",
            ),
        )

    return choose(amount >= 0, size_problem, form_problem)


@singledispatch
def amount_in(text: Text) -> Amount:
    """Parse a typed amount in pounds: `£250,000`, `250 000`, `250k` and `0.25m` are 250000, a blank text 0.

    NaN for anything else. Commas and spaces may be anywhere among the digits, since a visitor deletes and adds some,
    except a comma before one or two last digits: it may be the decimal comma of other countries.
    """
    found = _AMOUNT.fullmatch(re.sub(f"[{SPACES}]", "", half_width(text)))
    if found is None:
        return nan
    whole, fraction, suffix = (part or "" for part in found.groups())
    power, places = _SCALES[suffix.lower()]
    if re.search(",[0-9]{1,2}$", whole) or len(fraction) > places:
        return nan
    return float(f"{whole.replace(',', '') or 0}.{fraction}e{power}")
