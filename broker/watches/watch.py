"""A watch on a mortgage: the figures of its plan, what to tell its owner, and how a form is parsed.

The fields of the figures are those of the remortgage plan, under the same names.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum

from broker.enquiries.contact_details import Problem
from broker.plans.remortgage import OWN_HOME, PERCENT, REPAYMENT

EMAIL, TELEPHONE, MAY_CALL = "email", "telephone", "mayCall"
SAVING_OVER, RATE_BELOW, DEAL, APPLIED_RATE = "savingOver", "rateBelow", "deal", "appliedRate"
"""Names of the fields of a watch beside those of the plan; `tell_field` names the checkbox of each `Tell`."""

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

    `charge` is how the early repayment charge is given, `repay` and `home` are options of the plan's form.
    `saving_over` belongs to `Tell.SAVING`, `rate_below` to `Tell.RATE`, and `applied_rate`, the rate of the deal that
    was applied for, to `Tell.FELL`.
    """

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
    """A confirmed watch whose owner agreed to a call, as staff see it."""

    watch: Watch
    state: WatchState
    email: str = field(repr=False)
    telephone: str = field(repr=False)
    told: tuple[Told, ...] = ()


def tell_field(tell: Tell) -> str:
    """Return the name of the checkbox of a tell, whose value is `yes`."""
    return f"tell-{tell.value}"


def parse_watch(given: Mapping[str, object], *, today: date) -> Watch | tuple[Problem, ...]:
    """Return the watch of a form's fields, or the problem of each invalid field."""
    raise NotImplementedError


def parameters_of(watch: Watch) -> dict[str, str]:
    """Return a watch as the fields of its form; those of the plan alone make the address of its plan."""
    raise NotImplementedError


def plan_parameters(watch: Watch) -> dict[str, str]:
    """Return the parameters of the address of a watch's plan."""
    raise NotImplementedError
