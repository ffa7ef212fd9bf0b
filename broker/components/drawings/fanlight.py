"""The half-round window that shows a loan to value: ten panes, lit from the left.

The lit panes are one wide stroke along the middle of the ring, whose `pathLength` is 100. A percentage sets how much of
it is drawn: as a `stroke-dasharray`, or by the CSS property `--ltv`.
"""

from math import cos, pi, sin

from broker.components.drawings.shapes import document, figure, point

VIEW_BOX = "0 0 200 104"
"""View box of the paths below."""

FRAME = "M0 104V100a100 100 0 0 1 200 0v4z"
"""Path of the dark surround (class `dial-ground`)."""

RING = "M31 100a69 69 0 0 1 138 0"
"""Path along the middle of the panes, left to right; drawn twice (classes `dial-unlit` and `dial-lit`)."""

RING_WIDTH = 46
"""Stroke width of the ring, which reaches from 46 to 92 units from the centre."""

RING_LENGTH = 100
"""`pathLength` of the ring."""

FRAME_COLOUR, UNLIT_COLOUR, LIT_COLOUR = "#0C3138", "#2B5A61", "#FFBD3F"


def _spoke(share: float) -> str:
    across, up = cos(pi * (1 - share)), sin(pi * (1 - share))
    return f"M{point(100 + 46 * across, 100 - 46 * up)}L{point(100 + 92 * across, 100 - 92 * up)}"


BARS = "".join(_spoke(i / 10) for i in range(1, 10))
"""Path of the nine glazing bars between the panes (class `dial-bars`)."""

BARS_WIDTH = 3.4
"""Stroke width of the glazing bars."""


def dash(percent: float) -> str:
    """Return the `stroke-dasharray` of the lit ring for a percentage, clamped to 0 to 100."""
    return f"{figure(min(max(percent, 0), 100))} {RING_LENGTH}"


def fanlight(percent: float) -> str:
    """Draw the window lit up to a percentage, clamped to 0 to 100."""
    ring = f'd="{RING}" fill="none" stroke-width="{RING_WIDTH}" pathLength="{RING_LENGTH}"'
    body = (
        f'<path class="dial-ground" d="{FRAME}" fill="{FRAME_COLOUR}"/>'
        f'<path class="dial-unlit" {ring} stroke="{UNLIT_COLOUR}"/>'
        f'<path class="dial-lit" {ring} stroke="{LIT_COLOUR}" stroke-dasharray="{dash(percent)}"/>'
        f'<path class="dial-bars" d="{BARS}" fill="none" stroke="{FRAME_COLOUR}" stroke-width="{figure(BARS_WIDTH)}"/>'
    )
    return document(body, box=VIEW_BOX, size="200x104", css="fanlight")
