"""Values that live in the browser, and arithmetic on them without the server.

Importing this module registers browser expressions with `broker.lending`: its formulas return JavaScript when they are
called with the values of a `BrowserValues`.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from hashlib import sha256
from typing import Any

import reflex as rx
from reflex.experimental.client_state import ClientStateVar
from reflex.vars import NumberVar, VarData
from reflex_base.constants.compiler import MemoizationMode
from reflex_base.event import EventChain
from reflex_base.vars.function import ArgsFunctionOperation, FunctionVar
from reflex_components_core.el.elements.sectioning import Section

from broker.components.client_scripts import expression, script_function
from broker.components.jinja import Value
from broker.lending import money
from broker.lending.arithmetic import (
    SPACES,
    choose,
    first_index,
    joined,
    logarithm,
    looked_up,
    lowest_index,
    matches,
    maximum,
    minimum,
    number_in,
    sequence,
    shared,
    to_pennies,
)

TYPED, MOVED = rx.Var("typed").to(str), rx.Var("typed").to(float)
"""The text of a field and the position of a slider, inside a function made by `client_handler`."""


@choose.register(rx.Var)
def _choose(condition: rx.Var, then: Callable[[], Value], otherwise: Callable[[], Value]) -> rx.Var:
    return rx.cond(condition, then(), otherwise())


@maximum.register(rx.Var)
def _maximum(first: rx.Var, second: Value) -> rx.Var:
    return _function("Math.max").call(first, second).to(float)


@minimum.register(rx.Var)
def _minimum(first: rx.Var, second: Value) -> rx.Var:
    return _function("Math.min").call(first, second).to(float)


def _function(name: str) -> FunctionVar:
    return rx.Var(name, _var_type=FunctionVar).to(FunctionVar)


@matches.register(rx.Var)
def _matches(text: rx.Var, pattern: str) -> rx.Var:
    return script_function("numbers", "matchesWhole").call(text, _short(pattern)).to(bool)


@number_in.register(rx.Var)
def _number_in(text: rx.Var, ignored: str) -> rx.Var:
    return script_function("numbers", "numberIn").call(text, _short(ignored)).to(float)


@money.amount_in.register(rx.Var)
def _amount_in(text: rx.Var) -> rx.Var:
    return script_function("numbers", "amountIn").call(text).to(float)


def _short(pattern: str) -> str:
    """Return a pattern with a word for the spaces, which a page would otherwise hold many times."""
    return pattern.replace(SPACES, "SPACES")


@sequence.register(rx.Var)
def _sequence(count: rx.Var, item: Callable[[rx.Var], Value]) -> rx.Var:
    # Reflex's own map gives its argument a new name each time, and then no two pages share a script.
    each = rx.Var.create(item(rx.Var("place").to(int)))
    return expression(f"Array.from({{length: {count!s}}}, (_, place) => {each!s})", count, each).to(list)


@first_index.register(rx.Var)
def _first_index(count: rx.Var, item: Callable[[rx.Var], Value]) -> rx.Var:
    found = _sequence(count, item)
    return expression(f"{found!s}.indexOf(true)", found).to(float)


@lowest_index.register(rx.Var)
def _lowest_index(count: rx.Var, item: Callable[[rx.Var], Value]) -> rx.Var:
    found = _shared(_sequence(count, item))
    return expression(f"{found!s}.indexOf(Math.min(...{found!s}))", found).to(float)


@joined.register(rx.Var)
def _joined(texts: rx.Var, separator: str) -> rx.Var:
    return texts.to(list[str]).join(separator)


@logarithm.register(rx.Var)
def _logarithm(value: rx.Var) -> rx.Var:
    return _function("Math.log").call(value).to(float)


@looked_up.register(rx.Var)
def _looked_up(key: rx.Var, table: Mapping[str, str | Sequence[float]]) -> rx.Var:
    held = _constant(json.dumps(table))
    kind = str if isinstance(next(iter(table.values())), str) else list[float]
    return expression(f"{held!s}[{key!s}]", key, held).to(kind)


@shared.register(rx.Var)
def _shared(value: rx.Var) -> rx.Var:
    is_number = isinstance(value, NumberVar) and value._var_type is not bool
    return _constant(str(value), value).to(float if is_number else value._var_type)


def _constant(value: str, *used: rx.Var) -> rx.Var:
    """Return a constant of the component that uses it; its name is that of the same expression anywhere."""
    name = f"value_{sha256(value.encode()).hexdigest()[:10]}"
    return expression(name, *used, hooks=(f"const {name} = {value}",))


@to_pennies.register(rx.Var)
def _to_pennies(value: rx.Var) -> rx.Var:
    return script_function("numbers", "toPennies").call(value).to(float)


@money.decimals.register(rx.Var)
def _decimals(value: rx.Var, places: int) -> rx.Var:
    return script_function("numbers", "formatDecimals").call(value, places).to(str)


@money.in_pounds.register(rx.Var)
def _in_pounds(number: rx.Var) -> rx.Var:
    return script_function("numbers", "inPounds").call(number).to(str)


@money.exact.register(rx.Var)
def _exact(value: rx.Var) -> rx.Var:
    return script_function("numbers", "formatExact").call(value).to(str)


def client_handler(result: rx.Var) -> rx.Var:
    """Return an event handler that runs an expression in the browser; it may use `TYPED` or `MOVED`."""
    return ArgsFunctionOperation.create(("typed",), result).to(FunctionVar, EventChain)


class MemoizedSection(Section):
    """A section that is one React component, so that its elements share one copy of the hooks that they use.

    Reflex otherwise makes a component of every element that reads a browser value, and a calculator weighs ten times
    as much.
    """

    _memoization_mode = MemoizationMode(recursive=False)


memoized_section = MemoizedSection.create


@cache
def _client_state(name: str, defaults: str, before: VarData | None) -> ClientStateVar:
    """Return the browser variable of a name, the same one every time: Reflex numbers each variable that it makes."""
    start = rx.Var(defaults, _var_type=dict[str, Any], _var_data=before)
    return rx._x.client_state(name, default=start)


def client_state_key(name: str) -> str:
    """Return where Reflex keeps a browser variable in `refs`, from page to page."""
    return f"_client_state_{name}"


class BrowserValues:
    """Named values in the memory of the page, under a name that is unique in the whole site.

    `state` is the browser variable; place it once in the tree, above everything that uses it.
    """

    def __init__(self, name: str, defaults: Mapping[str, object], *, before: VarData | None = None) -> None:
        """`before` has hooks that run at the first render, before the variable takes its defaults."""
        self.state: ClientStateVar = _client_state(name, json.dumps(defaults), before)
        self._types = {key: type(value) for key, value in defaults.items()}

    def __getitem__(self, key: str) -> rx.Var:
        return self.state.value.to(dict[str, Any])[key].to(self._types[key])

    def put(self, changes: Mapping[str, object]) -> rx.Var:
        """Return the expression that sets some of the values."""
        return self.replace(self.state.value, changes)

    def replace(self, values: rx.Var, changes: Mapping[str, object]) -> rx.Var:
        pairs = ", ".join(f"{json.dumps(key)}: {rx.Var.create(value)!s}" for key, value in changes.items())
        return self.merge(values, expression(f"{{{pairs}}}", *changes.values()))

    def merge(self, values: rx.Var, changes: rx.Var) -> rx.Var:
        """Return the expression that sets all values, with the changes of an expression."""
        merged = expression(f"({{...{values!s}, ...{changes!s}}})", values, changes)
        return self.state.set.to(FunctionVar).call(merged)
