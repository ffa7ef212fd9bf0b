"""The deals of a remortgage plan in the browser: those of the edge, and those that the plan has asked for since."""

from typing import Any

import reflex as rx
from reflex.event import EventChain, no_args_event_spec
from reflex.vars import ObjectVar, VarData
from reflex_base.utils.imports import ImportVar

from broker.components.client_scripts import callback, script_function
from broker.components.url_params import QUERY
from broker.lending.arithmetic import shared
from broker.plans.remortgage_search import Question
from broker.presenters.rates.search.remortgage_deals import NO_DEALS, RemortgageDeals
from broker.state.rates.remortgage_deals import RemortgageDealsState


def edge_answer() -> ObjectVar:
    """Return what the edge answered this address with, its day and its deals, or null."""
    return shared(script_function("edge_answer", "edgeAnswer").call(QUERY).to(dict[str, Any]))


def deals_in_browser(answered: ObjectVar) -> RemortgageDeals:
    """Return the deals that a plan counts; `answered` is the answer of the edge, which comes first."""
    own = rx.Var.create(RemortgageDealsState.found).to(list[RemortgageDeals])
    before = rx.cond(answered.bool(), answered["deals"].to(RemortgageDeals), rx.Var.create(NO_DEALS))
    return shared(rx.cond(own.length() > 0, own[0], before).to(RemortgageDeals))


def asked_at_rest(question: Question, answered: RemortgageDeals) -> VarData | None:
    """Return the effect that asks for deals once the figures rest, where those of the page are for others."""
    find = RemortgageDealsState.find(question.key)  # pyright: ignore[reportCallIssue] - Reflex's own way to name an event
    ask = rx.Var.create(EventChain.create(value=find, args_spec=no_args_event_spec))
    asked = script_function("figures_at_rest", "askAtRest").call(
        question.key, answered.key, callback(rx.Var(f"({ask!s})()", _var_data=ask._get_all_var_data()))
    )
    effect = f"useEffect(() => {asked!s}, [{question.key!s}, {answered.key!s}])"
    hooks = VarData(hooks={effect: None}, imports={"react": [ImportVar(tag="useEffect")]})
    return VarData.merge(asked._get_all_var_data(), hooks)
