"""Pictures, served as files; one without a text alternative is decoration."""

from pathlib import Path

import reflex as rx

from broker.components.screen_types import Attributes, Text, Value

_ART = Path(__file__).parents[3] / "assets" / "art"

CARDS = frozenset(file.stem for file in (_ART / "questionnaire").iterdir())
"""The drawings of questionnaire cards by their name in an option's `img`."""


def picture(
    address: Text,
    *,
    width: Value,
    height: Value,
    alt: Text = "",
    srcset: Text = "",
    sizes: Text = "",
    class_name: str = "",
    lazy: bool = True,
    first: bool = False,
) -> rx.Component:
    """Draw a picture at its size in pixels; a `lazy` one loads when it comes near the viewport.

    `srcset` and `sizes` name its files and its width on the page, as HTML has them; none without a `srcset`.
    `first` marks the largest paint of a page, which loads before fonts do; other pictures load after them.
    """
    files = {} if isinstance(srcset, str) and not srcset else {"srcSet": srcset, "sizes": sizes}
    loading = {"fetchPriority": "high"} if first else {"loading": "lazy"} if lazy else {"fetchPriority": "low"}
    sides = {"width": _side(width), "height": _side(height)}
    looks: Attributes = {"class_name": class_name} if class_name else {}
    return rx.el.img(src=address, alt=alt, custom_attrs={**files, **sides, **loading}, **looks)


def _side(pixels: Value) -> Value:
    return str(pixels) if isinstance(pixels, int) else pixels


def drawing(
    name: Text, *, width: int, height: int, class_name: str = "", lazy: bool = True, first: bool = False
) -> rx.Component:
    """Draw one of the site's drawings by its file name."""
    return picture(f"/art/{name}.svg", width=width, height=height, class_name=class_name, lazy=lazy, first=first)


def card_drawing(img: str, *, side: int = 64, class_name: str = "") -> rx.Component:
    """Draw the picture of a questionnaire card, sharp at 48 and 96 pixels; nothing for an unknown name."""
    if img not in CARDS:
        return rx.fragment()
    return drawing(f"questionnaire/{img}", width=side, height=side, class_name=class_name, lazy=False)
