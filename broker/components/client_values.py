"""What happens in the browser without asking the server: values kept on the page, and arithmetic on them.

Importing this module teaches `broker.domain` to build browser expressions: the formulas there then give
JavaScript when they are called with the values of a `BrowserValues`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import reflex as rx
from reflex.experimental.client_state import ClientStateVar
from reflex.vars import VarData
from reflex_base.constants.compiler import MemoizationMode
from reflex_base.event import EventChain
from reflex_base.vars.function import ArgsFunctionOperation, FunctionVar
from reflex_components_core.el.elements.sectioning import Section

from broker import routes
from broker.domain import money
from broker.domain.arithmetic import choose, matches, maximum, minimum, number_in, sequence

TYPED = rx.Var("typed").to(str)
"""What a box holds, inside a function made by `reaction`."""

MOVED = rx.Var("typed").to(float)
"""Where a slider stands, inside a function made by `reaction`."""


@choose.register(rx.Var)
def _choose(condition: rx.Var, then: Callable[[], Any], otherwise: Callable[[], Any]) -> rx.Var:
    return rx.cond(condition, then(), otherwise())


@maximum.register(rx.Var)
def _maximum(first: rx.Var, second: Any) -> rx.Var:
    return _math("max", first, second=second)


@minimum.register(rx.Var)
def _minimum(first: rx.Var, second: Any) -> rx.Var:
    return _math("min", first, second=second)


def _math(function: str, first: rx.Var, *, second: Any) -> rx.Var:
    other = rx.Var.create(second)
    used = VarData.merge(first._get_all_var_data(), other._get_all_var_data())
    return rx.Var(f"Math.{function}({first!s}, {other!s})", _var_data=used).to(float)


@matches.register(rx.Var)
def _matches(text: rx.Var, pattern: str) -> rx.Var:
    whole = rx.Var("new RegExp", _var_type=FunctionVar).to(FunctionVar).call(f"^(?:{pattern})$")
    return rx.Var(f"{whole!s}.test({text!s})", _var_data=text._get_all_var_data()).to(bool)


@number_in.register(rx.Var)
def _number_in(text: rx.Var, ignored: str) -> rx.Var:
    return rx.Var(f"Number({text!s}.replace(/[{ignored}]/g, ''))", _var_data=text._get_all_var_data()).to(float)


@sequence.register(rx.Var)
def _sequence(count: rx.Var, item: Callable[[rx.Var], Any]) -> rx.Var:
    # Written out: Reflex's own map names its argument anew each time, and then no two pages share a script.
    each = rx.Var.create(item(rx.Var("place").to(int)))
    used = VarData.merge(count._get_all_var_data(), each._get_all_var_data())
    return rx.Var(f"Array.from({{length: {count!s}}}, (_, place) => {each!s})", _var_data=used).to(list)


DECIMALS = (
    "globalThis.decimals ??= (value, places) => {"
    "const size = Math.abs(value), [whole, part = ''] = String(size < 1e-6 ? 0 : size).split('.');"
    "const steps = Number(whole + part.padEnd(places, '0').slice(0, places)) + (part[places] > 4);"
    "const digits = String(steps).padStart(places + 1, '0'), end = digits.length - places;"
    "return (value < 0 && steps ? '-' : '') + digits.slice(0, end).replace(/\\B(?=(\\d{3})+$)/g, ',')"
    " + (places ? '.' + digits.slice(end) : '')}"
)
"""Defines what writes a number as `money.decimals` does, by its shortest digits: `toFixed` would round 1.005 down.

`Intl.NumberFormat` rounds so too, but the first one takes a telephone a tenth of a second to make. What is smaller than
a millionth is zero: JavaScript would write it with an exponent. Right up to fifteen digits as far as the last place.
"""


@money.decimals.register(rx.Var)
def _decimals(value: rx.Var, places: int) -> rx.Var:
    return rx.Var(f"globalThis.decimals({value!s}, {places})", _var_data=value._get_all_var_data()).to(str)


def reaction(result: rx.Var) -> rx.Var:
    """Return an event handler that runs an expression in the browser; it may use `TYPED` or `MOVED`."""
    return ArgsFunctionOperation.create(("typed",), result).to(FunctionVar, EventChain)


def scroll_row(identity: str, *, forward: bool) -> rx.Var:
    """Return the expression that moves a row of slides by what is in view, at once for those who want less motion."""
    row = f"document.getElementById({json.dumps(identity)})"
    calm = "window.matchMedia('(prefers-reduced-motion: reduce)').matches"
    way = "" if forward else "-"
    return rx.Var(f"{row}.scrollBy({{left: {way}{row}.clientWidth, behavior: {calm} ? 'auto' : 'smooth'}})")


def filled_once(field: str, address: str) -> rx.Var:
    """Return the event handler of a form that fills a field of it, once, with what an address answers.

    A form in which something stands already was begun before scripts could tell: its field stays empty.
    """
    is_new = "[...form.elements].every((each) => each.value === (each.defaultValue ?? each.value))"
    asked = f"fetch({json.dumps(address)}).then((answer) => answer.ok ? answer.text() : '')"
    fill = f"{asked}.then((text) => {{ box.value = text }}, () => {{ delete box.dataset.asked }})"
    begin = f"!box.dataset.asked && {is_new} && (box.dataset.asked = 'yes', {fill})"
    code = f"((form, box) => {begin})(typed.currentTarget, typed.currentTarget[{json.dumps(field)}])"
    return reaction(rx.Var(code))


_REFILL = (
    "((form, held) => held && [...form.elements].forEach((box) => {"
    " const given = held.getAll(box.name);"
    " if (/radio|checkbox/.test(box.type)) box.checked = given.includes(box.value);"
    " else if (given.length) box.value = given[0]; }))"
)


def remembered(action: str) -> dict[str, rx.Var]:
    """Return the event handlers of a form that keep what is in it while the visitor looks at other pages of the site.

    It is in the memory of the tab, by the address that the form goes to, until the form is sent or `forgotten`, or
    another document takes the tab over.
    """
    place = f"(globalThis.filled ??= {{}})[{json.dumps(action)}]"
    form = f"document.querySelector({json.dumps(f'form[action={json.dumps(action)}]')})"
    return {
        "on_change": reaction(rx.Var(f"{place} = new FormData(typed.currentTarget)")),
        "on_mount": reaction(rx.Var(f"{_REFILL}({form}, {place})")),
    }


def forgotten() -> rx.Var:
    """Return the event handler that forgets what any form holds."""
    return reaction(rx.Var("globalThis.filled = {}"))


def copied(field: str, done: rx.Var, *, refused: rx.Var) -> rx.Var:
    """Return the event handler that copies what a field holds, by its id, and then evaluates `done`.

    Where the browser does not let it, all of the field is marked, for the visitor to copy, and `refused` is evaluated.
    """
    copy = "navigator.clipboard ? navigator.clipboard.writeText(box.value) : Promise.reject()"
    after = f"() => {{ {done!s} }}, () => {{ box.focus(); box.select(); {refused!s} }}"
    code = f"((box) => ({copy}).then({after}))(document.getElementById({json.dumps(field)}))"
    return reaction(rx.Var(code, _var_data=VarData.merge(done._get_all_var_data(), refused._get_all_var_data())))


def post_if_reached(form: str, otherwise: str = "{}") -> str:
    """Return the expression that posts a form (an expression itself) as without scripts, once a server answers.

    A browser that finds nobody to send a form to shows a page of its own, and what was typed may be gone with the form.
    `otherwise` is evaluated where nobody answers within eight seconds.
    """
    asked = f"fetch({json.dumps(routes.PING)}, {{cache: 'no-store', signal: AbortSignal.timeout(8000)}})"
    return f"{asked}.then(told => told.ok, () => false).then(ok => {{ if (ok) {form}.submit(); else {otherwise} }})"


def sent_if_reached(unreached: str) -> rx.Var:
    """Return the event handler of a form that keeps it on the page where no server answers.

    `unreached` is the id of what is shown then, and has the focus.
    """
    post = post_if_reached("form", "{ told.hidden = false; told.focus() }")
    found = f"typed.currentTarget, document.getElementById({json.dumps(unreached)})"
    return reaction(rx.Var(f"(typed.preventDefault(), ((form, told) => (told.hidden = true, {post}))({found}))"))


def when_near(identity: str, then: rx.Var) -> rx.Var:
    """Return the expression that evaluates `then` once an element is within a screen's height of what is in view."""
    seen = f"(seen, watch) => seen.some(one => one.isIntersecting) && (watch.disconnect(), {then!s})"
    element = f"document.getElementById({json.dumps(identity)})"
    code = f"new IntersectionObserver({seen}, {{rootMargin: '100% 0%'}}).observe({element})"
    return rx.Var(code, _var_data=then._get_all_var_data())


class _Piece(Section):
    """A section that is one React component, whatever it holds."""

    _memoization_mode = MemoizationMode(recursive=False)

    def add_custom_code(self) -> list[str]:
        """Define once in each script what the many figures of a piece are written by."""
        return [f"{DECIMALS};"]


def one_piece(*children: Any, **attributes: Any) -> rx.Component:
    """Draw a section whose parts share one reading of the values kept in the browser.

    Reflex makes a component of every element that reads such a value, each with its own copy of the reading:
    a calculator would weigh ten times as much.
    """
    return _Piece.create(*children, **attributes)


@cache
def _client_state(name: str, defaults: str) -> ClientStateVar:
    """Return the browser variable of a name, the same one every time: Reflex gives each it makes an id of its own."""
    return rx._x.client_state(name, default=json.loads(defaults))


class BrowserValues:
    """Named values kept in the page, under a name that is unique in the whole site.

    `state` is the browser variable itself; it must stand once in the tree above everything that uses it.
    """

    def __init__(self, name: str, defaults: Mapping[str, Any]) -> None:
        """Name the values and say what they are before the visitor changes any."""
        self.state: ClientStateVar = _client_state(name, json.dumps(defaults))
        self._types = {key: type(value) for key, value in defaults.items()}

    def __getitem__(self, key: str) -> rx.Var:
        """Return the expression for one value."""
        return self.state.value.to(dict[str, Any])[key].to(self._types[key])

    def put(self, changes: Mapping[str, Any]) -> rx.Var:
        """Return the expression that sets some values and leaves the others as they are."""
        return self.replace(self.state.value, changes)

    def replace(self, values: rx.Var, changes: Mapping[str, Any]) -> rx.Var:
        """Return the expression that sets every value to the given ones, with some changes."""
        pairs = ", ".join(f"{json.dumps(key)}: {rx.Var.create(value)!s}" for key, value in changes.items())
        used = (rx.Var.create(value)._get_all_var_data() for value in (values, *changes.values()))
        merged = rx.Var(f"({{...{values!s}, {pairs}}})", _var_data=VarData.merge(*used))
        return self.state.set.to(FunctionVar).call(merged)
