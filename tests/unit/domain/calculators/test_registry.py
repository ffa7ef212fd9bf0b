"""Which calculators a page shows (specification 2)."""

from __future__ import annotations

import pytest

from broker.domain.calculators.registry import CALCULATORS, GROUPS, UnknownCalculatorError, active
from broker.domain.calculators.self_employed import CONTRACTORS, SELF_EMPLOYED

EVERY = tuple(calculator.slug for calculator in CALCULATORS)


def test_there_are_seven_calculators_in_this_order() -> None:
    assert EVERY == (
        "borrow",
        "self-employed",
        "contractor",
        "buy-to-let-borrowing",
        "repayment",
        "remortgage",
        "buy-to-let-rent",
    )
    assert {calculator.group for calculator in CALCULATORS} == set(GROUPS)


def test_names_of_a_calculators_fields_choices_and_ticks_are_its_own() -> None:
    for calculator in CALCULATORS:
        named = (*calculator.fields, *calculator.choices, *calculator.ticks)
        assert len(calculator.defaults()) == len(named)


@pytest.mark.parametrize(
    ("listed", "shown"),
    [
        ((), ()),
        (("repayment",), ("repayment",)),
        (("remortgage", "borrow"), ("borrow", "remortgage")),
        (("borrow", "borrow"), ("borrow",)),
        (("borrow", "self-employed", "repayment"), ("borrow", "self-employed", "repayment")),
        (EVERY, EVERY),
    ],
)
def test_page_shows_what_it_lists_in_our_order(listed: tuple[str, ...], shown: tuple[str, ...]) -> None:
    assert tuple(calculator.slug for calculator in active(listed)) == shown


def test_contractor_calculator_is_hidden_unless_listed() -> None:
    others = tuple(slug for slug in EVERY if slug != "contractor")
    assert [calculator.slug for calculator in active(others, page="contractor-mortgage")] == list(others)


@pytest.mark.parametrize(
    ("page", "works"),
    [
        ("contractor-mortgage", ["contractor", "contractor"]),
        ("self-employed", ["sole-trader", "employed"]),
        ("", ["sole-trader", "employed"]),
    ],
)
def test_contractor_page_picks_contractor_for_both_applicants(page: str, works: list[str]) -> None:
    (calculator,) = active(("self-employed",), page=page)
    assert [choice.default for choice in calculator.choices] == works


def test_contractor_page_changes_nothing_else_of_the_calculator() -> None:
    assert (CONTRACTORS.fields, CONTRACTORS.work, CONTRACTORS.slug) == (
        SELF_EMPLOYED.fields,
        SELF_EMPLOYED.work,
        SELF_EMPLOYED.slug,
    )
    assert CONTRACTORS.work(CONTRACTORS.defaults()).figure == "£420,000"


@pytest.mark.parametrize(
    ("listed", "page", "sentence"),
    [
        (("borow",), "buy-to-let", "buy-to-let lists unknown calculators: borow"),
        (("zed", "borrow", "alpha"), "", "a page lists unknown calculators: alpha, zed"),
    ],
)
def test_unknown_calculator_is_named(listed: tuple[str, ...], page: str, sentence: str) -> None:
    with pytest.raises(UnknownCalculatorError) as refused:
        active(listed, page=page)
    assert str(refused.value) == sentence


def test_every_income_field_belongs_to_one_kind_of_work_of_one_applicant() -> None:
    options = {f"{choice.name}={value}" for choice in SELF_EMPLOYED.choices for value, _ in choice.options}
    assert {field.only_for for field in SELF_EMPLOYED.fields} == options
