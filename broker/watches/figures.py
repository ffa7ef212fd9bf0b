"""The figures of one watch from today's market, as its plan has them; `market_prices` has those of all for a check."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache
from typing import TypeAlias

from broker.lending.transfer_window import USUAL_WINDOW, TransferWindow
from broker.plans.remortgage import Remortgage, remortgage
from broker.plans.remortgage_plan import RemortgagePlan, remortgage_plan
from broker.plans.remortgage_search import FoundDeals, Question, query_of, question
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


@lru_cache(maxsize=500)
def values_without_deals(window: TransferWindow) -> dict[str, object]:
    """Return the inputs that the deals of a plan decide, by name, of a plan that has none; `window` is its lender's."""
    return values_of_deals(replace(NO_DEALS, window=window))


def watch_plan(watch: Watch, *, today: date, window: TransferWindow = USUAL_WINDOW) -> WatchPlan:
    values = plan_values(watch, today=today) | values_without_deals(window)
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
