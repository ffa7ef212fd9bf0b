"""The half-round window that shows a loan to value: ten panes, lit from the left.

The lit panes are one wide stroke along the middle of the ring, whose `pathLength` is 100. A percentage sets how much of
it is drawn: as a `stroke-dasharray`, or by the CSS property `--ltv`.
"""

from math import cos, pi, sin

from broker.components.drawings.shapes import document, figure, point

VIEW_BOX = "0 0 200 104"
FRAME = "M0 104V100a100 100 0 0 1 200 0v4z"  # the dark surround (class `dial-ground`)
RING = "M31 100a69 69 0 0 1 138 0"  # middle of the panes, left to right (classes `dial-unlit` and `dial-lit`)
RING_LENGTH = 100


def _spoke(share: float) -> str:
    across, up = cos(pi * (1 - share)), sin(pi * (1 - share))
    return f"M{point(100 + 46 * across, 100 - 46 * up)}L{point(100 + 92 * across, 100 - 92 * up)}"


BARS = "".join(_spoke(i / 10) for i in range(1, 10))
"""Path of the nine glazing bars between the panes (class `dial-bars`)."""


def fanlight(percent: float) -> str:
    """Draw the window lit up to a percentage, clamped to 0 to 100."""
    # 46 wide, the ring reaches from 46 to 92 units from the centre
    ring = f'd="{RING}" fill="none" stroke-width="46" pathLength="{RING_LENGTH}"'
    dash = f"{figure(min(max(percent, 0), 100))} {RING_LENGTH}"
    body = (
        f'<path class="dial-ground" d="{FRAME}" fill="#0C3138"/><path class="dial-unlit" {ring} stroke="#2B5A61"/>'
        f'<path class="dial-lit" {ring} stroke="#FFBD3F" stroke-dasharray="{dash}"/>'
        f'<path class="dial-bars" d="{BARS}" fill="none" stroke="#0C3138" stroke-width="3.4"/>'
    )
    return document(body, box=VIEW_BOX, size="200x104", css="fanlight")
