"""The search that a rates page shows in the browser: that of the edge, the visitor's own, or that of the build."""

from typing import Any

import reflex as rx
from reflex.vars import VarData
from reflex_base.utils.imports import ImportVar

from broker import routes
from broker.components.client_scripts import script_function
from broker.components.form_scripts import while_titled
from broker.components.rates.search_url import opening_parameters
from broker.components.url_params import QUERY, VISIT
from broker.documents.attachment import adviser_address
from broker.rates.customers import default_query
from broker.rates.downloads import download_address
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
    pdf_address,
    search_summary,
    unfiltered_address,
)
from broker.state.rates.live_rates import ByLtvState
from broker.state.rates.search import RatesState


def _edge_answer() -> Any:
    """Return what the edge answered this address with, or null."""
    answer = script_function("edge_answer", "edgeAnswer").call(QUERY)
    hooks = VarData(hooks={f"const fromEdge = {answer!s}": None})
    return rx.Var("fromEdge", _var_data=VarData.merge(answer._get_all_var_data(), hooks)).to(dict[str, ShownSearch])


def _at_first(name: str, value: rx.Var) -> rx.Var:
    """Return what a value of the browser was at the first render."""
    hooks = VarData(
        hooks={f"const [{name}] = useState({value!s})": None}, imports={"react": [ImportVar(tag="useState")]}
    )
    return rx.Var(name, _var_data=VarData.merge(value._get_all_var_data(), hooks)).to(str)


def is_waiting(customer: str) -> rx.Var:
    """Return whether the server has not read the address since the visitor went there, or has not sent its list.

    On the page that the visitor came to, the list of the address is in the HTML.
    """
    here = RatesState.customer == customer
    is_step = _at_first("firstVisit", VISIT) != VISIT
    return ~RatesState.is_hydrated & (here | is_step | ~_is_opening_search(customer) & ~_edge_answer().bool())


def is_busy(customer: str) -> rx.Var:
    """Return whether the list on screen, if there is one, answers another search than the address has by now."""
    here, query = RatesState.customer == customer, _changed_query(customer, QUERY)
    first = _changed_query(customer, _at_first("firstQuery", QUERY))
    asked = rx.cond(query == "", routes.deals(customer), routes.deals(customer) + "?" + query.to(str))
    is_other = rx.cond(here, RatesState.address != asked, query != first)
    is_awaited = (is_waiting(customer) & is_other) | (here & (RatesState.status == LOADING))
    return ~_edge_answer().bool() & is_awaited


def search_in_browser(customer: str, *, built: RatesList) -> ShownSearch:
    """Return what a page shows, as browser expressions; `built` answers the page's default search.

    The answer of the edge stays until the server has one for the same address, also in the place of the list of the
    build, which is older.
    """
    query, state = default_query(customer), RatesState
    here, edge = state.customer == customer, _edge_answer()
    answered = edge["shown"]
    is_under_way = (state.status == IDLE) | (state.status == LOADING)
    waiting = ~here | (is_under_way & (answered.status != FAILED))
    is_edges = edge.bool() & waiting
    is_outdated = is_busy(customer)

    def choose(name: str, own: Any, *, usual: Any) -> Any:
        return rx.cond(is_edges, getattr(answered, name), rx.cond(here, own, usual))

    is_built = _is_opening_search(customer)
    status = choose("status", state.status, usual=rx.cond(is_built, IDLE, LOADING))
    heading, showing = rx.cond(is_built, built.heading, FINDING), rx.cond(is_built, built.showing, "")
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
            choose("heading", _of_status(state.found.heading, built.heading, failed=FAILURE), usual=heading),
        ),
        showing=rx.cond(
            is_outdated, "", choose("showing", _of_status(state.found.showing, built.showing, failed=""), usual=showing)
        ),
        problem=choose("problem", state.problem, usual=""),
        found=rx.cond(is_edges, answered.found, found),
        filter_words=choose("filter_words", state.filters, usual=""),
        unfiltered=choose("unfiltered", state.unfiltered, usual=unfiltered_address(query)),
        summary=choose("summary", state.summary, usual=search_summary(query, filters="")),
        download=rx.cond(
            is_edges,
            answered.download,
            rx.cond(ByLtvState.customer == customer, ByLtvState.download, download_address(query)),
        ),
        # what stands there at first: a press takes the query string of the page
        pdf=rx.cond(edge.bool(), answered.pdf, pdf_address(query)),
        adviser=rx.cond(edge.bool(), answered.adviser, adviser_address(pdf_address(query))),
    )


def _is_opening_search(customer: str) -> rx.Var:
    """Return whether the page was opened at the address of its default search, which the list of the build answers."""
    return (_changed_query(customer, _at_first("firstQuery", QUERY)) == "").to(bool)


def _changed_query(customer: str, query: rx.Var) -> rx.Var:
    """Return the search of a query string, without the parameters that the page opens with."""
    return script_function("search_form", "changedQuery").call(opening_parameters(customer), query, {}).to(str)


def _of_status(found: Any, usual: str, *, failed: str) -> Any:
    return rx.match(RatesState.status, (IDLE, usual), (LOADING, FINDING if failed else ""), (FAILED, failed), found)


def answered_address(customer: str) -> rx.Var:
    """Return the address of the search that the list answers; empty while one is under way."""
    is_answered = (RatesState.customer == customer) & (RatesState.status != LOADING)
    return rx.cond(is_answered, RatesState.address, "")


def keep_title(place: rx.Var) -> rx.Var:
    """Return a value of a component, which then keeps the title of the edge's answer while its address is shown."""
    answer = _edge_answer()
    title = rx.Var(f"{answer!s}?.title", _var_data=answer._get_all_var_data())
    data = VarData.merge(place._get_all_var_data(), while_titled(title, since=answer))
    return rx.Var(str(place), _var_data=data).to(str)
