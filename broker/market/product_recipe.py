"""The products of the sample market: which ones a lender has, and their rates and fees.

Every rate is the published average plus offsets of the lender, the fee and the purpose and a little noise. Products of
a line share their noise, so that a higher fee gives a lower rate, and a higher LTV never a lower one.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from broker.market.benchmark_rates import BenchmarkRates
from broker.market.csv_tables import BUY_TO_LET, FIXED, PURCHASE, REMORTGAGE, RESIDENTIAL, VARIABLE
from broker.market.lender_directory import Kind, LenderProfile
from broker.market.seeded_random import choice, normal, uniform


@dataclass(frozen=True, slots=True, kw_only=True)
class Fee:
    """A product's fee, in pounds or in percent of the loan; `shift` is its effect on the rate, in points."""

    pounds: int = 0
    percent: int = 0
    shift: float

    @property
    def name(self) -> str:
        """Return the name in ids and seeds: `999`, `3pc`."""
        return f"{self.percent}pc" if self.percent else str(self.pounds)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProductLine:
    """A lender's products that differ in LTV only."""

    lender: LenderProfile
    market: str
    purpose: str
    rate_type: str
    years: int
    fee: Fee

    @property
    def buy_to_let(self) -> bool:
        """Return whether the property is let."""
        return self.market == BUY_TO_LET

    @property
    def key(self) -> tuple[object, ...]:
        """Return the seed that all fees of this line share."""
        return (self.lender.lender_id, self.market, self.purpose, self.rate_type, self.years)

    @property
    def bands(self) -> tuple[int, ...]:
        """Return the maximum LTVs of its products, rising: homes to 95% (remortgages to 90%), let property to 80%."""
        if self.buy_to_let:
            return (60, 65, 75, 80) if uniform(self.lender.lender_id, "80% LTV") < 0.6 else (60, 65, 75)
        most = 95 if self.purpose == PURCHASE and self.lender.kind is not Kind.SPECIALIST else 90
        return tuple(band for band in (60, 75, 80, 85, 90, 95) if band <= most)

    @property
    def months(self) -> int:
        """Return the initial period in months: whole years, or up to 3 months more for one fixed product in seven."""
        dated = self.rate_type == FIXED and uniform(*self.key, self.fee.name, "dated") < 0.15
        return self.years * 12 + (choice((1, 2, 3), *self.key, self.fee.name, "months") if dated else 0)

    def rates(self, anchors: BenchmarkRates) -> Iterator[tuple[int, float]]:
        """Yield each LTV with its rate in percent, to 2 decimals; the rates never fall as the LTV rises."""
        least = 0.0
        for band in self.bands:
            least = max(least, round(self._average(anchors, band) + self._shift(band), 2))
            yield band, least

    def _average(self, anchors: BenchmarkRates, band: int) -> float:
        if self.rate_type == VARIABLE:
            return anchors.tracker(band, buy_to_let=self.buy_to_let)
        return (anchors.buy_to_let if self.buy_to_let else anchors.residential)(self.years, band)

    def _shift(self, band: int) -> float:
        lender = self.lender.buy_to_let_offset if self.buy_to_let else self.lender.offset
        chance = normal(0.04, *self.key, "line") + normal(0.03, *self.key, band)
        remortgage = 0.05 if self.purpose == REMORTGAGE else 0
        # lenders differ less in their tracker margins than in their fixed rates
        return (lender + chance + self.fee.shift) * (0.35 if self.rate_type == VARIABLE else 1) + remortgage


def product_lines(lender: LenderProfile) -> Iterator[ProductLine]:
    """Yield every line of a lender, homes before let property."""
    if lender.residential:
        for purpose, rate_type, years in product((PURCHASE, REMORTGAGE), (FIXED, VARIABLE), (2, 3, 5)):
            for fee in _home_fees(lender, rate_type):
                yield ProductLine(
                    lender=lender, market=RESIDENTIAL, purpose=purpose, rate_type=rate_type, years=years, fee=fee
                )
    if lender.buy_to_let:
        deals = ((FIXED, 2), (FIXED, 3), (FIXED, 5), (VARIABLE, 2))
        for purpose, (rate_type, years) in product((PURCHASE, REMORTGAGE), deals):
            for fee in _let_fees(lender):
                yield ProductLine(
                    lender=lender, market=BUY_TO_LET, purpose=purpose, rate_type=rate_type, years=years, fee=fee
                )


def _home_fees(lender: LenderProfile, rate_type: str) -> list[Fee]:
    """Return the fees of a lender's home loans, rising: always none, one near £999 and one near £1,499."""
    some = (lender.lender_id, "fees", rate_type)
    menu = [Fee(shift=0.20)]
    if uniform(*some, 499) < (0.85 if rate_type == FIXED else 0.45):
        menu.append(Fee(pounds=499, shift=0.04))
    middle = choice((899, 995, 999, 999), lender.lender_id, "middle fee")
    if middle != 899 and uniform(*some, 899) < 0.25:
        menu.append(Fee(pounds=899, shift=-0.07))
    menu.append(Fee(pounds=middle, shift=-0.10))
    menu.append(Fee(pounds=choice((1_495, 1_499), lender.lender_id, "high fee"), shift=-0.15))
    if uniform(*some, 1_995) < (0.65 if rate_type == FIXED else 0.3):
        menu.append(Fee(pounds=1_995, shift=-0.19))
    return menu


def _let_fees(lender: LenderProfile) -> list[Fee]:
    """Return the fees of a lender's let property: in pounds, and more often in percent for specialists."""
    by_share = Fee(percent=3, shift=-0.60) if lender.kind is not Kind.SOCIETY else Fee(percent=1, shift=-0.10)
    menu = [
        choice((Fee(pounds=995, shift=0.05), Fee(pounds=1_495, shift=-0.05)), lender.lender_id, "let fee"),
        by_share,
    ]
    if uniform(lender.lender_id, "let fee free") < 0.5:
        menu.insert(0, Fee(shift=0.30))
    if lender.kind is Kind.SPECIALIST:
        menu += [Fee(percent=1, shift=-0.12), Fee(pounds=1_995, shift=-0.10)]
    return menu
