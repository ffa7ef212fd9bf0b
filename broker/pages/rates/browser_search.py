"""The rates search in the browser: the fields of its form, its address, and what the page shows."""

import json
from typing import Any

import reflex as rx
from reflex_base.vars.function import FunctionVar

from broker import routes
from broker.components.client_scripts import effect, expression, refs, script_function, var_data
from broker.components.client_values import BrowserValues, client_handler, client_state_key
from broker.components.form_scripts import while_titled
from broker.components.forms.figures import figures_line, once_cleared
from broker.components.forms.post_form import PostForm
from broker.components.jinja import Text
from broker.components.url_params import NAVIGATE, QUERY, VISIT, edge_answer, parameter_after_load
from broker.documents.attachment import adviser_address
from broker.rates.customers import default_query
from broker.rates.query import AMOUNT, PRICE, TERM
from broker.rates.results import RatesList
from broker.rates.search_page import (
    EMPTY,
    FAILED,
    FAILURE,
    FINDING,
    IDLE,
    LOADED,
    LOADING,
    REFUSED,
    ShownSearch,
    search_summary,
)
from broker.rates.search_params import download_address, form_of, pdf_address, search_address
from broker.state.rates.live_rates import ByLtvState
from broker.state.rates.search import RatesState

FORM = "search"
"""The id of the form (`js/search_form.js` has it too), and the prefix of its fields' ids."""


def _opening_form(customer: str) -> dict[str, str]:
    return form_of(default_query(customer))


def _opening_parameters(customer: str) -> dict[str, str]:
    """Return the parameters of a search that a customer type's page opens with."""
    return {name: value.replace(",", "") for name, value in _opening_form(customer).items()}


def starting_form(customer: str) -> Any:
    """Return what the fields of a customer type's page start with: what the edge wrote, or the opening form."""
    started = script_function("edge_answer", "startingFields").call(_opening_form(customer))
    hooks = (f"const [startingForm] = useState(() => {started!s})",)
    return expression("startingForm", started, hooks=hooks, react=("useState",)).to(dict[str, str])


def searched_parameter(name: str) -> rx.Var:
    """Return the value of a parameter of the search, or an empty text, which starts as the edge wrote it."""
    return parameter_after_load(name, start=script_function("edge_answer", "startingParameter").call(name))


def typed_figures(customer: str) -> BrowserValues:
    """Return the texts of the three number boxes as the browser has them, for the messages and the LTV gauge."""
    opening = _opening_form(customer)
    name = f"search_{customer}".replace("-", "_").rstrip("_")
    usual = {field: opening[field] for field in (PRICE, AMOUNT, TERM)}
    started = script_function("edge_answer", "startTyped").call(refs(), client_state_key(name), usual)
    before = var_data(started, hooks=(f"useState(() => {started!s})",), react=("useState",))
    return BrowserValues(name, usual, before=before)


def search_form_of(customer: str, *fields: rx.Component) -> rx.Component:
    """Draw the GET form of a customer type's search around its uncontrolled fields, which are filled from the URL.

    With scripts it navigates inside the site, and not while a field is in error.
    """
    typed = typed_figures(customer)
    defaults = _opening_parameters(customer)
    submitted = _read(typed, _script("submitForm").call(NAVIGATE))
    return PostForm.create(
        typed.state,
        *fields,
        method="get",
        action=_filled_from_url(routes.deals(customer), typed),
        no_validate=True,
        on_change=client_handler(_read(typed, _script("figuresWhileTyping").call(rx.Var("typed.target")))),
        on_blur=client_handler(_read(typed, _script("typedFigures").call())),
        on_submit=client_handler(expression(f"(typed.preventDefault(), {submitted!s})", submitted)),
        id=FORM,
        key=customer or "all",
        class_name="panel search",
        aria_labelledby=f"{FORM}-title",
        custom_attrs={"autoComplete": "off", "data-defaults": json.dumps(defaults, separators=(",", ":"))},
    )


def search_figures(typed: BrowserValues) -> rx.Component:
    current = typed.state.value
    used = _script("usesFigures").call(current)
    hooks = (
        "const [figuresUse, setFiguresUse] = useState(false)",
        f"useEffect(() => setFiguresUse({used!s}), [{QUERY!s}, {current!s}])",
    )
    shown = expression("figuresUse", current, used, QUERY, hooks=hooks, react=("useState", "useEffect"))
    dropped = once_cleared(_read(typed, _script("dropFigures").call(NAVIGATE)))
    return figures_line(expression("figuresUse", shown, dropped).to(bool))


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
    return expression(json.dumps(action), effect(f"{{ {filled!s} }}", filled, after=(QUERY,))).to(str)


def _at_first(name: str, value: rx.Var) -> rx.Var:
    """Return the value of an expression at the first render."""
    return expression(name, value, hooks=(f"const [{name}] = useState({value!s})",), react=("useState",)).to(str)


def is_waiting(customer: str) -> rx.Var:
    """Return whether the server has not yet read the visitor's new address, or not yet sent its list.

    On the first page of a visit, the list of the address is in the HTML.
    """
    here = RatesState.customer == customer
    is_step = _at_first("firstVisit", VISIT) != VISIT
    return ~RatesState.is_hydrated & (here | is_step | ~_is_opening_search(customer) & ~edge_answer().bool())


def is_busy(customer: str) -> rx.Var:
    """Return whether the list on screen answers another search than the address has now."""
    here, query = RatesState.customer == customer, _changed_query(customer, QUERY)
    first = _changed_query(customer, _at_first("firstQuery", QUERY))
    asked = rx.cond(query == "", routes.deals(customer), routes.deals(customer) + "?" + query.to(str))
    is_other = rx.cond(here, RatesState.address != asked, query != first)
    is_awaited = (is_waiting(customer) & is_other) | (here & (RatesState.status == LOADING))
    return ~edge_answer().bool() & is_awaited


def search_in_browser(customer: str, *, built: RatesList) -> ShownSearch:
    """Return what a page shows, as browser expressions; `built` answers the page's default search.

    The answer of the edge stays until the server has one for the same address, also in the place of the list of the
    build, which is older.
    """
    query, state = default_query(customer), RatesState
    here, edge = state.customer == customer, edge_answer()
    answered = edge["shown"].to(ShownSearch)
    is_under_way = (state.status == IDLE) | (state.status == LOADING)
    waiting = ~here | (is_under_way & (answered.status != FAILED))
    is_edges = edge.bool() & waiting
    is_outdated = is_busy(customer)

    def choose(name: str, own: Any, *, usual: Any) -> Any:
        return rx.cond(is_edges, getattr(answered, name), rx.cond(here, own, usual))

    is_built = _is_opening_search(customer)
    status = choose("status", state.status, usual=rx.cond(is_built, IDLE, LOADING))

    def said(name: str) -> Any:
        own, usual = getattr(state.found, name), getattr(built, name)
        chosen = choose(name, _of_status(own, usual, failed=""), usual=rx.cond(is_built, usual, ""))
        return rx.cond(is_outdated, "", chosen)

    has_own = (state.status == LOADED) | (state.status == EMPTY) | (state.status == REFUSED)
    found = rx.cond(here & has_own, state.found, rx.Var.create(built))
    return ShownSearch(
        status=status,
        is_listed=(status == IDLE) | (status == LOADED),
        is_empty=status == EMPTY,
        is_refused=status == REFUSED,
        heading=rx.cond(
            is_outdated,
            FINDING,
            choose(
                "heading",
                _of_status(state.found.heading, built.heading, failed=FAILURE),
                usual=rx.cond(is_built, built.heading, FINDING),
            ),
        ),
        showing=said("showing"),
        source=said("source"),
        problem=choose("problem", state.problem, usual=""),
        found=rx.cond(is_edges, answered.found, found),
        filter_words=choose("filter_words", state.filters, usual=""),
        unfiltered=choose("unfiltered", state.unfiltered, usual=search_address(query.unfiltered)),
        summary=choose("summary", state.summary, usual=search_summary(query, filters="")),
        download=rx.cond(
            is_edges,
            answered.download,
            rx.cond(ByLtvState.customer == customer, ByLtvState.download, download_address(query)),
        ),
        # at first; a press takes the query string of the page
        pdf=rx.cond(edge.bool(), answered.pdf, pdf_address(query)),
        adviser=rx.cond(edge.bool(), answered.adviser, adviser_address(pdf_address(query))),
    )


def _is_opening_search(customer: str) -> rx.Var:
    """Return whether the page was opened at the address of its default search, which the list of the build answers."""
    return (_changed_query(customer, _at_first("firstQuery", QUERY)) == "").to(bool)


def _changed_query(customer: str, query: rx.Var) -> rx.Var:
    """Return the search of a query string, without the parameters that the page opens with."""
    return script_function("search_form", "changedQuery").call(_opening_parameters(customer), query, {}).to(str)


def _of_status(found: Any, usual: str, *, failed: str) -> Any:
    return rx.match(RatesState.status, (IDLE, usual), (LOADING, FINDING if failed else ""), (FAILED, failed), found)


def answered_address(customer: str) -> rx.Var:
    """Return the address of the search that the list answers; empty while one is under way."""
    is_answered = (RatesState.customer == customer) & (RatesState.status != LOADING)
    return rx.cond(is_answered, RatesState.address, "")


def keep_title(place: rx.Var) -> rx.Var:
    """Return a value of a component, which keeps the title of the edge's answer while its address is shown."""
    answer = edge_answer()
    title = expression(f"{answer!s}?.title", answer)
    return expression(str(place), place, while_titled(title, since=answer)).to(str)
