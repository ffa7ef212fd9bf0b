"""Up to four products side by side: differences, and the loans at which two have the same true cost."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations

from broker.lending.immutable import Immutable
from broker.lending.loan_to_value import ltv_figure
from broker.lending.money import exact_pounds, percent, pounds, pounds_and_pence
from broker.markup import words_of
from broker.rates.costs import balance_at_end, break_even, cost_terms
from broker.rates.product import RateProduct
from broker.rates.product_text import (
    INCENTIVES,
    NONE_STATED,
    UNSTATED,
    Headline,
    aprc_sentence,
    cheaper_below,
    deal_name,
    duration,
    early_repayment_sentence,
    example_sentence,
    headline,
    loans_sentence,
    product_name,
    repayment_basis,
)
from broker.rates.search_params import MAX_ID_LENGTH

MAX_COMPARED = 4
_LEAST_COMPARED = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedFigure:
    """One product's figure in a row; `lowest` if it is the lowest of figures that differ and are of equal length."""

    text: str
    lowest: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedRow:
    """One row of the comparison; `differs` if the products do."""

    label: str
    figures: tuple[ComparedFigure, ...]
    differs: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison(Immutable):
    """Products side by side, or empty.

    `named` pairs each product's id with its name. `rows` are the rate and the APRC, then what differs; `same` is what
    does not, each row's label with its one text. An example is a product's name, its sentence and its APRC.
    """

    heads: tuple[Headline, ...] = ()
    named: tuple[tuple[str, str], ...] = ()
    rows: tuple[ComparedRow, ...] = ()
    same: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()
    examples: tuple[tuple[str, str, str], ...] = ()


NO_COMPARISON = Comparison()

_AFTER_CASHBACK = "Total to pay, after cashback"

_MONEY: tuple[tuple[str, Callable[[RateProduct], float | None], Callable[[float], str]], ...] = (
    ("Initial rate", lambda product: product.initial_rate, percent),
    ("APRC", lambda product: product.aprc, percent),
    ("Monthly payment", lambda product: product.initial_payment, pounds_and_pence),
    ("Lender fees", lambda product: product.total_fees, exact_pounds),
    ("Total to pay in the deal", lambda product: product.cash_cost, pounds_and_pence),
    (_AFTER_CASHBACK, lambda product: product.net_cost, pounds_and_pence),
    ("True cost of the deal", lambda product: product.true_cost, pounds_and_pence),
    ("True cost a year", lambda product: product.yearly_true_cost, pounds_and_pence),
    ("Owed when the deal ends", balance_at_end, pounds_and_pence),
    ("Follow-on rate", lambda product: product.follow_on_rate, percent),
    ("Payment after the deal", lambda product: product.follow_on_payment, pounds_and_pence),
)

_OF_THE_DEAL = ("Total to pay in the deal", _AFTER_CASHBACK, "True cost of the deal", "Owed when the deal ends")
"""Figures that grow or fall with the length of a deal: of deals of different length none is the lowest."""

_ALWAYS = 2
"""The first rows, rate and APRC, are shown together even where they do not differ (decision 17)."""

_WORDS: tuple[tuple[str, Callable[[RateProduct], str]], ...] = (
    ("Deal", lambda product: f"{deal_name(product)}, {repayment_basis(product)}"),
    ("Product", lambda product: product.title),
    ("Deal lasts", lambda product: duration(product.initial_months)),
    ("Highest loan to value", lambda product: ltv_figure(product.most_ltv) + "%"),
    ("Loans", lambda product: loans_sentence(product) or UNSTATED),
    ("Early repayment charge", early_repayment_sentence),
    *INCENTIVES,
    ("Description", lambda product: words_of(product.description) or NONE_STATED),
    ("Notes", lambda product: words_of(product.notes) or NONE_STATED),
)


def compared_ids(text: object) -> list[str]:
    """Return the product ids in the parameter of a comparison, each once, four at most."""
    if not isinstance(text, str) or len(text) > MAX_COMPARED * (MAX_ID_LENGTH + 1):
        return []
    return list(dict.fromkeys(part for part in text.split(",") if 0 < len(part) <= MAX_ID_LENGTH))[:MAX_COMPARED]


def comparison(products: Sequence[RateProduct], *, logos: Sequence[str], asked: int = 0) -> Comparison:
    """Return the comparison of two to four products; `logos` are their pictures, in the same order.

    `asked` is how many an address names, of which some may not be listed. Of fewer than two there is at most a note.
    """
    shown = products[:MAX_COMPARED]
    unlisted = _unlisted(asked, len(shown))
    if len(shown) < _LEAST_COMPARED:
        return Comparison(notes=unlisted)
    pays_back = any(product.incentives.cashback for product in shown)
    is_equal = len({product.initial_months for product in shown}) == 1
    money = tuple(
        _figures(label, [(read(product), write) for product in shown], is_ranked=is_equal or label not in _OF_THE_DEAL)
        for label, read, write in _MONEY
        if pays_back or label != _AFTER_CASHBACK
    )
    words = tuple(_words(label, [read(product) for product in shown]) for label, read in _WORDS)
    return Comparison(
        heads=tuple(headline(product, logo=logo) for product, logo in zip(shown, logos, strict=False)),
        named=tuple((product.product_id, product_name(product)) for product in shown),
        rows=(*money[:_ALWAYS], *(row for row in (*money[_ALWAYS:], *words) if row.differs)),
        same=tuple((row.label, row.figures[0].text) for row in (*money[_ALWAYS:], *words) if not row.differs),
        notes=(*unlisted, *_notes(shown)),
        examples=tuple((product_name(product), example_sentence(product), aprc_sentence(product)) for product in shown),
    )


def _unlisted(asked: int, found: int) -> tuple[str, ...]:
    """Return a sentence where not all deals that an address names were found."""
    if found >= asked:
        return ()
    if found < _LEAST_COMPARED:
        which = "Only one" if found else "None"
        return (f"{which} of the deals in this address is on our list now, so there is nothing to compare.",)
    verb = "is" if asked - found == 1 else "are"
    return (f"{asked - found} of the {asked} deals in this address {verb} not on our list now.",)


def _figures(
    label: str, cells: Sequence[tuple[float | None, Callable[[float], str]]], *, is_ranked: bool
) -> ComparedRow:
    texts = [UNSTATED if value is None else write(value) for value, write in cells]
    differs = len(set(texts)) > 1
    _, least = min(((value, write(value)) for value, write in cells if value is not None), default=(0, ""))
    figures = tuple(ComparedFigure(text=text, lowest=is_ranked and differs and text == least) for text in texts)
    return ComparedRow(label=label, figures=figures, differs=differs)


def _words(label: str, texts: Sequence[str]) -> ComparedRow:
    figures = tuple(ComparedFigure(text=text) for text in texts)
    return ComparedRow(label=label, figures=figures, differs=len(set(texts)) > 1)


def _notes(products: Sequence[RateProduct]) -> tuple[str, ...]:
    """Return which product has the lowest true cost a year, and the break-even loan of any two."""
    cheapest, *others = sorted(products, key=lambda product: product.yearly_true_cost)
    equal = [product for product in others if _shown_true_cost(product) == _shown_true_cost(cheapest)]
    lowest = f"{_names([cheapest, *equal])} {'have' if equal else 'has'} the lowest true cost a year"
    first = f"{lowest} at a loan of {pounds(cheapest.loan_amount)}."
    beaten = "" if equal else _beaten(cheapest, others)
    crossings = (_crossing(one, other) for one, other in combinations([cheapest, *others], 2))
    return tuple(note for note in (first, beaten, *crossings) if note)


def _beaten(cheapest: RateProduct, others: Sequence[RateProduct]) -> str:
    """Return which products are dearer than the cheapest at any loan; empty if none is."""
    never = [other for other in others if break_even(cost_terms(cheapest), cost_terms(other)).true is None]
    return f"No loan makes its true cost higher than that of {_names(never)}." if never else ""


def _shown_true_cost(product: RateProduct) -> str:
    return pounds_and_pence(product.yearly_true_cost)


def _names(products: Sequence[RateProduct]) -> str:
    *others, last = (product_name(product) for product in products)
    return f"{', '.join(others)} and {last}" if others else last


def _crossing(cheaper: RateProduct, dearer: RateProduct) -> str:
    """Return the break-even loans of two products, by true cost and by cash paid; empty if there is neither."""
    one, other = cost_terms(cheaper), cost_terms(dearer)
    crossing = break_even(one, other)
    by_cash = _by_cash(crossing.cash, cheaper, dearer)
    if crossing.true is None:
        return (
            f"{product_name(cheaper)} and {product_name(dearer)}: {by_cash[0].lower()}{by_cash[1:]}" if by_cash else ""
        )
    side = "above" if cheaper.loan_amount < crossing.true else "below"
    yearly = pounds(one.true_cost(crossing.true) / one.months * 12)
    change = (
        f"{product_name(dearer)} would have a lower true cost than {product_name(cheaper)} {side} a loan of "
        f"{pounds(crossing.true)}, where both cost {yearly} a year."
    )
    return " ".join(part for part in (change, by_cash, _out_of_reach(crossing.true, cheaper, dearer)) if part)


def _by_cash(loan: float | None, one: RateProduct, other: RateProduct) -> str:
    """Return below which loan one of two products costs less in cash; empty where none changes that."""
    back = ", after cashback" if one.incentives.cashback or other.incentives.cashback else ""
    return f"By cash paid{back}, {cheaper_below(one, other)} costs less below {pounds(loan)}." if loan else ""


def _out_of_reach(loan: float, *products: RateProduct) -> str:
    """Return the sentence for a break-even loan that one of the products is not lent at, or an empty text."""
    outside = any(
        (product.most_loan is not None and loan > product.most_loan)
        or (product.least_loan is not None and loan < product.least_loan)
        for product in products
    )
    return "They do not both offer a loan of that size." if outside else ""
