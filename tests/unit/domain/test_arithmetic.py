"""The arithmetic that formulas are written with, on numbers."""

import pytest

from broker.components.client_values import BrowserValues
from broker.domain.arithmetic import choose, matches, maximum, minimum, number_in, sequence


def refuse() -> float:
    """Stand for the side that must not run."""
    raise AssertionError("both sides ran")


def test_choose_runs_one_side_only() -> None:
    assert (choose(True, lambda: 1, refuse), choose(False, refuse, lambda: 2)) == (1, 2)


@pytest.mark.parametrize(("first", "second", "larger", "smaller"), [(1, 2, 2, 1), (2, 1, 2, 1), (3, 3, 3, 3)])
def test_maximum_and_minimum_of_two(first: float, second: float, larger: float, smaller: float) -> None:
    assert (maximum(first, second), minimum(first, second)) == (larger, smaller)


@pytest.mark.parametrize(("text", "fits"), [("12", True), ("", False), ("12\n", False), ("x12", False), ("12x", False)])
def test_matches_the_whole_text_or_not_at_all(text: str, fits: bool) -> None:
    assert matches(text, r"[0-9]+") is fits


@pytest.mark.parametrize(("text", "number"), [("£1,234.5", 1_234.5), ("", 0), ("£", 0), ("7 %", 7)])
def test_number_in_leaves_out_what_is_ignored(text: str, number: float) -> None:
    assert number_in(text, "£,% ") == number


@pytest.mark.parametrize(("count", "items"), [(0, []), (1, [0]), (3, [0, 10, 20]), (2.9, [0, 10])])
def test_sequence_counts_from_nought(count: float, items: list[int]) -> None:
    assert sequence(count, lambda index: index * 10) == items


def test_maximum_and_minimum_take_browser_expressions_on_either_side() -> None:
    value = BrowserValues("arithmetic", {"a": 1.5})["a"]
    found = [str(each) for each in (maximum(value, 0), maximum(0, value), minimum(value, 7), minimum(7, value))]
    assert found[0] == found[1] == f"(Math.max({value!s}, 0))"
    assert found[2] == found[3] == f"(Math.min({value!s}, 7))"
