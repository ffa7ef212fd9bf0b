"""Section 5 of the specification, line by line: what may be typed, and what is said of the rest."""

import pytest

from broker.calculators.buy_to_let import VALUE_UNKNOWN
from broker.calculators.calculator import Field, Unit, box_text, input_problem, value_text
from broker.calculators.registry import CALCULATORS
from broker.calculators.view import TICKED, calculator_view
from broker.lending.money import amount_in, amount_problem
from broker.rates.query import QueryError, RatesQuery, field_problems, price_problem, term_problem, whole_pounds
from broker.rates.query import amount_problem as loan_problem

FIELDS = {f"{calculator.slug} {field.name}": field for calculator in CALCULATORS for field in calculator.fields}
INCOME, LOAN = FIELDS["borrow income1"], FIELDS["repayment loan"]
RATE, TERM = FIELDS["repayment rate"], FIELDS["repayment term"]

FIGURES = "Enter a number in figures, for example 250,000"
MINUS = "Enter a number of 0 or more, without a minus sign"
PENCE = "Write pence after a full stop, for example 150.50"
TOO_MUCH = "Enter an amount below £10 billion"

AMOUNTS_READ: dict[str, float] = {"": 0, "0": 0, "£": 0, " ": 0, "\t": 0, "\u2003": 0, "250000": 250_000, "0005": 5}
AMOUNTS_READ |= {"£250,000": 250_000, "£1,234.50": 1_234.5, "  5000 ": 5_000, "£ 5000": 5_000, "5.": 5, ".5": 0.5}
# A hard space, and a tab and a line end from a spreadsheet
AMOUNTS_READ |= {"5000\u00a0": 5_000, "\t5000\n": 5_000}
# Commas where they were before a digit was deleted or added
AMOUNTS_READ |= {"250,000": 250_000, "50,": 50, "50,0001": 500_001}
AMOUNTS_READ |= {" 1 000 ": 1_000, "250 000": 250_000, "250\u202f000.50": 250_000.5, "12,34,567": 1_234_567}
AMOUNTS_READ |= {"£250k": 250_000, "250 K": 250_000, "0.25m": 250_000, "£1.2575M": 1_257_500}
AMOUNTS_READ |= {".5k": 500, "1,250k": 1_250_000, "0.29m": 290_000, "0.57m": 570_000, "2.675k": 2_675, "0.000001m": 1}
# Full-width, as East Asian keyboards type them
AMOUNTS_READ |= {
    "１２３": 123,
    "￡２５０，０００．５０": 250_000.5,
    "０.２５ｍ": 250_000,
    "２５０\u3000０００": 250_000,
}
AMOUNTS_READ |= {"9999999999.99": 9_999_999_999.99, "£9,999,999,999": 9_999_999_999}

NO_FIGURES = (
    "abc 250b 1e9 NaN Infinity 0x10 ,500 1.2.3 . $500 1+1 ١٢٣ - 5- <b>5</b> k .m 5kk 1.2505k 1.005 250.000 250'000"
)
AMOUNTS_REFUSED = {
    TOO_MUCH: ("10000000000", "£10,000,000,000", "9" * 400, "10000m", "1 000 000 000 0"),
    FIGURES: tuple(NO_FIGURES.split()),
    MINUS: ("-5", "-£5", "£-5", "\u22125", "\u20135", "-.5", "－５"),
    PENCE: ("150,50", "150,5", "£1,234,50", "1 234,50 ", "50,00", "0,25m", "１５０，５０", "150,50.00", "1,5k"),
}


def test_amounts_are_read_or_refused_with_a_sentence() -> None:
    assert {text: amount_in(text) for text in AMOUNTS_READ} == AMOUNTS_READ
    sentences = {text: sentence for sentence, texts in AMOUNTS_REFUSED.items() for text in texts}
    sentences |= dict.fromkeys(AMOUNTS_READ, "")
    assert {text: amount_problem(text) for text in sentences} == sentences
    assert {text: input_problem(INCOME, text) for text in sentences} == sentences


POSITIVE = (
    "repayment loan",
    "remortgage loan",
    "two-deals loan",
    "buy-to-let-borrowing rent",
    "buy-to-let-borrowing value",
)
POSITIVE += ("buy-to-let-rent value", "contractor dayRate", "buying price")
POSITIVE += ("stamp-duty price", "deposit goal", "deposit price", "rental-yield price", "overpayment loan")
POSITIVE += ("landlord-test rent", "landlord-test loan", "landlord-test value")
POSITIVE += ("rate-change loan", "early-repayment-charge loan", "interest-only loan", "offset loan")
"""Amounts without which there is nothing to work out."""

NEEDED = [name for name, field in FIELDS.items() if field.unit is Unit.POUNDS and field.min_value]

LEAST = "Enter £1 or more"


def test_empty_box_counts_as_0_and_says_so_where_0_is_refused() -> None:
    assert set(POSITIVE) <= set(NEEDED)
    said = dict.fromkeys(("", " ", "\t"), f"Empty counts as 0. {LEAST}") | dict.fromkeys(("0", "£", "0.99"), LEAST)
    said |= {"1": "", "£250,000": "", "-5": MINUS, "abc": FIGURES, "10000000000": TOO_MUCH}
    assert {text: input_problem(LOAN, text) for text in said} == said


@pytest.mark.parametrize("name", NEEDED)
def test_calculator_without_a_figure_it_needs_has_no_answer(name: str) -> None:
    slug, _, field = name.partition(" ")
    [calculator] = [each for each in CALCULATORS if each.slug == slug]
    view = calculator_view(calculator, {field: ""})
    wrong = [one.name for one, shown in zip(calculator.fields, view.fields, strict=True) if shown.is_wrong]
    assert (view.is_wrong, wrong) == (True, [field])


def test_only_the_first_40_characters_of_a_box_are_read() -> None:
    [repayment] = [each for each in CALCULATORS if each.slug == "repayment"]
    [_, rate, _] = calculator_view(repayment, {"rate": "x" * 16_000}).fields
    assert (rate.text, rate.is_wrong) == ("x" * 40, True)


def test_value_is_not_needed_where_it_is_not_known() -> None:
    [calculator] = [each for each in CALCULATORS if each.slug == "buy-to-let-borrowing"]
    view = calculator_view(calculator, {"value": "", VALUE_UNKNOWN: TICKED})
    assert (view.is_wrong, view.answer.figure) == (False, "£60,000")


RATE_ADVICE = "Enter a rate from 0 to 25%, to three places at most"
TERM_ADVICE = "Enter 1 to 40 years, in whole or half years"
EMPTY_TERM = f"Empty counts as 0. {TERM_ADVICE}"

RATES_TAKEN = ("", "0", "4.5", "5.99", "5.99%", " 5.99 % ", "5.", "5.125", ".125", "25")
RATES_REFUSED = ("25.01", "25.001", "5.1251", "1e1", "-1", "five", ".", "9" * 400)
TERMS_TAKEN = ("1", "25", " 40 ", "7.5", "7.", "7.0", "7.50", "1.5")
TERMS_REFUSED = ("0", "41", "40.5", "2.25", ".5", ".", "-5", "1e1", "ten", "9" * 400)


def test_rate_and_term_boxes_say_what_they_take() -> None:
    assert {text: input_problem(RATE, text) for text in RATES_TAKEN} == dict.fromkeys(RATES_TAKEN, "")
    assert {text: input_problem(RATE, text) for text in RATES_REFUSED} == dict.fromkeys(RATES_REFUSED, RATE_ADVICE)
    assert {text: input_problem(TERM, text) for text in TERMS_TAKEN} == dict.fromkeys(TERMS_TAKEN, "")
    assert {text: input_problem(TERM, text) for text in TERMS_REFUSED} == dict.fromkeys(TERMS_REFUSED, TERM_ADVICE)
    assert {text: input_problem(TERM, text) for text in ("", " ", "\t")} == dict.fromkeys(("", " ", "\t"), EMPTY_TERM)


@pytest.mark.parametrize("field", FIELDS.values(), ids=FIELDS)
def test_default_and_both_ends_of_the_slider_are_in_order_in_the_box(field: Field) -> None:
    texts = [box_text(field, value) for value in (field.default, field.low, field.high)]
    assert [input_problem(field, text) for text in texts] == ["", "", ""]


@pytest.mark.parametrize(
    ("unit", "value", "text", "said"),
    [
        (Unit.POUNDS, 250_000, "250,000", "£250,000"),
        (Unit.PERCENT, 4.5, "4.50", "4.50%"),
        (Unit.PERCENT, 5.125, "5.125", "5.125%"),
        (Unit.YEARS, 25, "25", "25 years"),
        (Unit.YEARS, 7.5, "7.5", "7.5 years"),
        (Unit.YEARS, 1, "1", "1 year"),
    ],
)
def test_value_is_written_in_the_box_and_spoken_with_its_unit(unit: Unit, value: float, text: str, said: str) -> None:
    field = Field(name="one", label="One", default=0, unit=unit, high=1)
    assert (box_text(field, value), value_text(field, value)) == (text, said)


PRICE_EMPTY = "Enter the property price, for example 200,000"
PRICE_DIGITS = "Enter the property price in digits only, for example 200,000"
PRICE_TOO_HIGH = "Enter the property price below £10 billion"
LOAN_TOO_HIGH = "Enter the mortgage amount below £10 billion"
LOAN_EMPTY = "Enter the mortgage amount, for example 100,000"
LOAN_DIGITS = "Enter the mortgage amount in digits only, for example 100,000"

MONEY_TYPED = {
    ("", ""): ("200000", "200,000", " £200,000 ", "1", "310000.00", "200000.50", "200 000", "£250k", "0.25m", "１２３"),
    (PRICE_EMPTY, LOAN_EMPTY): ("", "  ", "\t", "\u2003", "0", "£", "0.40"),
    (PRICE_DIGITS, LOAN_DIGITS): ("abc", "-5", "1e5", ",200", "50%", "١٢٣", "250.000"),
    (PENCE, PENCE): ("150,50", "200000,5", "0,25m"),
    (PRICE_TOO_HIGH, LOAN_TOO_HIGH): ("10000000000", "9999999999.50", "9" * 400),
}


@pytest.mark.parametrize(("sentences", "texts"), MONEY_TYPED.items())
def test_price_and_amount_take_what_calculators_take_and_are_needed(
    sentences: tuple[str, str], texts: tuple[str, ...]
) -> None:
    found = {text: (price_problem(text), loan_problem(text, "9999999999")) for text in texts}
    assert found == dict.fromkeys(texts, sentences)


@pytest.mark.parametrize(
    ("amount", "price", "sentence"),
    [
        ("100000", "200000", ""),
        ("200000", "200000", ""),
        ("200,001", "£200,000", "Enter an amount that is not above the property price"),
        ("100000", "", ""),
        ("100000", "abc", ""),
        ("", "200000", LOAN_EMPTY),
    ],
)
def test_amount_is_not_above_a_price_that_is_in_order(amount: str, price: str, sentence: str) -> None:
    assert loan_problem(amount, price) == sentence


def test_term_is_whole_years_from_1_to_40() -> None:
    refused = ("", "0", "41", "99", "2.5", "-5", "ten", "1e1", "£5", " ", "\t", "٥", "2,5", "9" * 400)
    assert [term_problem(term) for term in ("1", "25", "40", "040", " 25 ", "25.0", "２５")] == [""] * 7
    assert {term_problem(term) for term in refused} == {"Enter a term in whole years, from 1 to 40"}


def test_three_fields_are_judged_together() -> None:
    assert field_problems("", "abc", term="41") == {
        "price": PRICE_EMPTY,
        "amount": LOAN_DIGITS,
        "term": "Enter a term in whole years, from 1 to 40",
    }
    assert field_problems("200,000", "100,000", term="25") == {"price": "", "amount": "", "term": ""}


@pytest.mark.parametrize(
    ("text", "amount"), [("£200,000", 200_000), ("", 0), ("abc", 0), (" 7 ", 7), ("1.5", 2), ("1.49", 1), ("1,5", 0)]
)
def test_whole_pounds_rounds_an_amount_and_counts_the_rest_as_none(text: str, amount: float) -> None:
    assert whole_pounds(text) == amount


@pytest.mark.parametrize(
    "changes",
    [
        *({"price": price} for price in (0, -1, 10_000_000_000)),
        *({"amount": amount} for amount in (0, 200_001)),
        *({"term": term} for term in (0, 41)),
        {"price": 0, "amount": 0, "term": 0},
    ],
)
def test_query_refuses_numbers_that_no_mortgage_has(changes: dict[str, int]) -> None:
    with pytest.raises(QueryError) as refused:
        RatesQuery(**changes)  # pyright: ignore[reportArgumentType] - every change here is a whole number
    assert list(refused.value.problems) == list(changes)
