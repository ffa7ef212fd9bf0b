"""Shapes as they are written: short, and joined where that changes nothing."""

import pytest

from broker.components.drawings.shapes import figure, render, rounded


@pytest.mark.parametrize(
    ("value", "expected"), [(0.0, "0"), (-0.001, "0"), (1.5, "1.5"), (2.346, "2.35"), (1440, "1440")]
)
def test_figure_is_written_short(value: float, expected: str) -> None:
    assert figure(value) == expected


def test_round_boxes_are_never_joined() -> None:
    shape = rounded(0, 0, width=4, height=4, fill="#fff", radius=1)
    assert render([shape, shape]).count("<path") == 2
