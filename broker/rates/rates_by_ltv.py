"""The chart of the lowest rate by loan to value, as display strings and as points of a drawing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from broker import routes
from broker.lending.immutable import Immutable
from broker.lending.loan_to_value import ltv_text
from broker.lending.money import exact_pounds, percent, pounds, pounds_and_pence
from broker.rates import search_params
from broker.rates.lowest_rates import LTVS, LowestRate, RatesByLtv, chart_ltvs
from broker.rates.product import RateProduct
from broker.rates.product_text import aprc_sentence, duration, example_sentence
from broker.rates.query import RatesQuery, SortOrder
from broker.rates.results import read_time

WIDTH, HEIGHT = 450, 200
"""Units of the drawing: ten to a percent of loan to value across; the rates are scaled to the height."""

_STEPS = (10, 25, 50, 100, 200, 500)
"""Distances between two labels of the rate axis, in hundredths of a percent; the first that needs at most six."""
_MAX_STEPS = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class LtvRow:
    """A row of the table; `yours` if it is nearest the visitor's loan to value."""

    ltv: str
    loan: str
    rate: str
    aprc: str
    payment: str
    fees: str
    lender: str
    yours: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """A label at the edge of the drawing, and its position as a share: `25.5%`."""

    text: str = ""
    place: str = "0%"


@dataclass(frozen=True, slots=True, kw_only=True)
class ByLtvView(Immutable):
    """The chart and its table; `key` identifies the search that they answer."""

    key: str = ""
    basis: str = ""
    words: str = ""
    missing: str = ""
    read_at: str = ""
    sample: bool = True
    stale: bool = False
    unregulated: bool = False
    example: str = ""
    example_aprc: str = ""
    rows: tuple[LtvRow, ...] = ()
    rate_line: str = ""
    rate_dots: str = ""
    aprc_line: str = ""
    aprc_dots: str = ""
    grid: str = ""
    rates: tuple[Mark, ...] = ()
    own: Mark = Mark()
    own_late: bool = False


NO_CHART = ByLtvView()


def key_of(query: RatesQuery) -> str:
    """Return the address of a search without its order, which does not change the chart."""
    return routes.with_query(
        routes.deals(query.customer), search_params.parameters_of(replace(query, sort=SortOrder.RATE))
    )


def by_ltv_view(found: RatesByLtv, *, filters: str = "", is_example: bool = False) -> ByLtvView:
    """Return the chart and the table of a search; `filters` describes its filters.

    The chart of a build is an example: a page without scripts shows it beside any visitor's search.
    """
    nearest, query = found.nearest, found.query
    scale = _Scale.of([rate for each in found.lowest for rate in (each.product.initial_rate, each.product.aprc)])
    rates = _points(found.lowest, scale, lambda product: product.initial_rate)
    costs = _points(found.lowest, scale, lambda product: product.aprc)
    return ByLtvView(
        key=key_of(query),
        basis=basis_sentence(query, filters),
        words=_words(found, is_example=is_example),
        missing=_missing(found),
        read_at=read_time(found.oldest),
        sample=found.oldest.sample,
        stale=found.stale,
        unregulated=not query.residential,
        example=example_sentence(nearest.product) if nearest else "",
        example_aprc=aprc_sentence(nearest.product) if nearest else "",
        rows=tuple(_row(each, is_yours=each is nearest and not is_example) for each in found.lowest),
        rate_line=_steps(rates),
        rate_dots=_dots(rates),
        aprc_line=_steps(costs),
        aprc_dots=_dots(costs),
        grid="".join(f"M0 {_number(scale.height(rate))}H{WIDTH}" for rate in scale.written()),
        rates=scale.marks(),
        own=_own_mark(query, is_example=is_example),
        own_late=_along(query.ltv) > WIDTH / 2,
    )


def basis_sentence(query: RatesQuery, filters: str) -> str:
    narrowed = f" {filters}" if filters else ""
    kind = "fixed" if query.fixed else "variable"
    purpose = "to buy" if query.purchase else "to remortgage"
    home = "a home" if query.residential else "a buy-to-let property"
    repaid = "repayment" if query.repayment else "interest only"
    free = ", deals with no lender fee among them" if query.with_fee_free else ""
    return (
        f"{query.period}-year {kind} deals{narrowed} {purpose} {home} at {pounds(query.price)}, {repaid}, "
        f"over {duration(query.term * 12)}{free}."
    )


def share_along(ltv: float) -> str:
    """Return the position of a loan to value along the drawing, at most at its ends."""
    return f"{_number(_along(ltv) / WIDTH * 100)}%"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Scale:
    """The rate axis: its lowest and highest rate and the distance of its labels, in hundredths of a percent."""

    low: int
    high: int
    step: int

    @classmethod
    def of(cls, rates: Sequence[float]) -> _Scale:
        """Return a scale from a round rate below all the rates to one above, in percent."""
        least, most = (round(rate * 100) for rate in (min(rates, default=0), max(rates, default=1)))
        step = next((each for each in _STEPS if most // each - least // each < _MAX_STEPS), _STEPS[-1])
        low = least // step * step
        return cls(low=low, high=max(-(-most // step) * step, low + step), step=step)

    def written(self) -> list[float]:
        """Return the rates that are labelled, in percent."""
        return [rate / 100 for rate in range(self.low, self.high + 1, self.step)]

    def height(self, rate: float) -> float:
        return (self.high - rate * 100) / (self.high - self.low) * HEIGHT

    def marks(self) -> tuple[Mark, ...]:
        shares = ((rate, self.height(rate) / HEIGHT * 100) for rate in self.written())
        return tuple(Mark(text=f"{_number(rate)}%", place=f"{_number(share)}%") for rate, share in shares)


def _along(ltv: float) -> float:
    return (min(max(ltv, LTVS[0]), LTVS[-1]) - LTVS[0]) * 10


def _points(lowest: Sequence[LowestRate], scale: _Scale, read: Callable[[RateProduct], float]) -> list[tuple[str, str]]:
    return [(_number(_along(each.ltv)), _number(scale.height(read(each.product)))) for each in lowest]


def _steps(points: Sequence[tuple[str, str]]) -> str:
    """Return a stepped line; a rate holds up to its own loan to value."""
    if not points:
        return ""
    (across, down), *others = points
    return f"M{across} {down}" + "".join(f"V{lower}H{further}" for further, lower in others)


def _dots(points: Sequence[tuple[str, str]]) -> str:
    """Return a dot at each point: a line without length, which its caps make visible."""
    return "".join(f"M{across} {down}h.01" for across, down in points)


def _number(value: float) -> str:
    return f"{round(value, 2):g}"


def _own_mark(query: RatesQuery, *, is_example: bool) -> Mark:
    ltv, whose = query.ltv, "Example loan" if is_example else "Your loan"
    beyond = ", below this chart" if ltv < LTVS[0] else ", above this chart" if ltv > LTVS[-1] else ""
    return Mark(text=f"{whose}: {ltv_text(query.amount, query.price)}{beyond}", place=share_along(ltv))


def _row(each: LowestRate, *, is_yours: bool) -> LtvRow:
    product = each.product
    return LtvRow(
        ltv=f"{each.ltv}%",
        loan=pounds(product.loan_amount),
        rate=percent(product.initial_rate),
        aprc=percent(product.aprc),
        payment=pounds_and_pence(product.initial_payment),
        fees=exact_pounds(product.total_fees),
        lender=product.lender_name,
        yours=is_yours,
    )


def _words(found: RatesByLtv, *, is_example: bool) -> str:
    """Return the text alternative of the chart; the table has every figure."""
    if not found.lowest:
        return ""
    first, last = found.lowest[0], found.lowest[-1]
    ends = " to ".join(
        f"{percent(each.product.initial_rate)} ({percent(each.product.aprc)} APRC) at {each.ltv}%"
        for each in dict.fromkeys((first, last))
    )
    return (
        f"Chart of the lowest initial rate and its APRC by loan to value: {ends}. "
        f"{'An example' if is_example else 'Your'} loan is {ltv_text(found.query.amount, found.query.price)} of the "
        "price. The table below has the same figures."
    )


def _missing(found: RatesByLtv) -> str:
    """Return at which loans to value there is no product, and where the search ends before the chart does."""
    sentences: list[str] = []
    if found.missing:
        *others, last = (f"{ltv}%" for ltv in found.missing)
        sentences.append(f"No deal is listed at {', '.join(others)}{' or ' if others else ''}{last}.")
    if (most := chart_ltvs(found.query)[-1]) != LTVS[-1]:
        sentences.append(f"On property to let we search up to {most}%.")
    return " ".join(sentences)
