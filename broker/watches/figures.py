"""The figures of watches from today's market: of all of them for a check, and of one as its plan has them.

A check reads the market once for each loan to value and kind of loan (`Band`), and prices its deals for each watch.
What it finds is confirmed by the search of the watch's own plan before a mail says so.
"""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import lru_cache
from math import inf
from operator import itemgetter
from typing import Self, TypeAlias

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
class _Offer:
    """A deal as its source sent it, its fees less cashback split into pounds and percent of the loan."""

    lender_id: int
    rate: float
    months: int
    fees: float
    fee_percent: float
    interest_only: bool
    least_loan: float
    most_loan: float

    @classmethod
    def of(cls, product: RateProduct) -> Self:
        terms = cost_terms(product)
        return cls(
            lender_id=product.lender_id,
            rate=terms.rate,
            months=terms.months,
            fees=terms.fixed_cost,
            fee_percent=terms.fee_percent,
            interest_only=terms.interest_only,
            least_loan=product.least_loan or 0,
            most_loan=product.most_loan or inf,
        )

    def beats(self, other: Self) -> bool:
        """Return whether this one costs no more than another of the same length, whatever the loan and the term."""
        return (
            self.fees <= other.fees
            and self.rate <= other.rate
            and self.fee_percent <= other.fee_percent
            and self.least_loan <= other.least_loan
            and self.most_loan >= other.most_loan
        )

    def new_deal(self, loan: float, *, years: int, legal: float) -> NewDeal:
        fees = self.fees + loan * self.fee_percent / 100
        return NewDeal(rate=self.rate, fees=fees, months=min(self.months, years * 12), once=legal)

    def costs(self, years: int) -> tuple[float, float]:
        """Return the true cost a year over a term: pounds for each pound of the loan, and pounds."""
        months = min(self.months, years * 12)
        interest = _interest_share(self.rate, months, years, self.interest_only)
        return (interest + self.fee_percent / 100) / months * 12, self.fees / months * 12


class BandDeals:
    """The deals of a band as its source sent them, to price for any loan and term."""

    def __init__(self, answer: RatesAnswer) -> None:
        self.read_at: datetime = answer.read_at
        offers = [_Offer.of(product) for product in answer.products]
        self._offers = [offer for months in {each.months for each in offers} for offer in _worth(offers, months)]
        self._by_years: dict[int, tuple[list[tuple[float, float, _Offer]], float]] = {}
        self._rates = {
            kind: sorted((each.rate, each.lender_id) for each in offers if kind_of(each.months) is kind)
            for kind in DealKind
        }

    def best(self, loan: float, years: int, *, lender_id: int | None) -> _Offer | None:
        """Return the deal of another lender with the lowest true cost a year; None for none."""
        costs, least_fixed = self._of_years(years)
        best, lowest = None, inf
        for slope, fixed, offer in costs:
            if slope * loan + least_fixed >= lowest:  # no later one can cost less
                break
            cost = slope * loan + fixed
            if cost < lowest and offer.lender_id != lender_id and offer.least_loan <= loan <= offer.most_loan:
                best, lowest = offer, cost
        return best

    def lowest(self, kind: DealKind, *, lender_id: int | None) -> float | None:
        """Return the lowest rate of a kind of deal from another lender; None for none."""
        return next((rate for rate, lender in self._rates[kind] if lender != lender_id), None)

    def _of_years(self, years: int) -> tuple[list[tuple[float, float, _Offer]], float]:
        """Return the costs of the deals over a term, by those of a pound of loan, and the lowest of the fixed ones."""
        if years not in self._by_years:
            costs = sorted(((*offer.costs(years), offer) for offer in self._offers), key=itemgetter(0))
            self._by_years[years] = costs, min((fixed for _, fixed, _ in costs), default=0)
        return self._by_years[years]


def _worth(offers: Iterable[_Offer], months: int) -> list[_Offer]:
    """Return the deals of a length that are the best for some loan: others are beaten by those of two lenders.

    The second counts where the first is the present lender.
    """
    kept = list[_Offer]()
    for offer in sorted((each for each in offers if each.months == months), key=lambda each: (each.rate, each.fees)):
        beaten_by = set[int]()
        for other in kept:
            if other.beats(offer):
                beaten_by.add(other.lender_id)
                if len(beaten_by) > 1:
                    break
        else:
            kept.append(offer)
    return kept


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
        years, saving = int(asked.years), None
        best = deals.best(asked.amount, years, lender_id=watch.lender_id) if Tell.SAVING in watch.tells else None
        new = best.new_deal(asked.amount, years=years, legal=watch.legal) if best else None
        # a deal that is no cheaper than today's, and pays nothing back, saves nothing by starting sooner
        if new and (new.rate < watch.rate or new.fees < 0):
            saving = float(replace(self.figures, new=new).saving_now)
        return Prices(read_at=deals.read_at, saving=saving, lowest=deals.lowest(watch.kind, lender_id=watch.lender_id))


@lru_cache(maxsize=500)
def _values_without_deals(window: TransferWindow) -> dict[str, object]:
    return values_of_deals(replace(NO_DEALS, window=window))


def watch_plan(watch: Watch, *, today: date, window: TransferWindow = USUAL_WINDOW) -> WatchPlan:
    values = plan_values(watch, today=today) | _values_without_deals(window)
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
    lowest = _lowest(watch, answer) if watch.tells & {Tell.RATE, Tell.FELL} else None
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


def _lowest(watch: Watch, answer: RatesAnswer) -> RateProduct | None:
    """Return the deal of a watch's kind from another lender with the lowest rate; None for none."""
    others = (each for each in answer.products if each.lender_id != watch.lender_id)
    of_kind = (each for each in others if kind_of(each.initial_months) is watch.kind)
    return min(of_kind, key=lambda each: each.initial_rate, default=None)
