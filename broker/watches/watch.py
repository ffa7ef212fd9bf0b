"""A watch on a mortgage: the figures of its plan, what to tell its owner, and how a form is parsed.

The fields of the figures are those of the remortgage plan, under the same names.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from enum import StrEnum
from typing import Any

from broker.calculators.calculator import (
    MIN_POUNDS,
    Field,
    Unit,
    box_text,
    input_problem,
    needed_problem,
    number_of,
    rate_field,
)
from broker.calculators.view import TICKED, form_parameters
from broker.enquiries.contact_details import MAX_EMAIL, Problem, email_problem, parse_word, single_line, uk_telephone
from broker.lending.days import day_number, month_of
from broker.lending.money import MAX_TEXT_LENGTH
from broker.lending.mortgage import MONTHS, balance_after
from broker.plans.remortgage import OWN_HOME, PERCENT, POUNDS, REPAYMENT
from broker.plans.remortgage_plan import remortgage_form

EMAIL, TELEPHONE, MAY_CALL = "email", "telephone", "mayCall"
SAVING_OVER, RATE_BELOW, DEAL, APPLIED_RATE = "savingOver", "rateBelow", "deal", "appliedRate"
"""Names of the fields of a watch beside those of the plan; `tell_field` names the checkbox of each `Tell`."""

_OWN_NAMES = (SAVING_OVER, RATE_BELOW, DEAL, APPLIED_RATE)

TELLS = "tells"
"""The field of a problem with the checkboxes together."""

PAST_END = (
    "That date is not ahead, so there is nothing to watch. If you have a new deal since, enter the date that one ends"
)

LEAST_YEARS = 1
"""The shortest term that the form takes."""

MAX_TOKEN_LENGTH = 40
"""Characters of the tokens of a watch's links."""


class Tell(StrEnum):
    """What an owner wants to be told, each once."""

    WINDOW = "window"
    """The present lender lets the next deal be booked."""
    THREE_MONTHS = "three-months"
    ONE_MONTH = "one-month"
    """So long before the end of the deal."""
    SAVING = "saving"
    """Switching now, charge and all costs counted, beats every way that waits by an amount over the plan's horizon."""
    RATE = "rate"
    """A deal of the chosen kind is at or below a rate."""
    FELL = "fell"
    """After applying: a deal of the chosen kind has a lower rate than the one applied for."""


DATE_TELLS = (Tell.WINDOW, Tell.THREE_MONTHS, Tell.ONE_MONTH)
PRICE_TELLS = (Tell.SAVING, Tell.RATE, Tell.FELL)


class DealKind(StrEnum):
    """The deals that a rate is compared with."""

    TWO_YEARS = "2-years-fixed"
    FIVE_YEARS = "5-years-fixed"


class WatchState(StrEnum):
    UNCONFIRMED = "unconfirmed"
    ACTIVE = "active"
    PAUSED = "paused"


@dataclass(frozen=True, slots=True, kw_only=True)
class Watch:
    """The figures of a plan, and what to tell; pounds, percent and years, 0 for what was left empty.

    `balance` is owed, and `years` are left, on the day `given`.
    `charge` is how the early repayment charge is given, `repay` and `home` are options of the plan's form.
    `saving_over` belongs to `Tell.SAVING`, `rate_below` to `Tell.RATE`, and `applied_rate`, the rate of the deal that
    was applied for, to `Tell.FELL`.
    """

    given: date
    balance: float
    value: float
    years: float
    rate: float
    deal_end: date
    follow_on: float
    charge: str = PERCENT
    charge_percent: float = 0
    charge_pounds: float = 0
    offer_rate: float = 0
    offer_fee: float = 0
    offer_end: date | None = None
    legal: float = 0
    repay: str = REPAYMENT
    home: str = OWN_HOME
    lender_id: int | None = None
    tells: frozenset[Tell]
    saving_over: float = 0
    rate_below: float = 0
    kind: DealKind = DealKind.TWO_YEARS
    applied_rate: float = 0
    may_call: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchContact:
    """A watch with the address of its mail, and the telephone number for a call that was agreed to, else empty."""

    watch: Watch
    email: str = field(repr=False)
    telephone: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A tell that its owner was sent a mail about."""

    tell: Tell
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredWatch:
    """A watch as its owner sees it; `telephone` is empty unless a call was agreed to.

    `consent_words` are the wording that was agreed to, of the version `consent_text`, on the page `consent_page`.
    """

    watch: Watch
    state: WatchState
    email: str = field(repr=False)
    telephone: str = field(default="", repr=False)
    created: datetime
    confirmed_at: datetime | None = None
    delete_after: datetime
    told: tuple[Told, ...] = ()
    consent_text: str
    consent_words: str
    consent_at: datetime
    consent_page: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StaffWatch:
    """A confirmed watch whose owner agreed to a call, for staff; `is_returned`: mail to the address comes back."""

    watch: Watch
    state: WatchState
    email: str = field(repr=False)
    telephone: str = field(repr=False)
    told: tuple[Told, ...] = ()
    is_returned: bool = False


def tell_field(tell: Tell) -> str:
    """Return the name of the checkbox of a tell, whose value is `yes`."""
    return f"tell-{tell.value}"


def parse_start(given: Mapping[str, object], *, today: date) -> WatchContact | tuple[Problem, ...]:
    """Return the watch of a form with whom it is for, or the problem of each invalid field in the form's order."""
    watch, email, telephone = parse_watch(given, today=today), _email(given), parse_telephone(given)
    problems = [problem for part in (watch, email, telephone) if isinstance(part, tuple) for problem in part]
    if isinstance(watch, tuple) or isinstance(email, tuple) or isinstance(telephone, tuple):
        return tuple(problems)
    return WatchContact(watch=watch, email=email, telephone=telephone)


def parse_watch(given: Mapping[str, object], *, today: date) -> Watch | tuple[Problem, ...]:
    """Return the watch of a form's fields, or the problem of each invalid field in the form's order."""
    texts = {name: _text(given.get(name)) for name in _NAMES}
    chosen = {choice.name: texts[choice.name] or choice.default for choice in _CHOICES}
    tells = frozenset(tell for tell in Tell if is_ticked(given.get(tell_field(tell))))
    problems = dict(_figure_problems(texts, chosen, today=today)) | dict(_tell_problems(texts, tells))
    if found := tuple(Problem(field=name, reason=reason) for name, reason in problems.items() if reason):
        return found
    numbers = {each.name: _number(each, texts[each.name]) for each in _FIELDS}
    return Watch(
        given=today,
        balance=numbers["balance"],
        value=numbers["value"],
        years=numbers["term"],
        rate=numbers["rate"],
        deal_end=_day(numbers["end"]) or today,
        follow_on=numbers["followOn"],
        charge=chosen["charge"],
        charge_percent=numbers["chargePercent"] if chosen["charge"] == PERCENT else 0,
        charge_pounds=numbers["chargePounds"] if chosen["charge"] == POUNDS else 0,
        offer_rate=numbers["offerRate"],
        offer_fee=numbers["offerFee"],
        offer_end=_day(numbers["offerEnd"]),
        legal=numbers["legal"],
        repay=chosen["repay"],
        home=chosen["home"],
        lender_id=int(texts["lender"]) if texts["lender"] else None,
        tells=tells,
        saving_over=number_of(_SAVING, texts[SAVING_OVER]) if Tell.SAVING in tells else 0,
        rate_below=number_of(_RATE, texts[RATE_BELOW]) if Tell.RATE in tells else 0,
        kind=DealKind(texts[DEAL] or DealKind.TWO_YEARS),
        applied_rate=number_of(_RATE, texts[APPLIED_RATE]) if Tell.FELL in tells else 0,
        may_call=is_ticked(given.get(MAY_CALL)),
    )


def counted_on(watch: Watch, today: date) -> Watch:
    """Return a watch as it stands on a later day, by a payment a month: balance in pounds, years in halves.

    Halves are what the form takes. Nothing changes after the deal, whose last rate the watch does not know.
    """
    given, until = month_of(day_number(watch.given)), month_of(day_number(min(today, watch.deal_end)))
    months = min(until - given, round(watch.years * MONTHS) - 1)
    if months < 1:
        return watch
    left = max(int((watch.years - months / MONTHS) * 2 + 0.5) / 2, LEAST_YEARS)
    is_paid_back = watch.repay == REPAYMENT
    owed = round(balance_after(watch.balance, watch.rate, watch.years, months)) if is_paid_back else watch.balance
    return replace(watch, balance=owed, years=left)


def parse_telephone(given: Mapping[str, object]) -> str | tuple[Problem, ...]:
    """Return the number of a form whose owner agrees to a call, empty for one that does not; or its problem."""
    if not is_ticked(given.get(MAY_CALL)):
        return ""
    number, extension = uk_telephone(given.get(TELEPHONE))
    if not number:
        reason = "Enter a UK telephone number, for example 07700 900123, or untick that we may call"
        return (Problem(field=TELEPHONE, reason=reason),)
    return f"{number} ext. {extension}" if extension else number


def is_ticked(value: object) -> bool:
    return value is True or value in ("on", TICKED, "true")


def plan_values(watch: Watch, *, today: date) -> dict[str, Any]:
    """Return the values of a watch's plan on a day, without those of its deals."""
    return {
        "balance": watch.balance,
        "value": watch.value,
        "term": watch.years,
        "rate": watch.rate,
        "end": day_number(watch.deal_end),
        "followOn": watch.follow_on,
        "charge": watch.charge,
        "chargePercent": watch.charge_percent,
        "chargePounds": watch.charge_pounds,
        "offerRate": watch.offer_rate,
        "offerFee": watch.offer_fee,
        "offerEnd": day_number(watch.offer_end) if watch.offer_end else 0,
        "legal": watch.legal,
        "repay": watch.repay,
        "home": watch.home,
        "lender": str(watch.lender_id or ""),
        "unknownLender": False,
        "today": day_number(today),
    }


def plan_parameters(watch: Watch) -> dict[str, str]:
    """Return the parameters of the address of a watch's plan: figures that differ from the form's defaults."""
    values = plan_values(watch, today=watch.deal_end)
    lender = {"lender": values["lender"]} if watch.lender_id else {}
    form = replace(_PLAN, choices=tuple(choice for choice in _PLAN.choices if choice.name != "lender"))
    return {**form_parameters(form, values), **lender}


def parameters_of(watch: Watch) -> dict[str, str]:
    """Return a watch as the fields of its form, as they would be typed; telephone and email are not part of it."""
    values = plan_values(watch, today=watch.deal_end)
    figures = {each.name: str(box_text(each, values[each.name])) for each in _FIELDS}
    own = {
        SAVING_OVER: str(box_text(_SAVING, watch.saving_over)) if watch.saving_over else "",
        RATE_BELOW: str(box_text(_RATE, watch.rate_below)) if watch.rate_below else "",
        APPLIED_RATE: str(box_text(_RATE, watch.applied_rate)) if watch.applied_rate else "",
        DEAL: watch.kind.value,
    }
    choices = {choice.name: str(values[choice.name]) for choice in _CHOICES} | {"lender": values["lender"]}
    ticked = {tell_field(tell): TICKED for tell in Tell if tell in watch.tells}
    return {**figures, **choices, **own, **ticked, **({MAY_CALL: TICKED} if watch.may_call else {})}


def _figure_problems(texts: Mapping[str, str], chosen: Mapping[str, str], *, today: date) -> Iterator[tuple[str, str]]:
    """Yield the name of each field of the plan, and what is wrong with its text; empty for nothing."""
    for each in _FIELDS:
        text = texts[each.name]
        if each.name in _NEEDED and not text:
            yield each.name, _NEEDED[each.name]
        elif each.name == "end":
            yield each.name, _end_problem(text, today)
        else:
            yield each.name, needed_problem(each, _problem(each, text), values=chosen)
    for choice in _CHOICES:
        yield (
            choice.name,
            "" if chosen[choice.name] in dict(choice.options) else f"Choose “{choice.label}” from the list",
        )
    is_lender = re.fullmatch("[0-9]{0,9}", texts["lender"], re.ASCII)
    yield "lender", "" if is_lender else "Choose your lender from the list, or leave it out"


def _tell_problems(texts: Mapping[str, str], tells: frozenset[Tell]) -> Iterator[tuple[str, str]]:
    if not tells:
        yield TELLS, "Tick at least one thing that we should tell you"
    if Tell.SAVING in tells:
        yield SAVING_OVER, _problem(_SAVING, texts[SAVING_OVER]) if texts[SAVING_OVER] else _SAVING_NEEDED
    if Tell.RATE in tells:
        yield RATE_BELOW, _rate_problem(texts[RATE_BELOW], "Enter the rate to tell you of, for example 3.75")
    if Tell.FELL in tells:
        yield APPLIED_RATE, _rate_problem(texts[APPLIED_RATE], "Enter the rate you applied for, for example 4.19")
    if tells & {Tell.RATE, Tell.FELL}:
        yield DEAL, "" if parse_word(texts[DEAL] or DealKind.TWO_YEARS, DealKind) else "Choose the kind of deal"


def _problem(each: Field, text: str) -> str:
    """Return what is wrong with the text of a field, a decimal comma with what to type instead."""
    if each.unit is Unit.PERCENT and re.fullmatch(_COMMA_RATE, text):
        return f"Write the rate with a full stop, for example {text.replace(',', '.').rstrip('% ')}"
    return input_problem(each, text)


def _rate_problem(text: str, needed: str) -> str:
    return _problem(_RATE, text) or ("" if text and number_of(_RATE, text) > 0 else needed)


def _end_problem(text: str, today: date) -> str:
    field = next(each for each in _FIELDS if each.name == "end")
    if problem := input_problem(field, text):
        return problem
    end = _day(number_of(field, text))
    if end is None:
        return "There is no such day: check the date your deal ends"
    return PAST_END if end <= today else ""


def _number(each: Field, text: str) -> float:
    """Return the number of a valid text; of an empty one the follow-on rate that the plan counts, or 0."""
    if not text:
        return each.default if each.name == "followOn" else 0
    return float(number_of(each, text))


def _day(number: float) -> date | None:
    """Return the day of a number, None for 0 and for a 29 February that is none."""
    whole = int(number)
    try:
        return date(whole // 10_000, whole // 100 % 100, whole % 100)
    except ValueError:
        return None


def _text(value: object) -> str:
    return (single_line(value, MAX_TEXT_LENGTH) or "") if isinstance(value, str) else ""


def _email(given: Mapping[str, object]) -> str | tuple[Problem, ...]:
    email = single_line(given.get(EMAIL), MAX_EMAIL)
    reason = email_problem(email) if email != "" else "Enter your email address, for example name@example.com"
    if reason or email is None:
        return (Problem(field=EMAIL, reason=reason),)
    local, _, domain = email.rpartition("@")
    return f"{local}@{domain.lower()}"


_PLAN = remortgage_form({})
_FIELDS = _PLAN.fields
_CHOICES = tuple(choice for choice in _PLAN.choices if choice.name != "lender")
_SAVING = Field(name=SAVING_OVER, label="A saving over", default=0, high=0, min_value=MIN_POUNDS)
_RATE = rate_field(RATE_BELOW, "A rate of", default=0)
_NAMES = (*(each.name for each in _FIELDS), *(each.name for each in _PLAN.choices), *_OWN_NAMES)
_COMMA_RATE = r"[0-9]{1,2},[0-9]{1,3} ?%?"
_SAVING_NEEDED = "Enter the saving to tell you of, for example 500"
_NEEDED = {
    "balance": "Enter the loan left today, for example 200,000",
    "value": "Enter the value of the home, for example 300,000",
    "term": "Enter the years left, for example 20",
    "rate": "Enter the rate you pay today, for example 4.5",
    "end": "Enter the date your deal ends: your offer has it",
}
"""What to do about a figure that every watch needs and that is missing."""
