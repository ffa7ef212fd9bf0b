"""The figures of watches from today's market: of all of them for a check, and of one as its plan has them.

A check reads the market once for each loan to value and kind of loan (`Band`), and prices its deals for each watch.
What it finds is confirmed by the search of the watch's own plan before a mail says so.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import lru_cache
from math import inf
from typing import TypeAlias

from broker.lending.transfer_window import USUAL_WINDOW, TransferWindow
from broker.plans.remortgage import NewDeal, Remortgage, remortgage
from broker.plans.remortgage_plan import RemortgagePlan, remortgage_plan
from broker.plans.remortgage_search import FoundDeals, Question, query_of, question
from broker.rates.costs import CostTerms, cost_terms
from broker.rates.deal_types import HOME_LTVS, LET_LTVS
from broker.rates.product import RateProduct, RatesAnswer
from broker.rates.query import RatesQuery
from broker.rates.remortgage_deals import (
    LONGEST_SHORT_DEAL,
    NO_DEALS,
    first_of_another,
    remortgage_deals,
    values_of_deals,
)
from broker.watches.checks import Prices
from broker.watches.watch import DealKind, Tell, Watch, plan_values

Search: TypeAlias = Callable[[RatesQuery], Awaitable[RatesAnswer]]

BAND_LOAN, BAND_YEARS = 200_000, 25
"""The loan, in pounds, and the term for which a band's deals are read; both are priced again for each watch."""

_LTVS = tuple(sorted({*HOME_LTVS, *LET_LTVS, 100}))


@dataclass(frozen=True, slots=True, kw_only=True)
class Band:
    """Loans that have the same deals: up to a loan to value in percent, for homes or let property."""

    ltv: int
    repay: str
    home: str

    @property
    def query(self) -> RatesQuery:
        price = -(-BAND_LOAN * 100 // self.ltv)
        return query_of(
            Question(amount=BAND_LOAN, price=price, years=BAND_YEARS, lender="", repay=self.repay, home=self.home)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Deal:
    """A deal of a band: what it costs a year is `slope` times the loan and `fixed`, in pounds."""

    slope: float
    fixed: float
    lender_id: int
    terms: CostTerms
    least_loan: float
    most_loan: float

    def new(self, loan: float, legal: float) -> NewDeal:
        terms = self.terms
        fees = terms.fixed_cost + loan * terms.fee_percent / 100
        return NewDeal(rate=terms.rate, fees=fees, months=terms.months, once=legal)


class BandDeals:
    """The deals of a band as its source sent them, to price for any loan and term."""

    def __init__(self, answer: RatesAnswer) -> None:
        self.read_at: datetime = answer.read_at
        self._products = [
            (product.lender_id, cost_terms(product), product.least_loan or 0, product.most_loan or inf)
            for product in answer.products
        ]
        self._by_years: dict[int, tuple[list[_Deal], float]] = {}
        by_kind: dict[DealKind, list[tuple[float, int]]] = {kind: [] for kind in DealKind}
        for lender_id, terms, _, _ in self._products:
            by_kind[kind_of(terms.months)].append((terms.rate, lender_id))
        self._rates = {kind: sorted(rates) for kind, rates in by_kind.items()}

    def best(self, loan: float, years: int, *, lender_id: int | None) -> _Deal | None:
        """Return the deal of another lender with the lowest true cost a year; None for none."""
        deals, least_fixed = self._of_years(years)
        best, lowest = None, inf
        for deal in deals:
            if deal.slope * loan + least_fixed >= lowest:  # no later one can cost less
                break
            cost = deal.slope * loan + deal.fixed
            if cost < lowest and deal.lender_id != lender_id and deal.least_loan <= loan <= deal.most_loan:
                best, lowest = deal, cost
        return best

    def lowest(self, kind: DealKind, *, lender_id: int | None) -> float | None:
        """Return the lowest rate of a kind of deal from another lender; None for none."""
        return next((rate for rate, lender in self._rates[kind] if lender != lender_id), None)

    def _of_years(self, years: int) -> tuple[list[_Deal], float]:
        """Return the deals over a term by what a pound of loan costs a year, and the lowest of their fixed costs."""
        if years not in self._by_years:
            deals = [_deal(*product, years=years) for product in self._products]
            deals.sort(key=lambda deal: deal.slope)
            self._by_years[years] = deals, min((deal.fixed for deal in deals), default=0)
        return self._by_years[years]


def _deal(lender_id: int, terms: CostTerms, least_loan: float, most_loan: float, *, years: int) -> _Deal:
    months = min(terms.months, years * 12)
    interest = _interest_share(terms.rate, months, years, terms.interest_only)
    return _Deal(
        slope=(interest + terms.fee_percent / 100) / months * 12,
        fixed=terms.fixed_cost / months * 12,
        lender_id=lender_id,
        terms=replace(terms, months=months, years=years),
        least_loan=least_loan,
        most_loan=most_loan,
    )


@lru_cache(maxsize=50_000)
def _interest_share(rate: float, months: int, years: int, interest_only: bool) -> float:
    """Return the interest of a deal as a share of the loan."""
    terms = CostTerms(rate=rate, fees=0, months=months, years=years, interest_only=interest_only)
    return float(terms.true_cost(1))


def kind_of(months: int) -> DealKind:
    return DealKind.TWO_YEARS if months <= LONGEST_SHORT_DEAL else DealKind.FIVE_YEARS


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchPlan:
    """A watch's plan on a day, before its deals are known: its values, its figures, and what it searches for."""

    watch: Watch
    values: Mapping[str, object]
    figures: Remortgage
    question: Question
    window: TransferWindow

    @property
    def opens(self) -> int:
        """Return the day, as a number, from which the present lender lets the next deal be booked."""
        return int(self.figures.book_from)

    @property
    def band(self) -> Band | None:
        """Return the band of the plan's search; None for a loan above the value of the home."""
        ltv = self.question.amount * 100 / self.question.price
        top = next((top for top in _LTVS if ltv <= top), None)
        repay, home = str(self.question.repay), str(self.question.home)
        return Band(ltv=top, repay=repay, home=home) if top and self.question.amount >= 1 else None

    def prices(self, deals: BandDeals) -> Prices:
        """Return what a band's deals say of the watch, priced for its loan and term."""
        watch, asked = self.watch, self.question
        best = deals.best(asked.amount, int(asked.years), lender_id=watch.lender_id) if _wants_saving(watch) else None
        saving = None
        if best:
            saving = float(replace(self.figures, new=best.new(asked.amount, watch.legal)).saving_now)
        return Prices(read_at=deals.read_at, saving=saving, lowest=deals.lowest(watch.kind, lender_id=watch.lender_id))


def watch_plan(watch: Watch, *, today: date, window: TransferWindow = USUAL_WINDOW) -> WatchPlan:
    values = plan_values(watch, today=today) | values_of_deals(replace(NO_DEALS, window=window))
    figures = remortgage(values)
    return WatchPlan(watch=watch, values=values, figures=figures, question=question(figures, values), window=window)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanFigures:
    """The plan of a watch as its page shows it; without a `product` it counts an example, and `prices` is None.

    `product` is the deal that the plan counts, `lowest` that of the watch's kind with the lowest rate.
    """

    plan: RemortgagePlan
    figures: Remortgage
    prices: Prices | None = None
    product: RateProduct | None = None
    lowest: RateProduct | None = None
    read: RatesAnswer | None = None

    @property
    def is_let(self) -> bool:
        return bool(self.read and not self.read.query.residential)


def plan_figures(planned: WatchPlan, answer: RatesAnswer | None) -> PlanFigures:
    """Return the plan of a watch with the deals of its own search; with an example where there are none to count.

    Deals of the sample market, and stale ones, are not counted.
    """
    is_usable = answer is not None and not answer.sample and not answer.stale
    product = first_of_another(answer, planned.question.lender) if answer and is_usable else None
    if answer is None or product is None:
        plan = remortgage_plan(planned.values)
        return PlanFigures(plan=plan, figures=planned.figures)
    found = FoundDeals(question=planned.question, answer=answer)
    values = {**planned.values, **values_of_deals(remortgage_deals(found, logos={}, window=planned.window))}
    figures, watch = remortgage(values), planned.watch
    of_kind = [
        each
        for each in answer.products
        if kind_of(each.initial_months) is watch.kind and each.lender_id != watch.lender_id
    ]
    lowest = min(of_kind, key=lambda each: each.initial_rate, default=None)
    return PlanFigures(
        plan=remortgage_plan(values),
        figures=figures,
        prices=Prices(
            read_at=answer.read_at, saving=float(figures.saving_now), lowest=lowest.initial_rate if lowest else None
        ),
        product=product,
        lowest=lowest,
        read=answer,
    )


def search_of(planned: WatchPlan) -> RatesQuery:
    """Return the search of a watch's plan; raises QueryError where its figures make none."""
    return query_of(planned.question)


def _wants_saving(watch: Watch) -> bool:
    return Tell.SAVING in watch.tells
