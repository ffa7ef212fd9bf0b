"""The visitor's figures in the browser: kept as they are typed, offered where a field means the same, and cleared."""

import json
from collections.abc import Mapping

import reflex as rx
from reflex.vars import VarData

from broker.components.client_scripts import callback, effect, expression, script_function
from broker.components.client_values import BrowserValues, client_handler
from broker.components.jinja import Value

_CLEAR = "Clear my figures"


def figures_line(is_used: rx.Var) -> rx.Component:
    """Draw the line of a form that shows the visitor's figures; it lies on the form's edge and moves nothing."""
    return rx.cond(is_used, rx.el.p("Using your figures", _clear_button(), class_name="mine"))


def clear_figures() -> rx.Component:
    """Draw the end of a row of links: the button that deletes the figures, with a status."""
    return rx.el.span(" · ", _clear_button(), " ", rx.el.span(role="status"), class_name="needs-script")


def _clear_button() -> rx.Component:
    # Reflex hands a handler of clicks the mouse only; a plain one gets the event, with its button.
    cleared = script_function("figures", "clearFigures").call(rx.Var("typed.currentTarget"))
    return rx.el.button(_CLEAR, type="button", class_name="as-link", custom_attrs={"onClick": client_handler(cleared)})


def uses_figures(form: Mapping[str, object], values: BrowserValues, *, worked: Mapping[str, Value]) -> rx.Var:
    """Return whether a form shows figures of the visitor, with the effects that keep and offer them.

    `form` is as `js/figures.js` takes it. `worked` has figures that follow from the form's values; 0 for none.
    """
    current, taken = values.state.value, rx.Var("takesFigures")
    follows = [rx.Var.create({name: _unless_zero(value) for name, value in worked.items()})] if worked else []
    kept = script_function("figures", "keepTyped").call(taken, current, *follows)
    offered = script_function("figures", "offerFigures").call(taken, callback(current), values.state.set)
    # what was typed is seen before anything is offered, and both before the page is painted
    hooks = (
        f"const {taken!s} = {rx.Var.create(dict(form))!s}",
        "const [usesFigures, setUsesFigures] = useState(false)",
        f"useLayoutEffect(() => setUsesFigures({kept!s}), [{current!s}])",
        f"useLayoutEffect(() => {offered!s}, [])",
    )
    react = ("useState", "useLayoutEffect")
    return expression("usesFigures", current, kept, offered, hooks=hooks, react=react).to(bool)


def _unless_zero(value: Value) -> rx.Var:
    return expression(f"({value!s} || undefined)", value)


def offered_to(key: str) -> rx.Var:
    """Return the values that a form was offered last, or undefined."""
    offers = script_function("figures", "offers")
    return expression(f"{offers!s}[{json.dumps(key)}]", offers)


def once_cleared(then: rx.Var) -> VarData | None:
    """Return the effect that evaluates an expression once the figures are cleared."""
    called = script_function("figures", "whenCleared").call(callback(then))
    return effect(called, called)


def figure_text(names: tuple[str, ...], *, low: int, high: int) -> rx.Var:
    """Return a figure in whole pounds as text, the nearest within bounds; empty where none is kept."""
    figure = script_function("figures", "figureOf").call(rx.Var(json.dumps(names)))
    nearest = expression(f"Math.min({high}, Math.max({low}, Math.round({figure!s})))", figure).to(float)
    return rx.cond(expression(f"({figure!s} !== undefined)", figure).to(bool), nearest.to_string(), "").to(str)


def keep_figures(figures: Mapping[str, object]) -> rx.Var:
    """Return the expression that keeps some figures, and leaves one whose value is undefined as it is."""
    given = rx.Var.create(dict(figures))
    known = expression(f"JSON.parse(JSON.stringify({given!s}))", given)
    return script_function("figures", "keepFigures").call(known)
