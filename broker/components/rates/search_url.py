"""The rates search in the browser: its form, and the page's URL, which holds the search."""

import json
from typing import Any

import reflex as rx
from reflex.vars import VarData
from reflex_base.utils.imports import ImportVar
from reflex_base.vars.function import FunctionVar

from broker import routes
from broker.components.client_scripts import script_function
from broker.components.client_values import BrowserValues, client_handler, client_state_key
from broker.components.forms.figures import figures_line, once_cleared
from broker.components.forms.post_form import PostForm
from broker.components.jinja import Text
from broker.components.url_params import NAVIGATE, QUERY, parameter_after_load
from broker.rates.customers import default_query
from broker.rates.query import AMOUNT, PRICE, TERM
from broker.rates.search_params import form_of

FORM = "search"
"""The id of the form (`js/search_form.js` has it too), and the prefix of its fields' ids."""


def opening_form(customer: str) -> dict[str, str]:
    """Return what the fields of a customer type's page show without a search, by parameter name."""
    return form_of(default_query(customer))


def opening_parameters(customer: str) -> dict[str, str]:
    """Return the parameters of a search that a customer type's page opens with."""
    return {name: value.replace(",", "") for name, value in opening_form(customer).items()}


def starting_form(customer: str) -> Any:
    """Return what the fields of a customer type's page start with: what the edge wrote, or the opening form."""
    started = script_function("edge_answer", "startingFields").call(opening_form(customer))
    line = f"const [startingForm] = useState(() => {started!s})"
    hooks = VarData(hooks={line: None}, imports={"react": [ImportVar(tag="useState")]})
    return rx.Var("startingForm", _var_data=VarData.merge(started._get_all_var_data(), hooks)).to(dict[str, str])


def searched_parameter(name: str) -> rx.Var:
    """Return the value of a parameter of the search, or an empty text, which starts as the edge wrote it."""
    return parameter_after_load(name, start=script_function("edge_answer", "startingParameter").call(name))


def typed_figures(customer: str) -> BrowserValues:
    """Return the texts of the three number boxes as the browser has them, for the messages and the LTV gauge."""
    opening = opening_form(customer)
    name = f"search_{customer}".replace("-", "_").rstrip("_")
    usual = {field: opening[field] for field in (PRICE, AMOUNT, TERM)}
    refs = rx.Var("refs", _var_data=VarData(imports={"$/utils/state": [ImportVar(tag="refs")]}))
    started = script_function("edge_answer", "startTyped").call(refs, client_state_key(name), usual)
    hooks = VarData(hooks={f"useState(() => {started!s})": None}, imports={"react": [ImportVar(tag="useState")]})
    # the imports of the function, and then this hook alone: what comes first runs first
    return BrowserValues(name, usual, before=VarData.merge(started._get_all_var_data(), hooks))


def search_form_of(customer: str, *fields: rx.Component) -> rx.Component:
    """Draw the GET form of a customer type's search around its uncontrolled fields, which are filled from the URL.

    With scripts it navigates inside the site, and not while a field is in error.
    """
    typed = typed_figures(customer)
    defaults = opening_parameters(customer)
    submitted = _read(typed, _script("submitForm").call(NAVIGATE))
    return PostForm.create(
        typed.state,
        *fields,
        method="get",
        action=_filled_from_url(routes.deals(customer), typed),
        no_validate=True,
        on_change=client_handler(_read(typed, _script("figuresWhileTyping").call(rx.Var("typed.target")))),
        on_blur=client_handler(_read(typed, _script("typedFigures").call())),
        on_submit=client_handler(
            rx.Var(f"(typed.preventDefault(), {submitted!s})", _var_data=submitted._get_all_var_data())
        ),
        id=FORM,
        key=customer or "all",
        class_name="panel stack tight-18",
        aria_labelledby=f"{FORM}-title",
        custom_attrs={"autoComplete": "off", "data-defaults": json.dumps(defaults, separators=(",", ":"))},
    )


def search_figures(typed: BrowserValues) -> rx.Component:
    """Draw the line of the visitor's figures, in a form that shows some."""
    current = typed.state.value
    used = _script("usesFigures").call(current)
    lines = (
        "const [figuresUse, setFiguresUse] = useState(false)",
        f"useEffect(() => setFiguresUse({used!s}), [{QUERY!s}, {current!s}])",
    )
    react = {"react": [ImportVar(tag="useState"), ImportVar(tag="useEffect")]}
    hooks = VarData(hooks=dict.fromkeys(lines), imports=react)
    dropped = once_cleared(_read(typed, _script("dropFigures").call(NAVIGATE)))
    others = (each._get_all_var_data() for each in (current, used, QUERY))
    return figures_line(rx.Var("figuresUse", _var_data=VarData.merge(*others, hooks, dropped)).to(bool))


def search_with(name: str, value: Text) -> rx.Var:
    """Return the event handler that goes to the page's search with one parameter changed."""
    return client_handler(_script("changeSearch").call(NAVIGATE, rx.Var.create({name: value})))


def focus_new_deal() -> rx.Var:
    """Return the click handler of a link to more of the list, which moves the focus to the first new deal."""
    return client_handler(script_function("rates_list", "focusNewDeal").call())


def _script(function: str) -> FunctionVar:
    return script_function("search_form", function)


def _read(typed: BrowserValues, figures: rx.Var) -> rx.Var:
    return typed.state.set.to(FunctionVar).call(figures)


def _filled_from_url(action: str, typed: BrowserValues) -> rx.Var:
    """Return the form's action, with the effect that fills the fields when the query string changes."""
    filled = _read(typed, _script("fillForm").call(QUERY, NAVIGATE))
    effect = f"useEffect(() => {{ {filled!s} }}, [{QUERY!s}])"
    hooks = VarData(hooks={effect: None}, imports={"react": [ImportVar(tag="useEffect")]})
    return rx.Var(json.dumps(action), _var_data=VarData.merge(filled._get_all_var_data(), hooks)).to(str)
