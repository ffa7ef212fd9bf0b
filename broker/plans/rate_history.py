"""The figures that a visitor gives to the page of rates since 2017, and the averages that answer them."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date

from broker.calculators.calculator import LEFT_OUT, Choice, Field, Form, Unit, loan_field, rate_field, term_field
from broker.calculators.view import FieldView, read_values, typed_fields
from broker.lending.arithmetic import Amount
from broker.lending.days import day_number, month_of
from broker.lending.mortgage import MONTHS
from broker.lending.two_or_five import TwoFixes
from broker.rates.averages import FIVE_YEARS, THREE_YEARS, TWO_YEARS, RateHistory
from broker.rates.daily_lowest import DailyLowest

SLUG = "rate-history"
TITLE = "Is now a good time?"

LTV = "ltv"
USUAL_LTV = 75
"""The loan to value, in percent, for which every length is published."""

NO_FORECAST = (
    "Forecasts of rates have been wrong in both directions. A number would look like knowledge, and it is not."
)

SOURCE = (
    "Averages of rates that lenders advertised each month, weighted by what they lend. They are not offers: an average "
    "has no APRC, and every deal we show has one."
)

LENGTHS: Mapping[int, Mapping[int, str]] = {2: TWO_YEARS, 3: THREE_YEARS, 5: FIVE_YEARS}
"""The series of each length of deal, in years, by loan to value."""

SHORT, LONG = 2, 5
"""The lengths of the two deals that are compared, in years."""

_OFFERS = ("two", "five")
"""The fields that have the newest averages where they are empty."""

FIELDS = (
    loan_field("Loan left", default=200_000),
    replace(term_field(40), label="Years left"),
    replace(rate_field("rate", "Your rate today", default=0), hint=LEFT_OUT),
    Field(name="end", label="Your deal ends on", default=0, unit=Unit.DAY, high=0, hint="Empty if it has no end"),
    replace(rate_field("two", "Two-year deal", default=0), hint="The average, or your offer"),
    replace(rate_field("five", "Five-year deal", default=0), hint="The average, or your offer"),
    Field(name="fees", label="Fees of each deal", default=999, high=3_000),
)


def history_form(history: RateHistory, ltv: int) -> Form:
    """Return the form; the rates of both deals start from the newest month that has both averages."""
    two, five, _ = newest_averages(history, ltv)
    averages: Mapping[str, float] = dict(zip(_OFFERS, (two, five), strict=True))
    return Form(
        slug=SLUG,
        title=TITLE,
        subtitle="Average mortgage rates since 2017, and two years or five for your loan",
        fields=tuple(replace(field, default=averages.get(field.name, field.default)) for field in FIELDS),
        choices=(
            Choice(
                name=LTV,
                group="Averages",
                label="Loan to value",
                default=str(USUAL_LTV),
                options=tuple((str(each), f"{each}%") for each in TWO_YEARS),
            ),
        ),
    )


def chosen_ltv(given: Mapping[str, str]) -> int:
    """Return the loan to value of a query, in percent, the usual one for any that is not published."""
    text = given.get(LTV, "")
    return int(text) if text in {str(each) for each in TWO_YEARS} else USUAL_LTV


def newest_averages(history: RateHistory, ltv: int) -> tuple[float, float, int]:
    """Return the averages of two and five years at a loan to value, and the last month that has both.

    Those at 75% where five years are not published.
    """
    at = ltv if ltv in FIVE_YEARS else USUAL_LTV
    two, five = history.of(TWO_YEARS[at]), history.of(FIVE_YEARS[at])
    month = max(set(two) & set(five))
    return two[month], five[month], month


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """A query with what it is answered from; `ours` are the lowest rates of our feed by day, if there is one."""

    history: RateHistory
    ours: DailyLowest
    today: date
    ltv: int
    values: Mapping[str, Amount]
    fields: Mapping[str, FieldView]
    form: Form

    @property
    def is_wrong(self) -> bool:
        return any(field.is_wrong for field in self.fields.values())

    @property
    def two(self) -> Mapping[int, float]:
        return self.history.of(TWO_YEARS[self.ltv])

    @property
    def last(self) -> int:
        """Return the last month of the two-year average at this loan to value."""
        return max(self.two)

    @property
    def months(self) -> range:
        """Return the months that have an average or a lowest rate of ours."""
        ours = month_of(day_number(self.ours.last)) if self.ours else 0
        return range(self.history.first, max(self.history.last, ours) + 1)

    @property
    def end(self) -> int:
        """Return the day on which the visitor's deal ends, 0 for none."""
        return self.values["end"]

    @property
    def is_over(self) -> bool:
        return 0 < self.end < day_number(self.today)

    @property
    def is_last(self) -> bool:
        """Return whether the visitor's deal lasts as long as the loan."""
        return month_of(self.end) - month_of(day_number(self.today)) >= self.values["term"] * MONTHS

    @property
    def fixes(self) -> TwoFixes | None:
        """Return the two choices, None for a loan that ends with a two-year deal or with the visitor's own."""
        months = round(self.values["term"] * MONTHS)
        if self.is_wrong or self.is_last or months <= SHORT * MONTHS:
            return None
        return TwoFixes(
            loan=self.values["loan"],
            months=months,
            short_rate=self.values["two"],
            long_rate=self.values["five"],
            fees=self.values["fees"],
        )


def visit(history: RateHistory, given: Mapping[str, str], *, ours: DailyLowest, today: date) -> Visit:
    ltv = chosen_ltv(given)
    form = history_form(history, ltv)
    typed = {name: text for name, text in given.items() if text.strip() or name not in _OFFERS}
    values = read_values(form, typed)
    fields = dict(zip((field.name for field in FIELDS), typed_fields(form, typed, values=values), strict=True))
    return Visit(history=history, ours=ours, today=today, ltv=ltv, values=values, fields=fields, form=form)
