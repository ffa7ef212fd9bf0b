from reflex.vars import VarData

from broker.components.client_values import BrowserValues
from broker.lending.arithmetic import (
    choose,
    first_index,
    logarithm,
    looked_up,
    lowest_index,
    matches,
    maximum,
    minimum,
    number_in,
    sequence,
    shared,
    to_pennies,
)


def refuse() -> float:
    """Stand for the side that must not run."""
    raise AssertionError("both sides ran")


def test_choose_runs_one_side_only() -> None:
    assert (choose(True, lambda: 1, refuse), choose(False, refuse, lambda: 2)) == (1, 2)


def test_arithmetic_on_numbers_and_texts() -> None:
    assert [(maximum(*pair), minimum(*pair)) for pair in ((1, 2), (2, 1), (3, 3))] == [(2, 1), (2, 1), (3, 3)]
    assert [text for text in ("12", "", "12\n", "x12", "12x") if matches(text, r"[0-9]+")] == ["12"]
    numbers = {"£1,234.5": 1_234.5, "": 0, "£": 0, "7 %": 7}
    assert {text: number_in(text, "£,% ") for text in numbers} == numbers
    assert [to_pennies(value) for value in (2.675, 1.005, 0, -0.005, 1e9)] == [2.68, 1.01, 0, -0.01, 1e9]
    sequences = {0: [], 1: [0], 3: [0, 10, 20], 2.9: [0, 10]}
    assert {count: sequence(count, lambda index: index * 10) for count in sequences} == sequences


def test_maximum_and_minimum_take_browser_expressions_on_either_side() -> None:
    value = BrowserValues("arithmetic", {"a": 1.5})["a"]
    found = [str(each) for each in (maximum(value, 0), maximum(0, value), minimum(value, 7), minimum(7, value))]
    assert found[0] == found[1] == f"(Math.max({value!s}, 0))"
    assert found[2] == found[3] == f"(Math.min({value!s}, 7))"


def test_logarithms_and_tables() -> None:
    assert (logarithm(1), looked_up("b", {"a": "x", "b": "y"}), looked_up("a", {"a": (1, 2)})) == (0, "y", (1, 2))
    assert shared(3) == 3


def test_shared_value_is_a_constant_after_those_that_it_uses() -> None:
    values = BrowserValues("shared", {"a": 1.5, "key": "x"})
    first = shared(maximum(values["a"], 0))
    second = shared(maximum(looked_up(values["key"], {"x": [1.5, 2]})[1], first))
    hooks = (second._get_all_var_data() or VarData()).hooks
    declared = [hook.split(" ")[1] for hook in hooks if hook.startswith("const value_")]
    assert declared[-1] == str(second)
    assert str(first) in declared[:-1]
    assert f"const {first!s} = (Math.max({values['a']!s}, 0))" in hooks
    assert str(shared(maximum(values["a"], 0))) == str(first)


def test_places_in_a_list_are_the_first_that_fit() -> None:
    values = (5, 3, 3, 7)
    assert [first_index(count, lambda place: values[place] == 3) for count in (0, 1, 2, 4)] == [-1, -1, 1, 1]
    assert [lowest_index(count, lambda place: values[place]) for count in (1, 4)] == [0, 1]
