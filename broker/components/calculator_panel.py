"""What a calculator shows and what changes it, as its panel is drawn from."""

from dataclasses import dataclass
from typing import Protocol

import reflex as rx

from broker import routes
from broker.calculators.calculator import Calculator, Choice, Field
from broker.calculators.view import CalculatorView
from broker.components.forms.slider_field import Slider
from broker.components.screen_types import Value


class Controls(Protocol):
    """What changes a calculator in the browser: an event handler for each thing that a visitor does."""

    def slider(self, field: Field) -> Slider: ...

    def type_in(self, field: Field) -> rx.Var: ...

    def leave(self, field: Field) -> rx.Var: ...

    def fill(self, name: str, number: Value) -> rx.Var: ...

    def pick(self, name: str) -> rx.Var: ...

    def chosen(self, choice: Choice) -> rx.Var: ...

    def submit(self) -> rx.Var: ...

    def open_table(self) -> rx.Var: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """A calculator with what it shows; `prefix` begins its ids. A template has no `controls`.

    `path` is the page of a form that is no calculator's.
    """

    calculator: Calculator
    view: CalculatorView
    prefix: str
    controls: Controls | None = None
    path: str = ""

    @property
    def action(self) -> str:
        """Return where the form leads: a page of its own, or that of the calculator."""
        return self.path or routes.calculator(self.calculator.slug)
