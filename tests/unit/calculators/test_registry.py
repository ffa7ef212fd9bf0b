"""How calculators are found, and which ones a page shows (specification 2)."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from broker import calculators, routes
from broker.calculators import registry
from broker.calculators.calculator import GROUP_TITLES, Group
from broker.calculators.registry import (
    CALCULATORS,
    CalculatorError,
    UnknownCalculatorError,
    active_calculators,
    calculators_of_page,
    discover,
)
from broker.calculators.self_employed import CALCULATOR as SELF_EMPLOYED
from broker.components.chart import line_chart
from broker.pages import all_pages
from broker.pages.calculator import CalculatorValues
from broker.pages.registry import head_view
from broker.pages.site.search import site_index
from tests.unit.pages.whole_site import inputs

SPECIFIED = (
    "borrow",
    "self-employed",
    "contractor",
    "buy-to-let-borrowing",
    "repayment",
    "remortgage",
    "buy-to-let-rent",
)
"""The calculators of the specification, in the order of the calculators page."""

NEW = '''
"""Saving for a deposit."""

from broker.calculators.calculator import Calculator, Field, Group, Line, LineChart, Working
from broker.lending.money import exact_pounds


def _calculate(values):
    goal, monthly = values["goal"], values["monthly"]
    lines = (
        Line(label="Saved", value_at=lambda month: monthly * month),
        Line(label="Goal", value_at=lambda month: goal),
    )
    return Working(
        label="You would save",
        figure=exact_pounds(monthly * 60),
        caption="in five years",
        steps=("Payments: 5 x 12 = 60.",),
        chart=LineChart(subject="savings", years=5, highest=goal, start=0, end=monthly * 60, lines=lines),
    )


CALCULATOR = Calculator(
    slug="deposit-saving",
    title="Saving for a deposit",
    subtitle="From what you put aside",
    group=Group.COST,
    order=40,
    keywords=("nest egg",),
    calculate=_calculate,
    fields=(
        Field(name="goal", label="Goal", default=30_000, high=100_000, step=500),
        Field(name="monthly", label="A month", default=250, high=2_000, step=10),
    ),
)
'''


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setattr(calculators, "__path__", [*calculators.__path__, str(tmp_path)])
    yield tmp_path
    for path in tmp_path.glob("*.py"):
        sys.modules.pop(f"{calculators.__name__}.{path.stem}", None)


def test_a_new_module_is_in_every_list(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (package / "deposit_saving.py").write_text(NEW)
    found = {calculator.slug: calculator for calculator in discover()}
    assert set(found) >= {*SPECIFIED, "deposit-saving"}
    monkeypatch.setattr(registry, "CALCULATORS", tuple(found.values()))
    pages = {page.route: page for page in all_pages(inputs())}
    place = routes.calculator("deposit-saving")
    listed = pages[routes.SITE_MAP].view
    assert listed
    assert place in str(listed(head_view(pages[routes.SITE_MAP], site_url="", firm="")))
    assert "deposit-saving" in str(pages[routes.CALCULATORS].render())
    assert "Saving for a deposit" in str(pages[place].render())
    [entry] = [entry for entry in site_index(pages.values()).entries if entry.href == place]
    assert "nest egg" in entry.keywords
    known = inputs().store.page_anchors()
    assert "deposit-saving" in known[routes.CALCULATORS]
    assert calculators_of_page(("deposit-saving",)) == (found["deposit-saving"],)
    chart = CalculatorValues(found["deposit-saving"], "").view().answer.chart
    assert chart
    drawing = str(line_chart(chart))
    assert [words in drawing for words in ("line-0", "line-1", "chart of the savings", "Goal")] == [True] * 4


@pytest.mark.parametrize(
    ("source", "fault"),
    [
        ("CALCULATR = 1", "has no CALCULATOR"),
        ("CALCULATOR = 1", "has no CALCULATOR"),
        ("from broker.calculators.borrow import CALCULATOR", "two calculators have the slug borrow"),
    ],
)
def test_a_faulty_module_is_named(package: Path, source: str, fault: str) -> None:
    (package / "faulty.py").write_text(source)
    with pytest.raises(CalculatorError, match=fault):
        discover()


def test_specified_calculators_are_in_order_with_unique_field_names() -> None:
    slugs = [calculator.slug for calculator in CALCULATORS]
    assert tuple(slug for slug in slugs if slug in SPECIFIED) == SPECIFIED
    assert {calculator.group for calculator in CALCULATORS} == set(GROUP_TITLES) == set(Group)
    for calculator in discover():
        named = (*calculator.fields, *calculator.choices, *calculator.checkboxes)
        assert len(calculator.defaults()) == len(named), calculator.slug
    options = {f"{choice.name}={value}" for choice in SELF_EMPLOYED.choices for value, _ in choice.options}
    assert {field.only_for for field in SELF_EMPLOYED.fields} == options


OTHERS = tuple(slug for slug in SPECIFIED if slug != "contractor")
SHOWN: list[tuple[tuple[str, ...], str, tuple[str, ...]]] = [
    ((), "", ()),
    (("repayment",), "", ("repayment",)),
    (("remortgage", "borrow"), "", ("borrow", "remortgage")),
    (("borrow", "borrow"), "", ("borrow",)),
    (SPECIFIED, "", SPECIFIED),
    (OTHERS, "contractor-mortgage", OTHERS),
]


@pytest.mark.parametrize(("listed", "page", "shown"), SHOWN)
def test_page_shows_what_it_lists_in_registry_order(listed: tuple[str, ...], page: str, shown: tuple[str, ...]) -> None:
    assert tuple(calculator.slug for calculator in calculators_of_page(listed, page=page)) == shown


def test_contractor_calculator_is_hidden_unless_listed() -> None:
    everyone = tuple(calculator.slug for calculator in CALCULATORS)
    shown = tuple(calculator.slug for calculator in active_calculators(()))
    assert shown == tuple(slug for slug in everyone if slug != "contractor")
    assert [calculator.slug for calculator in active_calculators(("contractor", "borrow"))] == ["contractor", "borrow"]


@pytest.mark.parametrize(
    ("page", "works", "figure"),
    [
        ("contractor-mortgage", ["contractor", "contractor"], "£420,000"),
        ("self-employed", ["sole-trader", "employed"], "£142,500"),
        ("", ["sole-trader", "employed"], "£142,500"),
    ],
)
def test_contractor_page_picks_contractor_for_both(page: str, works: list[str], figure: str) -> None:
    [calculator] = calculators_of_page(("self-employed",), page=page)
    assert [choice.default for choice in calculator.choices] == works
    assert calculator.calculate(calculator.defaults()).figure == figure
    assert (calculator.fields, calculator.slug) == (SELF_EMPLOYED.fields, SELF_EMPLOYED.slug)


@pytest.mark.parametrize(
    ("listed", "page", "sentence"),
    [
        (("borow",), "buy-to-let", "buy-to-let lists unknown calculators: borow"),
        (("zed", "borrow", "alpha"), "", "a page lists unknown calculators: alpha, zed"),
    ],
)
def test_unknown_calculator_is_named(listed: tuple[str, ...], page: str, sentence: str) -> None:
    with pytest.raises(UnknownCalculatorError) as refused:
        calculators_of_page(listed, page=page)
    assert str(refused.value) == sentence
