"""The search form of a rates page: typed text stays in the browser, the server sees it on Update results."""

from __future__ import annotations

import functools
import operator
from collections.abc import Sequence
from typing import Any

import reflex as rx

from broker.components.client_values import TYPED, BrowserValues, client_handler
from broker.components.elements.buttons import button
from broker.components.forms.fields import Box, Segment, labelled_box, segmented, select
from broker.components.ltv_gauge import ltv_gauge
from broker.domain.arithmetic import choose
from broker.domain.rates.customers import RULES, default_query
from broker.domain.rates.lenders import KnownLender
from broker.domain.rates.query import AMOUNT, PRICE, TERM, field_problems, whole_pounds
from broker.presenters.rates import search_params
from broker.presenters.rates.filters import FEES_OPTIONS, LENDER, MAX_FEES, offered_lenders
from broker.state.rates.search import BEFORE, IDLE, RatesState

_LABELS = {
    search_params.PURPOSE: ("I want to", ("Buy", "Remortgage")),
    search_params.RATE: ("Rate type", ("Fixed", "Variable")),
    search_params.PERIOD: ("Deal length", ("2 years", "3 years", "5 years")),
    search_params.REPAY: ("Repay by", ("Repayment", "Interest only")),
    search_params.PROPERTY: ("Property", ("Residential", "Buy to let")),
}

_NEVER = -1
"""Stands for the turn of the state at which a changed form was asked for, until it is."""

_FORM = "search"
"""The id of the form, of which a page has one, and how those of its fields begin."""


class SearchForm:
    """The form of one customer type's page: what the visitor changed here, over what the address asks for."""

    def __init__(self, customer: str) -> None:
        """Keep the form under the customer type's name."""
        self.customer = customer
        self.name = f"search_{customer}".replace("-", "_").rstrip("_")
        self.opening = search_params.form_of(default_query(customer))
        self.kept = BrowserValues(self.name, {"version": "", "sent": _NEVER, **self.opening})
        address = rx.cond(RatesState.status == IDLE, rx.Var.create(self.opening), RatesState.form)
        left: Any = RatesState.left
        over, sent = self.kept["version"], self.kept["sent"]
        # Typed over this very address, and asked for at most just now; or over one that an own search led on from, and
        # never asked for; or before the server had read the address, which asks for nothing.
        mine = (
            ((over == RatesState.version) & ((sent == _NEVER) | (sent == RatesState.turn)))
            | (left.contains(over) & (sent == _NEVER))
            | ((over == BEFORE) & (RatesState.version == f"{BEFORE}{customer}?[]"))
        )
        here = rx.cond(RatesState.customer == customer, address, rx.Var.create(self.opening))
        self.searched = here.to(dict[str, str])
        # What an address asks for stands in the form though it makes no search, with what is wrong with it beside it.
        read = (RatesState.customer == customer) & (RatesState.version != BEFORE)
        asked = rx.cond(read, RatesState.form, rx.Var.create(self.opening))
        self.values = rx.cond(mine, self.kept.state.value, asked).to(dict[str, str])

    def __getitem__(self, name: str) -> rx.Var:
        """Return what a field shows."""
        return self.values[name].to(str)

    def problems(self) -> dict[str, Any]:
        """Return what is wrong with each of the three typed fields, as browser expressions."""
        return field_problems(self[PRICE], self[AMOUNT], term=self[TERM])

    def change(self, name: str, value: Any) -> rx.Var:
        """Return the handler that changes one field in the browser."""
        return client_handler(
            self.kept.replace(self.values, {"version": RatesState.version, "sent": _NEVER, name: value})
        )

    def send(self, in_order: rx.Var) -> rx.Var:
        """Return the handler of a search that is asked for, where it is in order; what changes from then on is not."""
        sent = rx.cond(in_order, RatesState.turn, _NEVER)
        return client_handler(self.kept.replace(self.values, {"version": RatesState.version, "sent": sent}))


def search_form(customer: str, lenders: Sequence[KnownLender]) -> rx.Component:
    """Draw the search form of a customer type's page; options the type rules out stay readable, with the reason.

    `lenders` are all that there are; those of the customer type's kind may be chosen.
    """
    form = SearchForm(customer)
    wrong = functools.reduce(operator.or_, (problem != "" for problem in form.problems().values()))
    reason = RULES[customer].reason
    offered = [(str(each), name) for each, name in offered_lenders(customer, lenders).items()]
    return rx.el.form(
        form.kept.state,
        rx.el.div(
            rx.el.h2("Your search", id=f"{_FORM}-title", class_name="as-h3"),
            rx.el.p(reason, class_name="hint") if reason else None,
        ),
        _choice(form, search_params.PURPOSE),
        _typed(form, PRICE, "Property price"),
        _typed(form, AMOUNT, "Mortgage amount"),
        ltv_gauge(_ltv(form)),
        _typed(form, TERM, "Term"),
        *(
            _choice(form, name)
            for name in (search_params.RATE, search_params.PERIOD, search_params.REPAY, search_params.PROPERTY)
        ),
        _filter(form, LENDER, "Lender", [("", "Any lender"), *offered]),
        _filter(form, MAX_FEES, "Lender fees", FEES_OPTIONS),
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
        on_submit=[form.send(~wrong), RatesState.submit(form.values)],
        id=_FORM,
        custom_attrs={"noValidate": True},
        class_name="panel stack tight-18",
        aria_labelledby=f"{_FORM}-title",
    )


def search_summary(customer: str) -> rx.Component:
    """Write the search that the list answers in one line, as small screens show it before the form is opened."""
    searched = SearchForm(customer).searched
    kind = rx.cond(searched[search_params.RATE] == "fixed", "fixed", "variable")
    narrowed = (RatesState.customer == customer) & (RatesState.filters != "")
    return rx.el.p(
        rx.el.b(f"£{searched[AMOUNT]} of £{searched[PRICE]}"),
        rx.el.br(),
        rx.el.span(
            f"{searched[search_params.PERIOD]}-year {kind}, over {searched[TERM]} years",
            rx.cond(narrowed, ", " + RatesState.filters, ""),
            class_name="small mute",
        ),
    )


def _typed(form: SearchForm, name: str, label: str) -> rx.Component:
    years = name == TERM
    box = Box(
        identity=f"{_FORM}-{name}",
        name=name,
        value=form[name],
        problem=form.problems()[name],
        on_change=form.change(name, TYPED),
        prefix="" if years else "£",
        suffix="years" if years else "",
        whole=True,
    )
    return labelled_box(label, box, hint="1 to 40" if years else "")


def _choice(form: SearchForm, name: str) -> rx.Component:
    legend, labels = _LABELS[name]
    out = RULES[form.customer].excluded
    segments = [
        Segment(value=value, label=label, disabled=value in out)
        for value, label in zip(search_params.CHOICES[name], labels, strict=True)
    ]
    return segmented(
        legend,
        segments,
        name=f"{_FORM}-{name}",
        chosen=form[name],
        on_choose=lambda value: form.change(name, value),
    )


def _filter(form: SearchForm, name: str, label: str, options: Sequence[tuple[str, str]]) -> rx.Component:
    """Draw a choice whose options come once the server has read the address: without scripts nothing is searched."""
    return select(
        label,
        options,
        identity=f"{_FORM}-{name}",
        chosen=form[name],
        on_change=form.change(name, TYPED),
        when=RatesState.version != BEFORE,
    )


def _ltv(form: SearchForm) -> Any:
    price, amount = whole_pounds(form[PRICE]), whole_pounds(form[AMOUNT])
    return choose(price >= 1, lambda: amount / price * 100, lambda: 0)
