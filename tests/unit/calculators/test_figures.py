import pytest

from broker.calculators.calculator import Form, Unit
from broker.calculators.figures import CALCULATOR_FIGURES, INCOMES, calculator_figures, question_figures
from broker.calculators.registry import CALCULATORS
from broker.plans.buying_plan import BUYING_PLAN
from broker.plans.remortgage_plan import remortgage_form
from broker.questionnaire.flow import Inputs, Range
from tests.unit.questionnaire.flows import SHIPPED

EVERY = (*CALCULATORS, BUYING_PLAN, remortgage_form({1: "One"}))

UNITS = {
    "price": Unit.POUNDS,
    "deposit": Unit.POUNDS,
    "savings": Unit.POUNDS,
    "loan": Unit.POUNDS,
    "income": Unit.POUNDS,
    "income2": Unit.POUNDS,
    "outgoings": Unit.POUNDS,
    "monthly": Unit.POUNDS,
    "term": Unit.YEARS,
    "rate": Unit.PERCENT,
    "end": Unit.DAY,
}

OPTIONS = {"nation": {"england", "scotland", "wales"}, "buyer": {"first", "next", "additional"}, "lender": {"", "1"}}


LETTING = {"buy-to-let-borrowing", "buy-to-let-rent", "rental-yield", "landlord-test"}

LABELS = {"Your income", "Second income", "Price", "Deposit", "Loan", "Loan left", "Rate now", "Term"}
"""What fields of the same figures are called."""


@pytest.mark.parametrize("form", EVERY, ids=lambda each: each.slug)
def test_each_field_that_means_a_figure_takes_it(form: Form) -> None:
    named = {field.name for field in form.fields if field.label in LABELS}
    assert form.slug in LETTING or named <= set(calculator_figures(form.slug))


@pytest.mark.parametrize("form", EVERY, ids=lambda each: each.slug)
def test_each_field_of_a_form_takes_figures_of_its_kind(form: Form) -> None:
    units = {field.name: field.unit for field in form.fields}
    options = {choice.name: {value for value, _ in choice.options} for choice in form.choices}
    for name, figures in calculator_figures(form.slug).items():
        for figure in figures:
            assert units.get(name) == UNITS.get(figure)
            assert options.get(name) == OPTIONS.get(figure)
            assert (name in units) != (name in options)


def test_every_figure_has_a_place_and_every_mapped_form_exists() -> None:
    mapped = {form.slug: calculator_figures(form.slug) for form in EVERY if calculator_figures(form.slug)}
    assert {figure for fields in mapped.values() for names in fields.values() for figure in names} == {*UNITS, *OPTIONS}
    assert set(mapped) == set(CALCULATOR_FIGURES)


def test_questions_ask_for_price_loan_deposit_and_incomes() -> None:
    found: dict[tuple[str, ...], set[str]] = {}
    for step in SHIPPED.steps.values():
        inputs = step.asks.inputs if isinstance(step.asks, Inputs) else ()
        ranges = {each.key: each for each in inputs if isinstance(each, Range)}
        for key, names in question_figures(step).items():
            assert ranges[key].before == "£"
            found.setdefault(names, set()).add(ranges[key].label)
    assert found == {
        ("price",): {"Property value", "Home value"},
        ("loan",): {"Mortgage left"},
        ("deposit", "savings"): {"Deposit"},
        INCOMES: {"Annual income"},
    }
