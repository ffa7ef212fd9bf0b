"""Up to four products side by side, with what differs marked and the loans at which two change places."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from broker.domain.money import exact_pounds, percent, pounds, pounds_and_pence
from broker.domain.rates.cost import break_even, deal_of
from broker.domain.rates.product import RateProduct
from broker.presenters.product_parts import Headline, headline
from broker.presenters.product_words import (
    aprc_sentence,
    basis,
    deal_name,
    early_repayment_sentence,
    example_sentence,
    loans_sentence,
    named,
    span,
)

MOST = 4
"""Most products side by side."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedFigure:
    """One product's figure in a row; `lowest` where it is the lowest of figures that differ."""

    text: str
    lowest: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedRow:
    """One line of the comparison; `differs` where the products are not alike in it."""

    label: str
    figures: tuple[ComparedFigure, ...]
    differs: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Products side by side; empty where none are compared."""

    heads: tuple[Headline, ...] = ()
    names: tuple[str, ...] = ()
    rows: tuple[ComparedRow, ...] = ()
    notes: tuple[str, ...] = ()
    examples: tuple[tuple[str, str], ...] = ()


UNSTATED = "Not stated"

NO_COMPARISON = Comparison()
"""Stands where nothing is compared."""

_MONEY: tuple[tuple[str, Callable[[RateProduct], float | None], Callable[[float], str]], ...] = (
    ("Initial rate", lambda product: product.initial_rate, percent),
    ("APRC", lambda product: product.aprc, percent),
    ("Monthly payment", lambda product: product.initial_payment, pounds_and_pence),
    ("Lender fees", lambda product: product.total_fees, exact_pounds),
    ("Total to pay in the deal", lambda product: product.cash_cost, pounds_and_pence),
    ("True cost of the deal", lambda product: product.true_cost, pounds_and_pence),
    ("True cost a year", lambda product: product.yearly_true_cost, pounds_and_pence),
    ("Owed when the deal ends", lambda product: product.loan_amount - product.capital_repaid, pounds_and_pence),
    ("Follow-on rate", lambda product: product.follow_on_rate, percent),
    ("Payment after the deal", lambda product: product.follow_on_payment, pounds_and_pence),
)

_WORDS: tuple[tuple[str, Callable[[RateProduct], str]], ...] = (
    ("Deal", lambda product: f"{deal_name(product)}, {basis(product)}"),
    ("Deal lasts", lambda product: span(product.initial_months)),
    ("Highest loan to value", lambda product: f"{product.most_ltv:.0f}%"),
    ("Loans", lambda product: loans_sentence(product) or UNSTATED),
    ("Early repayment charge", early_repayment_sentence),
)


def comparison(products: Sequence[RateProduct], *, logos: Sequence[str]) -> Comparison:
    """Return the comparison of two to four products; `logos` are their pictures, in the same order."""
    shown = products[:MOST]
    figures = (_figures(label, [(read(product), write) for product in shown]) for label, read, write in _MONEY)
    words = (_words(label, [read(product) for product in shown]) for label, read in _WORDS)
    return Comparison(
        heads=tuple(headline(product, logo=logo) for product, logo in zip(shown, logos, strict=False)),
        names=tuple(named(product) for product in shown),
        rows=(*figures, *words),
        notes=_notes(shown),
        examples=tuple((example_sentence(product), aprc_sentence(product)) for product in shown),
    )


def _figures(label: str, cells: Sequence[tuple[float | None, Callable[[float], str]]]) -> ComparedRow:
    texts = [UNSTATED if value is None else write(value) for value, write in cells]
    differs = len(set(texts)) > 1
    least = min((value for value, _ in cells if value is not None), default=None)
    figures = tuple(
        ComparedFigure(text=text, lowest=differs and value == least)
        for text, (value, _) in zip(texts, cells, strict=True)
    )
    return ComparedRow(label=label, figures=figures, differs=differs)


def _words(label: str, texts: Sequence[str]) -> ComparedRow:
    figures = tuple(ComparedFigure(text=text) for text in texts)
    return ComparedRow(label=label, figures=figures, differs=len(set(texts)) > 1)


def _notes(products: Sequence[RateProduct]) -> tuple[str, ...]:
    """Say which deal has the lowest true cost a year, and where each other one would change places with it."""
    cheapest = min(products, key=lambda product: product.yearly_true_cost)
    first = f"{named(cheapest)} has the lowest true cost a year at a loan of {pounds(cheapest.loan_amount)}."
    return (first, *(_crossing(cheapest, other) for other in products if other is not cheapest))


def _crossing(cheapest: RateProduct, other: RateProduct) -> str:
    crossing = break_even(deal_of(cheapest), deal_of(other))
    if crossing.true is None:
        return f"It costs less than {named(other)} whatever the loan."
    side = "above" if cheapest.loan_amount < crossing.true else "below"
    by_cash = f"; by cash paid, at {pounds(crossing.cash)}" if crossing.cash else ""
    return f"{named(other)} would have the lower true cost {side} a loan of {pounds(crossing.true)}{by_cash}."
