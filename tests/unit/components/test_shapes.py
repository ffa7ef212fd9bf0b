"""Shapes as they are written: short, joined where that changes nothing, and none that a frame cuts off."""

import re

import pytest

from broker.components.drawings.shapes import figure, render, rounded
from broker.components.drawings.street import skyline


@pytest.mark.parametrize(
    ("value", "expected"), [(0.0, "0"), (-0.001, "0"), (1.5, "1.5"), (2.346, "2.35"), (1440, "1440")]
)
def test_figure_is_written_short(value: float, expected: str) -> None:
    assert figure(value) == expected


def test_low_street_leaves_out_what_its_frame_cuts_off() -> None:
    low, high = (skyline("first-time-buyer", width=420, height=height) for height in (150, 300))
    boxes = re.findall(r"M-?[\d.]+ ?(-?[\d.]+)h[\d.]+v([\d.]+)h-", low)
    assert boxes
    assert [(top, tall) for top, tall in boxes if float(top) + float(tall) <= -140] == []
    assert len(low) < len(high)


def test_round_boxes_are_never_joined() -> None:
    shape = rounded(0, 0, width=4, height=4, fill="#fff", radius=1)
    assert render([shape, shape]).count("<path") == 2
