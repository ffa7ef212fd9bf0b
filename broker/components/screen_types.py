"""Types of what is drawn: known at build, an expression of the browser, or a place in a template."""

from typing import Any

import reflex as rx
from reflex.event import EventType

Text = str | rx.Var
"""A text: known, a browser expression, or a place in a template (`presenters.jinja.variable`)."""

Value = bool | float | Text
"""A text, figure or condition; the place of a condition is a `presenters.jinja.Placeholder`."""

Content = rx.Component | Value | tuple[rx.Component | Value, ...]
"""What an element may hold."""

Handler = EventType[()]
"""What handles an event: an event of a state, or an expression that the browser calls."""

Attributes = dict[str, Any]
"""Attributes of an element by Reflex's names; Reflex checks each value."""
