"""Styles that depend on a figure, set on the element itself.

Reflex's own `style` makes a rule of the style sheet for every value that a figure takes; a dragged slider
would add hundreds.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import reflex as rx


def inline_style(style: Mapping[str, Any]) -> dict[str, Any]:
    """Return the attribute that sets styles by their script names (`width`, `--theme`) on one element."""
    return {"style": rx.Var.create(dict(style))} if style else {}
