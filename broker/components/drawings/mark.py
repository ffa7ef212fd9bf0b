"""The mark of the site: a fanlight over an open gate. The name beside it is text."""

from math import cos, pi, sin

from broker.components.drawings.palette import LAMP
from broker.components.drawings.shapes import area, box, disc, document, line, point, render

_PETROL = "#0C3138"


def mark(*, on_dark: bool = False) -> str:
    """Draw the mark in petrol with yellow panes, or inverted for a dark background."""
    front, light = (LAMP, _PETROL) if on_dark else (_PETROL, LAMP)
    rays = "".join(f"M18 20L{point(18 + 14 * cos(pi * i / 5), 20 - 14 * sin(pi * i / 5))}" for i in range(1, 5))
    shapes = (
        area("M0 40V18a18 18 0 0 1 36 0v22z", front),
        area("M4 20a14 14 0 0 1 28 0z", light),
        line(rays, front, width=1.8),
        area("M13 20a5 5 0 0 1 10 0z", front),
        box(4, 23, width=12.4, height=17, fill=light),
        box(19.6, 23, width=12.4, height=17, fill=light),
        disc(13, 31.5, radius=1.5, fill=front),
        disc(23, 31.5, radius=1.5, fill=front),
    )
    return document(render(shapes), box="0 0 36 40", size="36x40", css="mark")


def favicon() -> str:
    return mark().replace('viewBox="0 0 36 40" width="36" height="40"', 'viewBox="-2 0 40 40" width="40" height="40"')
