"""Styles that depend on a value, set on the element itself.

Reflex's `style` adds a rule to the stylesheet for every value; a dragged slider would add hundreds.
"""

from collections.abc import Mapping

import reflex as rx

from broker.components.screen_types import Attributes, Text


def inline_style(style: Mapping[str, Text]) -> Attributes:
    """Return the attribute that sets styles by their JavaScript names (`width`, `--theme`) on one element."""
    return {"style": rx.Var.create(dict(style))} if style else {}
