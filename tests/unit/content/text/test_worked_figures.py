import pytest

from broker.calculators.borrow import borrow
from broker.content.text.placeholders import FORMATS, FUNCTIONS, work_out_figure, work_out_figures
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
