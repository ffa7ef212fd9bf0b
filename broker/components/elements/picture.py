"""Pictures, served as files; without words of their own they decorate, and screen readers pass them by."""

from __future__ import annotations

from typing import Any

import reflex as rx

from broker.components.drawings.questionnaire.cards import CARDS


def picture(
    address: Any,
    *,
    width: int,
    height: int,
    alt: str = "",
    class_name: str = "",
    lazy: bool = True,
    first: bool = False,
) -> rx.Component:
    """Draw a picture at its size in pixels; `lazy` ones below the fold load when they come near.

    Of the others, `first` is the largest thing that a page paints: all others let the text's fonts go before them.
    """
    loading = {"fetchPriority": "high"} if first else {"loading": "lazy"} if lazy else {"fetchPriority": "low"}
    sides = {"width": str(width), "height": str(height)}
    looks: dict[str, Any] = {"class_name": class_name} if class_name else {}
    return rx.el.img(src=address, alt=alt, custom_attrs={**sides, **loading}, **looks)


def drawing(
    name: str, *, width: int, height: int, class_name: str = "", lazy: bool = True, first: bool = False
) -> rx.Component:
    """Draw one of the site's own drawings by the name of its file."""
    return picture(f"/art/{name}.svg", width=width, height=height, class_name=class_name, lazy=lazy, first=first)


def card_drawing(img: str, *, side: int = 64, class_name: str = "") -> rx.Component:
    """Draw what a card of the questionnaire shows, `side` pixels square: sharpest at 48 and 96.

    `img` is the name that the option gives. Nothing is drawn for a name that has no drawing, as a content service
    may give one; the card's words say what it means.
    """
    if img not in CARDS:
        return rx.fragment()
    return drawing(f"questionnaire/{img}", width=side, height=side, class_name=class_name, lazy=False)
