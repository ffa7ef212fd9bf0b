"""The rate types of lender and deal pages, and the searches for them."""

from dataclasses import dataclass, replace

from broker.rates.product import RateProduct, RateType
from broker.rates.query import RatesQuery

BEST_LTV = 50
"""The loan to value of a best-rates block, in percent: "Based on value of £200,000 at 50% LTV" (specification 2)."""

HOME_LTVS = (60, 75, 80, 85, 90, 95)
LET_LTVS = (60, 65, 75, 80)
"""The loans to value at which lenders change their rates, in percent: on homes, and on let property."""

SMALL_DEPOSIT_LTVS = (90, 95)
"""The loans to value of deposits that many first-time buyers have, in percent."""

HOME_TABLES = (60, 75, 90)
LET_TABLES = (60, 75, 80)
"""The loans to value with a table of their own on a page that compares rate types."""

PERIODS = {2: (22, 27), 3: (34, 39), 5: (58, 63)}
"""Deal lengths in months, ends included, that count as two, three and five years."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DealType:
    """A rate type: `slug` names it in addresses, `years` is the length of its initial period."""

    slug: str
    years: int
    fixed: bool

    @property
    def words(self) -> str:
        return f"{self.years}-year {'fixed' if self.fixed else 'variable'}"


TWO_YEARS_FIXED = DealType(slug="2-years-fixed", years=2, fixed=True)

DEAL_TYPES = (
    TWO_YEARS_FIXED,
    DealType(slug="3-years-fixed", years=3, fixed=True),
    DealType(slug="5-years-fixed", years=5, fixed=True),
    DealType(slug="2-years-variable", years=2, fixed=False),
)
"""The rate types of decision 4, in the order in which pages list them."""


def ltvs(query: RatesQuery) -> tuple[int, ...]:
    """Return the loans to value, in percent, at which rates change for a search's kind of property."""
    return HOME_LTVS if query.residential else LET_LTVS


def table_ltvs(query: RatesQuery) -> tuple[int, ...]:
    return HOME_TABLES if query.residential else LET_TABLES


def narrowed(query: RatesQuery, kind: DealType, *, ltv: int = BEST_LTV) -> RatesQuery:
    """Return a search for one deal type at a loan to value of its property price; `ltv` is a whole percent."""
    return replace(
        query,
        amount=query.price * ltv // 100,
        fixed=kind.fixed,
        variable=not kind.fixed,
        two_years=kind.years == 2,
        three_years=kind.years == 3,
        five_years=kind.years == 5,
    )


def of_every_type(query: RatesQuery, *, ltv: int) -> RatesQuery:
    """Return a search for the products of every deal type at a loan to value of its property price, a whole percent."""
    return replace(
        query,
        amount=query.price * ltv // 100,
        fixed=True,
        variable=True,
        two_years=True,
        three_years=True,
        five_years=True,
    )


_BY_MONTHS = {
    (kind.fixed, months): kind
    for kind in DEAL_TYPES
    for months in range(PERIODS[kind.years][0], PERIODS[kind.years][1] + 1)
}


def type_of(product: RateProduct) -> DealType | None:
    """Return the deal type of a product by its rate type and initial months; None for one of another length."""
    return _BY_MONTHS.get((product.rate_type is RateType.FIXED, product.initial_months))
