"""The search form of a rates page: a plain GET form of uncontrolled fields, and the search in one line."""

import functools
import operator
from collections.abc import Sequence
from typing import Any

import reflex as rx

from broker.components.elements.buttons import button
from broker.components.forms.fields import Box, Segment, labelled_box, segmented, select
from broker.components.ltv_gauge import ltv_gauge
from broker.components.rates.search_url import FORM, opening_form, search_form_of, typed_figures
from broker.domain.loan_to_value import loan_to_value
from broker.domain.rates.customers import RULES
from broker.domain.rates.lenders import KnownLender
from broker.domain.rates.query import AMOUNT, PRICE, TERM, field_problems, whole_pounds
from broker.presenters.rates import search_params
from broker.presenters.rates.search_params import FEES, FEES_OPTIONS, LENDER, offered_lenders
from broker.state.rates.search import IDLE, RatesState

_CHOICES = {
    search_params.PURPOSE: ("I want to", ("Buy", "Remortgage")),
    search_params.RATE: ("Rate type", ("Fixed", "Variable")),
    search_params.PERIOD: ("Deal length", ("2 years", "3 years", "5 years")),
    search_params.REPAY: ("Repay by", ("Repayment", "Interest only")),
    search_params.PROPERTY: ("Property", ("Residential", "Buy to let")),
}
"""The legend and labels of each segmented choice, in the order of `search_params.CHOICES`."""

_NUMBERS = {PRICE: "Property price", AMOUNT: "Mortgage amount", TERM: "Term"}


def search_form(customer: str, lenders: Sequence[KnownLender]) -> rx.Component:
    """Draw the search form of a customer type's page; options that the type rules out are disabled, with the reason.

    `lenders` are all that there are; the form offers those of the customer type's kind.
    """
    typed, opening = typed_figures(customer), opening_form(customer)
    problems = field_problems(typed[PRICE], typed[AMOUNT], term=typed[TERM])
    wrong: Any = functools.reduce(operator.or_, (problem != "" for problem in problems.values()))
    price, amount, term = (_number_box(name, opening[name], problems[name]) for name in _NUMBERS)
    purpose, *choices = (_choice(customer, name, opening[name]) for name in _CHOICES)
    offered = [(str(each), name) for each, name in offered_lenders(customer, lenders).items()]
    reason = RULES[customer].reason
    return search_form_of(
        customer,
        rx.el.div(
            rx.el.h2("Your search", id=f"{FORM}-title", class_name="as-h3"),
            rx.el.p(reason, class_name="hint") if reason else None,
        ),
        purpose,
        price,
        amount,
        ltv_gauge(_ltv(typed[PRICE], typed[AMOUNT])),
        term,
        *choices,
        _filter(LENDER, "Lender", [("", "Any lender"), *offered]),
        _filter(FEES, "Lender fees", FEES_OPTIONS),
        button("Update results", look="full needs-script", icon_name="search", kind="submit"),
        rx.cond(
            wrong,
            rx.el.p("Put the marked figures right to search again.", class_name="xs mute"),
            rx.el.p("Your search is saved in the page address, so you can share or bookmark it.", class_name="xs mute"),
        ),
        rx.el.p(
            "Searching needs scripts, which are off in your browser. The list shows the usual search.",
            class_name="xs no-script-only",
        ),
    )


def search_summary(customer: str) -> rx.Component:
    """Write the search that the list answers in one line, as small screens show it before the form is opened."""
    here = RatesState.customer == customer
    opening = rx.Var.create(opening_form(customer))
    searched = rx.cond(here & (RatesState.status != IDLE), RatesState.searched, opening).to(dict[str, str])
    kind = rx.cond(searched[search_params.RATE] == "fixed", "fixed", "variable")
    narrowed = here & (RatesState.filters != "")
    return rx.el.p(
        rx.el.b(f"£{searched[AMOUNT]} of £{searched[PRICE]}"),
        rx.el.br(),
        rx.el.span(
            f"{searched[search_params.PERIOD]}-year {kind}, over {searched[TERM]} years",
            rx.cond(narrowed, ", " + RatesState.filters, ""),
            class_name="small mute",
        ),
    )


def _number_box(name: str, value: str, problem: Any) -> rx.Component:
    years = name == TERM
    box = Box(
        identity=f"{FORM}-{name}",
        name=name,
        value=value,
        problem=problem,
        prefix="" if years else "£",
        suffix="years" if years else "",
        whole=True,
    )
    return labelled_box(_NUMBERS[name], box, hint="1 to 40" if years else "")


def _choice(customer: str, name: str, chosen: str) -> rx.Component:
    legend, labels = _CHOICES[name]
    out = RULES[customer].excluded
    segments = [
        Segment(value=value, label=label, disabled=value in out)
        for value, label in zip(search_params.CHOICES[name], labels, strict=True)
    ]
    return segmented(legend, segments, name=name, chosen=chosen)


def _filter(name: str, label: str, options: Sequence[tuple[str, str]]) -> rx.Component:
    return select(label, options, identity=f"{FORM}-{name}", name=name, chosen="")


def _ltv(price: Any, amount: Any) -> Any:
    return loan_to_value(whole_pounds(amount), whole_pounds(price))
