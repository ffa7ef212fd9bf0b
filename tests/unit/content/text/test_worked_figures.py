import re
import time

import pytest

from broker.calculators.borrow import borrow
from broker.content.text.placeholders import (
    FORMATS,
    FUNCTIONS,
    MAX_EXPRESSION,
    FigureError,
    work_out_figure,
    work_out_figures,
)
from broker.lending import mortgage, property_tax
from broker.lending.mortgage import RateStep

PAYMENT = mortgage.monthly_payment(200_000, 4.5, 25)
OWED = mortgage.balance_after(200_000, 4.5, 25, 24)
SUMS: dict[str, tuple[str, float]] = {
    "payment": ("payment(200000, 4.5, 25)", PAYMENT),
    "interest_only": ("interest_only(200000, 4.5)", 200_000 * 0.045 / 12),
    "balance": ("balance(200000, 4.5, 25, 24)", OWED),
    "total": ("total(200000, 4.5, 25)", round(PAYMENT, 2) * 300),
    "interest": ("interest(200000, 4.5, 25)", round(PAYMENT, 2) * 300 - 200_000),
    "cash_cost": ("cash_cost(200000, 4.5, 25, 24, 999)", PAYMENT * 24 + 999),
    "true_cost": ("true_cost(200000, 4.5, 25, 24, 999)", PAYMENT * 24 + 999 - (200_000 - OWED)),
    "aprc": (
        "aprc(200000, 4.5, 24, 7.5, 25, 999)",
        mortgage.aprc(200_000, [RateStep(4.5, 24), RateStep(7.5, 276)], fees_upfront=999),
    ),
    "sdlt_band": ("sdlt_band(2)", 250_000),
    "sdlt_rate": ("sdlt_rate(2)", 2),
    "sdlt_first_time_band": ("sdlt_first_time_band(2)", 500_000),
    "lbtt_band": ("lbtt_band(1)", 145_000),
    "lbtt_rate": ("lbtt_rate(5)", 12),
    "lbtt_first_time_band": ("lbtt_first_time_band(1)", 175_000),
    "ltt_band": ("ltt_band(4)", 1_500_000),
    "ltt_rate": ("ltt_rate(3)", 7.5),
    "ltt_higher_band": ("ltt_higher_band(1)", 180_000),
    "ltt_higher_rate": ("ltt_higher_rate(6)", 17),
    "borrow": ("borrow(35000, 28000)", borrow(35_000, 28_000)),
    "months_to_repay": ("months_to_repay(200000, 4.5, 1250)", 245),
    "months_to_repay at no interest": ("months_to_repay(1000, 0, 300)", 4),
    "payment at no interest": ("payment(120000, 0, 10)", 1_000),
    "operators": ("(1 + 2) * 3 - 8 / 4 - -1 * 0.5", 7.5),
}

TAXES = (
    "sdlt",
    "sdlt_first_time",
    "sdlt_additional",
    "lbtt",
    "lbtt_first_time",
    "lbtt_additional",
    "ltt",
    "ltt_higher",
)

FORMATTED = {
    "pence": {"1234.565": "£1,234.57", "0": "£0.00"},
    "pounds": {"1234.5": "£1,235", "999999.4": "£999,999"},
    "percent": {"4.125": "4.13%", "90": "90.00%"},
    "rate": {"8.50": "8.5%", "5": "5%"},
    "number": {"1234.5": "1,235"},
    "years": {"51": "4 years 3 months", "13": "1 year 1 month", "12": "1 year", "1": "1 month", "0": "0 months"},
}


@pytest.mark.parametrize(("expression", "value"), SUMS.values(), ids=list(SUMS))
def test_function_is_that_of_the_domain(expression: str, value: float) -> None:
    assert work_out_figure(expression, "pence") == f"£{value:,.2f}"


def test_functions_have_sums_formats_write_and_taxes_are_of_the_domain() -> None:
    assert (set(FUNCTIONS) - {*SUMS, *TAXES}, set(FORMATS)) == (set(), set(FORMATTED))
    for form, written in FORMATTED.items():
        assert {expression: work_out_figure(expression, form) for expression in written} == written, form
    for name in TAXES:
        assert work_out_figure(f"{name}(612340)", "pence") == f"£{getattr(property_tax, name)(612_340):,.2f}"


TEXTS = {
    "No figures, {{ firm }} and { x }.": "No figures, {{ firm }} and { x }.",
    "{{= 1 + 1 | pounds }}": "£2",
    "{{=1+1|pounds}} and {{=   2   |   pence   }}": "£2 and £2.00",
    "| {{= 1 | pounds }} | {{= 2 | pounds }} |": "| £1 | £2 |",
}


def test_figures_of_a_text_are_put_in_place() -> None:
    assert {text: work_out_figures(text) for text in TEXTS} == TEXTS


SOON = 2.0
"""Seconds in which the worst text is refused; it takes hundredths."""

REFUSED = {
    "no sum": ("", "1 +", "True", "None", "...", "'1'", "b'1'", "f'{1}'", "[1]", "(1, 2)[0]", "'\\d'"),
    "names and attributes": ("payment", "__name__", "payment.__globals__", "fact.lisa_limit", "firm.name"),
    "calls": ("rent(1)", "(1).bit_length()", "payment(1, 2, 3)(4)", "__import__('os').getcwd()", "eval('1')"),
    "arguments": ("sdlt('300000')", "sdlt(price=300000)", "sdlt(*(1,))", "sdlt(**{})", "payment(1, 2)", "sdlt(1, 2)"),
    "code": ("(lambda: 1)()", "[x for x in (1, 2)]", "1 if 1 else 2", "x = 1", "(x := 1)", "1\n2", "1; 2"),
    "comparisons": ("1 < 2", "1 and 2", "not 1"),
    "operators": ("[1] * 9", "9 ** 9", "9 ** 9 ** 9 ** 9", "1 << 9", "10 % 3", "10 // 3", "+1", "~1"),
    "complex numbers": ("1j", "payment(1, -13000, 0.05)"),
    "infinity": ("1 / 0", "payment(100000, 4.5, 0)", "1e999", "1e999 - 1e999"),
    "ten billion and more": ("10000000000", "100000 * 100000", "9" * 190),
    "loans that are not repaid": ("months_to_repay(200000, 4.5, 700)", "aprc(1000, 4.5, 24, 7.5, 25, 2000)"),
    "a deal as long as its term": ("aprc(1000, 4.5, 300, 7.5, 25, 0)", "aprc(1000, 4.5, 999999999, 7.5, 99, 0)"),
    "a term of a thousand million years": ("aprc(1000, 4.5, 24, 7.5, 999999999, 0)",),
    "parts of a month and of a band": ("aprc(1000, 4.5, 2.5, 7.5, 25, 0)", "sdlt_rate(1.5)"),
    "bands without an end, and none": ("sdlt_band(6)", "sdlt_band(0)", "sdlt_band(5)"),
    "deep nesting": ("(" * 90 + "1" + ")" * 90 + "(", "-" * 199 + "x", "sdlt(" * 33 + "x" + ")" * 33),
    "text of no language": ("1if 1else 2", "£1", "1\x00", "1\ud800"),
    "too long": ("1" + " + 1" * 60,),
}


def is_refused(expression: str) -> bool:
    try:
        work_out_figure(expression, "pence")
    except FigureError:
        return True
    return False


def test_everything_but_sums_is_refused() -> None:
    found = [(what, each) for what, expressions in REFUSED.items() for each in expressions if not is_refused(each)]
    assert found == []


def test_refused_expression_is_named_and_a_long_one_cut() -> None:
    words = "'rent(1)' cannot be worked out: unknown function rent; known are"
    with pytest.raises(FigureError, match=re.escape(words)):
        work_out_figure("rent(1)", "pence")
    with pytest.raises(FigureError, match=f"has 1000001 characters, at most {MAX_EXPRESSION} fit") as caught:
        work_out_figure("1" + "+" * 1_000_000, "pence")
    assert len(str(caught.value)) < 150
    with pytest.raises(FigureError, match="negative"):
        work_out_figure("-3", "years")
    for form in ("", "shillings", "__class__", "PENCE"):
        with pytest.raises(FigureError, match="unknown format"):
            work_out_figure("1", form)


BROKEN = [
    ("{{= 1 }}", "has no format: {{= 1 }}"),
    ("{{= 1 | pounds", "has no format: {{= 1 | pounds"),
    ("{{= 1 | pounds | pence }}", "has no format"),
    ("{{= {{= 1 | pounds }} | pounds }}", "has no format"),
    ("{{= | pounds }}", "cannot be worked out"),
    ("{{= " + "1+" * 200 + "1 | pounds }}", "too long or has no format"),
    ("{{= x | pence }} {{= y | pence }} {{= 1", "'x' cannot be.*; 'y' cannot be.*; an expression that"),
]


@pytest.mark.parametrize(("text", "fault"), BROKEN)
def test_every_bad_expression_of_a_text_is_named(text: str, fault: str) -> None:
    with pytest.raises(FigureError, match=fault if ".*" in fault else re.escape(fault)):
        work_out_figures(text)


@pytest.mark.parametrize(
    "text",
    ["{{=" * 50_000, "{{=" + " " * 200_000, "{{= 1 |" + " " * 200_000, ("{{=" + " " * 190) * 1_000, "{{= 1|" * 30_000],
    ids=["openings", "spaces", "spaces before a format", "openings and spaces", "half expressions"],
)
def test_hostile_text_is_refused_at_once(text: str) -> None:
    start = time.process_time()
    with pytest.raises(FigureError):
        work_out_figures(text)
    assert time.process_time() - start < SOON
