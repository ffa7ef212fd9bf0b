from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from broker.calculators.buying.rental_cover import CALCULATOR, rent_answer
from broker.lending.lending_rules import COVERS, FLOOR_TEST, LET_SOURCES, RENT_TESTS

lets = st.fixed_dictionaries(
    {
        "rent": st.integers(1, 20_000),
        "value": st.integers(1, 5_000_000),
        "loan": st.integers(1, 5_000_000),
        "rate": st.integers(0, 25_000).map(lambda thousandths: thousandths / 1_000),
        "landlord": st.sampled_from(sorted(COVERS)),
        "fixed": st.booleans(),
    }
)


def values(**typed: Any) -> dict[str, Any]:
    assert set(typed) <= set(CALCULATOR.defaults())
    return {**CALCULATOR.defaults(), **typed}


@pytest.mark.parametrize(
    ("typed", "rows"),
    [
        # 13,200 / 1.25 / 6.75% = 156,444; / 5.75% = 183,652 and / 4.75% = 222,315, above 80% of 200,000
        (
            {},
            [
                ("6.75%", "£156,444", "Passes"),
                ("6.75%", "£156,444", "Passes"),
                ("5.75%", "£160,000", "Passes"),
                ("4.75%", "£160,000", "Passes"),
            ],
        ),
        # 13,200 / 1.45 / 5.5% = 165,517; / 6% = 151,724; / 3.2% = 284,482
        (
            {"landlord": "higher", "rate": 3.2, "value": 250_000, "loan": 160_000},
            [
                ("5.50%", "£165,517", "Passes"),
                ("6.00%", "£151,724", "£8,276 over"),
                ("5.50%", "£165,517", "Passes"),
                ("3.20%", "£200,000", "Passes"),
            ],
        ),
    ],
    ids=["basic", "higher"],
)
def test_largest_loan_at_each_test_by_hand(typed: dict[str, Any], rows: list[tuple[str, ...]]) -> None:
    table = CALCULATOR.calculate(values(**typed)).table
    assert table
    assert [row[1:] for row in table.rows] == rows


@pytest.mark.parametrize(
    ("typed", "figure", "limit", "caption"),
    [
        ({}, "Passes", "£156,444", "The rent is 130% of the interest at 6.75%, and 125% is asked"),
        ({"landlord": "higher"}, "Fails", "£134,865", "The rent is 130% of the interest at 6.75%, and 145% is asked"),
        ({"landlord": "company"}, "Passes", "£156,444", "The rent is 130% of the interest at 6.75%, and 125% is asked"),
        (
            {"landlord": "higher", "fixed": True},
            "Passes",
            "£160,000",
            "The rent is 185% of the interest at 4.75%, and 145% is asked",
        ),
        (
            {"rent": 3_000, "loan": 160_001},
            "Fails",
            "£160,000",
            "It is above 80% of the value, the most that lenders we search lend on a let",
        ),
        ({"rate": 0, "fixed": True}, "Passes", "£160,000", "There is no interest to cover"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_answer_says_whether_the_loan_passes(typed: dict[str, Any], figure: str, limit: str, caption: str) -> None:
    shown = CALCULATOR.calculate(values(**typed))
    assert (shown.figure, shown.tiles[0][0], shown.caption) == (figure, limit, caption)


@given(lets)
def test_a_loan_passes_up_to_the_limit_and_no_further(typed: dict[str, Any]) -> None:
    for test in RENT_TESTS:
        limit = rent_answer(test, typed).limit
        assert limit <= typed["value"] * 0.8 + 1e-6
        if limit >= 1:
            assert rent_answer(test, {**typed, "loan": limit}).cover >= COVERS[typed["landlord"]] - 1e-6
        above = rent_answer(test, {**typed, "loan": limit + 1})
        assert above.cover < above.required or limit + 1 > typed["value"] * 0.8


@given(lets)
def test_five_year_fix_never_carries_less(typed: dict[str, Any]) -> None:
    limits = [rent_answer(test, typed).limit for test in RENT_TESTS]
    assert limits[1] <= limits[0] <= limits[2] <= limits[3]
    assert rent_answer(FLOOR_TEST, {**typed, "rent": typed["rent"] + 1}).limit >= limits[0]


def test_rules_have_an_address_and_a_date_each() -> None:
    assert [(each.address[:8], bool(each.since)) for each in LET_SOURCES] == [("https://", True)] * 3
    assert CALCULATOR.sources == LET_SOURCES
