"""The query of a rates search, and the validation of its fields (specification 3, "Rates search payload", and 5)."""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Self

from broker.lending.arithmetic import Amount, Text, choose, matches, minimum
from broker.lending.immutable import Immutable
from broker.lending.money import BLANK, DECIMAL_COMMA, MAX_POUNDS, PENCE_ADVICE, amount_in

MAX_TERM = 40

PRICE, AMOUNT, TERM, FEES = "price", "amount", "term", "fees"


class SortOrder(StrEnum):
    """The sort orders: two of the specification, and true cost (decision 13)."""

    RATE = "rate"
    FEES = "fees"
    TRUE_COST = "true-cost"


SORT_BY = {SortOrder.RATE: "InitialRate", SortOrder.FEES: "TotalFees", SortOrder.TRUE_COST: "InitialRate"}
"""The `sortBy` sent to the feed; true cost is sorted on our side (decision 13)."""


class QueryError(ValueError):
    """An invalid query; `problems` maps a field to its error message."""

    def __init__(self, problems: dict[str, str]) -> None:
        super().__init__("; ".join(f"{name}: {problem}" for name, problem in problems.items()))
        self.problems = problems


@dataclass(frozen=True, slots=True, kw_only=True)
class RatesQuery(Immutable):
    """A search, with the specification's defaults; money in whole pounds, the term in years.

    `lender_id` limits the search to one lender, `most_fees` to products whose total fees for the loan are no higher,
    `filters` to those that pass the `filters.FILTERS` with these parameters. `with_fee_free` keeps products without a
    lender fee; together with a `most_fees` of 0 there is nothing else.
    Raises QueryError for a price or amount below 1, an amount above the price, a term outside 1 to 40, or a
    `most_fees` that no fee is within.
    """

    customer: str = ""
    lender_id: int | None = None
    term: int = 25
    fixed: bool = True
    variable: bool = False
    two_years: bool = True
    three_years: bool = False
    five_years: bool = False
    purchase: bool = True
    repayment: bool = True
    residential: bool = True
    price: int = 200_000
    amount: int = 100_000
    sort: SortOrder = SortOrder.RATE
    with_fee_free: bool = False
    most_fees: int | None = None
    filters: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        texts = {PRICE: str(self.price), AMOUNT: str(self.amount), TERM: str(self.term)}
        problems = {name: text for name, text in field_problems(**texts).items() if text}
        least = 0 if self.with_fee_free else 1
        if self.most_fees is not None and not least <= self.most_fees < MAX_POUNDS:
            problems[FEES] = "Enter the highest fees, for example 1,000"
        if problems:
            raise QueryError(problems)

    @property
    def ltv(self) -> float:
        return self.amount / self.price * 100

    @property
    def period(self) -> int:
        """Return the deal length in years, the shortest of several."""
        return 2 if self.two_years else 3 if self.three_years else 5

    @property
    def unfiltered(self) -> Self:
        with_fee_free = self.with_fee_free and self.most_fees is None
        return replace(self, lender_id=None, most_fees=None, with_fee_free=with_fee_free, filters=frozenset())


def price_problem(price: Text) -> Text:
    """Return the error message for a typed property price, empty for a good one (specification 5)."""
    return choose(_is_money(price), lambda: "", lambda: _money_advice(price, "the property price", "200,000"))


def amount_problem(amount: Text, price: Text) -> Text:
    """Return the error message for a typed mortgage amount, empty for a good one; it may not exceed the price."""
    return choose(
        _is_money(amount),
        lambda: choose(
            _is_money(price) & (whole_pounds(amount) > whole_pounds(price)),
            lambda: "Enter an amount that is not above the property price",
            lambda: "",
        ),
        lambda: _money_advice(amount, "the mortgage amount", "100,000"),
    )


def term_problem(term: Text) -> Text:
    """Return the error message for a typed term, empty for 1 to 40 whole years (specification 5)."""
    fits = (
        matches(term, rf"{BLANK}[0-9]{{1,3}}(?:\.0*)?{BLANK}")
        & (whole_pounds(term) >= 1)
        & (whole_pounds(term) <= MAX_TERM)
    )
    return choose(fits, lambda: "", lambda: f"Enter a term in whole years, from 1 to {MAX_TERM}")


def field_problems(price: Text, amount: Text, *, term: Text) -> dict[str, Text]:
    """Return the error message of each of the three fields, empty for a good one."""
    return {PRICE: price_problem(price), AMOUNT: amount_problem(amount, price), TERM: term_problem(term)}


def whole_pounds(text: Text) -> Amount:
    """Parse a typed amount and round it to the nearest pound, MAX_POUNDS at most; 0 for a text that is none."""
    amount = amount_in(text)
    return choose(amount >= 0, lambda: (minimum(amount, MAX_POUNDS) + 0.5) // 1, lambda: 0)


def _is_money(text: Text) -> Amount:
    return (whole_pounds(text) >= 1) & (whole_pounds(text) < MAX_POUNDS)


def _money_advice(text: Text, what: str, example: str) -> Text:
    def form_advice() -> Text:
        return choose(
            matches(text, DECIMAL_COMMA),
            lambda: PENCE_ADVICE,
            lambda: f"Enter {what} in digits only, for example {example}",
        )

    return choose(
        whole_pounds(text) >= MAX_POUNDS,
        lambda: f"Enter {what} below £10 billion",
        lambda: choose(amount_in(text) >= 0, lambda: f"Enter {what}, for example {example}", form_advice),
    )
