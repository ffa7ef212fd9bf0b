"""What today's market says of many watches at once, in columns: one row for each watch.

The market is read once for each loan to value and kind of loan (`Band`), and its deals are priced for each watch with
the formulas of the plan. The search of a watch's own plan confirms what is found so, before a mail says it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from math import isnan
from typing import Any

import numpy as np

from broker.lending.transfer_window import TransferWindow
from broker.plans.remortgage import NewDeal, Remortgage, remortgage
from broker.plans.remortgage_search import Question, query_of, question
from broker.rates.arrays import Floats
from broker.rates.costs import CostTerms, cost_terms
from broker.rates.deal_types import HOME_LTVS, LET_LTVS
from broker.rates.product import RatesAnswer
from broker.rates.query import RatesQuery
from broker.watches.checks import Prices
from broker.watches.figures import kind_of, values_without_deals
from broker.watches.watch import PRICE_TELLS, DealKind, Watch, plan_values

BAND_LOAN, BAND_YEARS = 200_000, 25
"""The loan, in pounds, and the term for which a band's deals are read; both are priced again for each watch."""

_LTVS = sorted({*HOME_LTVS, *LET_LTVS, 100})

_NO_LENDER = -1


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


class BandDeals:
    """The deals of a band, to price for any loan and term: rates in percent, money in pounds."""

    def __init__(self, answer: RatesAnswer) -> None:
        self.read_at: datetime = answer.read_at
        products = list(answer.products)
        terms = [cost_terms(each) for each in products]
        self._rate = np.array([each.rate for each in terms])
        self._months = np.array([each.months for each in terms])
        self._fees = np.array([each.fixed_cost for each in terms])
        self._fee_percent = np.array([each.fee_percent for each in terms])
        self._interest_only = np.array([each.interest_only for each in terms])
        self._lender = np.array([each.lender_id for each in products])
        self._least = np.array([each.least_loan or 0 for each in products])
        self._most = np.array([each.most_loan or np.inf for each in products])
        self._rates = {
            kind: sorted(
                (each.initial_rate, each.lender_id) for each in products if kind_of(each.initial_months) is kind
            )
            for kind in DealKind
        }
        self._by_years = dict[int, tuple[Floats, Floats, Floats]]()

    def cheapest(self, loan: float, years: int, *, lender_id: int | None) -> NewDeal | None:
        """Return the deal of another lender with the lowest true cost a year; None for none."""
        months, slopes, fixed = self._yearly_costs(years)
        is_open = (self._lender != (lender_id or _NO_LENDER)) & (self._least <= loan) & (loan <= self._most)
        costs = np.where(is_open, slopes * loan + fixed, np.inf)
        best = costs.argmin()
        if np.isinf(costs[best]):
            return None
        fees = self._fees[best] + loan * self._fee_percent[best] / 100
        return NewDeal(rate=self._rate[best], fees=fees, months=months[best])

    def lowest(self, kind: DealKind, *, lender_id: int | None) -> float | None:
        """Return the lowest rate of a kind of deal from another lender; None for none."""
        return next((rate for rate, lender in self._rates[kind] if lender != lender_id), None)

    def _yearly_costs(self, years: int) -> tuple[Floats, Floats, Floats]:
        """Return the months of each deal over a term, and its true cost a year: for a pound of loan, and in pounds."""
        if years not in self._by_years:
            months = np.minimum(self._months, years * 12)
            terms = CostTerms(
                rate=self._rate,
                fees=self._fees,
                months=months,
                years=years,
                interest_only=self._interest_only,
                fee_percent=self._fee_percent,
            )
            with np.errstate(all="ignore"):
                self._by_years[years] = months, terms.true_slope() / months * 12, terms.fixed_cost / months * 12
        return self._by_years[years]


class WatchPlans:
    """The plans of watches on a day, before their deals are known: a row of each figure for each watch."""

    def __init__(self, watches: Sequence[Watch], *, today: date, windows: Sequence[TransferWindow]) -> None:
        """`watches` are one or more, `windows` those of their present lenders."""
        rows = [
            plan_values(watch, today=today) | values_without_deals(window)
            for watch, window in zip(watches, windows, strict=True)
        ]
        columns: dict[str, Any] = {name: np.array([row[name] for row in rows]) for name in rows[0]}
        with np.errstate(all="ignore"):
            self._figures: Remortgage = remortgage(columns)
            self._question = question(self._figures, columns)
        self._watches = watches
        self.bands = self._rows_by_band()

    @property
    def opens(self) -> list[int]:
        """Return the days, as numbers, from which the present lenders let the next deals be booked."""
        return [int(day) for day in self._figures.book_from]

    def prices(self, deals: Mapping[Band, BandDeals | None]) -> list[Prices | None]:
        """Return what the deals of bands say of each watch; None for one without a band, or whose band has none."""
        found, new = dict[int, BandDeals](), np.full((3, len(self._watches)), np.nan)
        for band, rows in self.bands.items():
            if of_band := deals.get(band):
                found |= dict.fromkeys(rows, of_band)
        for row, of_band in found.items():
            loan, years = self._question.amount[row], int(self._question.years[row])
            if deal := of_band.cheapest(loan, years, lender_id=self._watches[row].lender_id):
                new[:, row] = deal.rate, deal.fees, deal.months
        rate, fees, months = new
        new_deal = NewDeal(rate=rate, fees=fees, months=months, once=self._figures.new.once)
        with np.errstate(all="ignore"):
            savings = replace(self._figures, new=new_deal).saving_now
        return [
            _prices_of(watch, found.get(row), float(saving))
            for row, (watch, saving) in enumerate(zip(self._watches, savings, strict=True))
        ]

    def _rows_by_band(self) -> dict[Band, list[int]]:
        """Return the rows of each band whose deals are wanted; a loan above the value of the home has none."""
        amount, rows = self._question.amount, dict[Band, list[int]]()
        places = np.searchsorted(_LTVS, amount * 100 / self._question.price)
        has_band = (amount >= 1) & (places < len(_LTVS))
        for row, watch in enumerate(self._watches):
            if has_band[row] and watch.tells.intersection(PRICE_TELLS):
                band = Band(ltv=_LTVS[places[row]], repay=watch.repay, home=watch.home)
                rows.setdefault(band, []).append(row)
        return rows


def _prices_of(watch: Watch, deals: BandDeals | None, saving: float) -> Prices | None:
    if deals is None:
        return None
    return Prices(
        read_at=deals.read_at,
        saving=None if isnan(saving) else saving,
        lowest=deals.lowest(watch.kind, lender_id=watch.lender_id),
    )
