"""The list of cases: its tabs, filters, columns and order, and which of them an address names."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from enum import StrEnum

from broker.cases.case import EnquirySummary, Service, Source, Stage, WaitingFor
from broker.clock import uk_date, uk_midnight
from broker.enquiries.contact_details import parse_word, single_line
from broker.enquiries.enquiry import EnquiryState
from broker.staff.audit import MAX_ACTOR_LENGTH

PAGE_SIZE = 50
"""Cases on a page."""

MAX_PAGES = 10_000

MAX_TICKED = 1_000
"""Cases that are exported by their references."""

ME, NOBODY = "@me", "@nobody"
"""Values of the adviser's filter besides the names of accounts, which have no `@`."""

OFFER_MONTHS = 3
"""Months for which the shortest offers of lenders are good (3 to 6 months)."""

OFFERS_AFTER = timedelta(days=30 * (OFFER_MONTHS - 1))
"""Time at the stage of an offer after which it is listed as running out: the last month of the shortest."""

DEALS_WITHIN = timedelta(days=183)
"""Time before the end of a deal within which its case is listed."""

_WEEK = timedelta(days=7)


class Tab(StrEnum):
    """A filter that everybody has, by its name in the address."""

    OPEN = "open"
    TODAY = "today"
    """Due by the end of the day, late ones and reviews of closed cases among them."""
    NOBODY = "nobody"
    LENDERS = "lenders"
    OFFERS = "offers"
    DEALS = "deals"
    """Deals that end soon, of closed cases too."""
    CLOSED = "closed"


class Due(StrEnum):
    LATE = "late"
    TODAY = "today"
    WEEK = "week"
    LATER = "later"
    NONE = "none"


class AmountBand(StrEnum):
    """A range of loans in thousands of pounds."""

    UP_TO_150 = "0-150"
    UP_TO_300 = "150-300"
    UP_TO_500 = "300-500"
    MORE = "500"
    UNKNOWN = "none"


AMOUNTS: Mapping[AmountBand, tuple[int, int | None]] = {
    AmountBand.UP_TO_150: (0, 150_000),
    AmountBand.UP_TO_300: (150_000, 300_000),
    AmountBand.UP_TO_500: (300_000, 500_000),
    AmountBand.MORE: (500_000, None),
}
"""Pounds of each range, from the first to below the second."""


class Column(StrEnum):
    """A column of the list, in order; the list is sorted by any of them."""

    NAME = "name"
    REFERENCE = "reference"
    KIND = "kind"
    AMOUNT = "amount"
    STAGE = "stage"
    WAITS = "waits"
    ACTION = "action"
    DUE = "due"
    WHO = "who"
    SOURCE = "source"
    CHANGED = "changed"


ENCRYPTED = (Column.NAME, Column.ACTION)
"""Columns that the database cannot sort by."""

OPTIONAL = tuple(column for column in Column if column is not Column.NAME)
"""Columns that an account may hide."""

STATES = (EnquiryState.NEW, EnquiryState.CALLED, EnquiryState.BOOKED)
"""States to filter by; closed cases have a tab."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseFilter:
    """A tab and what narrows it; `adviser` is an account, ME, NOBODY or empty.

    `text` are words to search for. They may be a name, and are in no address. `references` are ticked cases; they
    replace the rest of a filter.
    """

    tab: Tab = Tab.OPEN
    state: EnquiryState | None = None
    stage: Stage | None = None
    adviser: str = ""
    due: Due | None = None
    source: Source | None = None
    service: Service | None = None
    amount: AmountBand | None = None
    text: str = ""
    references: tuple[str, ...] = ()

    @property
    def is_narrowed(self) -> bool:
        return self != CaseFilter(tab=self.tab)

    @property
    def words(self) -> str:
        """Return the filter in words for the audit record, without `text`, which may be a visitor's name."""
        if self.references:
            return f"{len(self.references)} ticked"
        parts = {
            "": self.tab,
            "state": self.state,
            "stage": self.stage,
            "adviser": self.adviser,
            "due": self.due,
            "source": self.source,
            "kind": self.service,
            "amount": self.amount,
        }
        named = [f"{name} {value}".strip() for name, value in parts.items() if value]
        return ", ".join([*named, *(["by words"] if self.text.strip() else [])])


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """A page of the list: what it is filtered and sorted by; `page` counts from 1."""

    wanted: CaseFilter = CaseFilter()
    sort: Column = Column.DUE
    descending: bool = False
    page: int = 1

    @property
    def offset(self) -> int:
        return (self.page - 1) * PAGE_SIZE

    def sorted_by(self, column: Column) -> "Listing":
        """Return the first page sorted by a column; the same column again turns its order."""
        turned = column is self.sort and not self.descending
        return replace(self, sort=column, descending=turned, page=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class CasePage:
    """Cases of a page, and the count of all that match."""

    heads: tuple[EnquirySummary, ...]
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DayBounds:
    """The moments that the filters of a day go by; `today` is the UK date."""

    now: datetime
    today: date
    tomorrow: datetime
    """The end of the UK day."""
    week: datetime
    """The end of the UK day in seven days."""


def day_bounds(now: datetime) -> DayBounds:
    today = uk_date(now)
    return DayBounds(
        now=now,
        today=today,
        tomorrow=uk_midnight(today + timedelta(days=1)),
        week=uk_midnight(today + _WEEK + timedelta(days=1)),
    )


def fits(head: EnquirySummary, wanted: CaseFilter, *, who: str, now: datetime) -> bool:
    """Return whether a case is in a list, as the database decides it (`list_store`); `text` is not looked at."""
    day, due = day_bounds(now), head.due
    is_open = head.state is not EnquiryState.CLOSED
    in_tab = {
        Tab.OPEN: is_open,
        Tab.TODAY: due is not None and due < day.tomorrow,
        Tab.NOBODY: is_open and not head.assigned,
        Tab.LENDERS: is_open and head.waiting_for is WaitingFor.LENDER,
        Tab.OFFERS: is_open and head.stage is Stage.OFFER and (head.stage_since or now) <= now - OFFERS_AFTER,
        Tab.DEALS: head.deal_ends is not None and day.today <= head.deal_ends <= day.today + DEALS_WITHIN,
        Tab.CLOSED: not is_open,
    }[wanted.tab]
    pairs = (
        (wanted.state, head.state),
        (wanted.stage, head.stage),
        (wanted.source, head.source),
        (wanted.service, head.service),
        ({ME: who, NOBODY: ""}.get(wanted.adviser, wanted.adviser) if wanted.adviser else None, head.assigned),
        (wanted.due, wanted.due and _due_of(due, wanted.due, day)),
        (wanted.amount, wanted.amount and _amount_band(head.amount)),
    )
    return in_tab and all(asked is None or asked == held for asked, held in pairs)


def _due_of(due: datetime | None, asked: Due, day: DayBounds) -> Due | None:
    """Return the asked filter if a due time is in it."""
    if due is None:
        return Due.NONE
    is_in = {
        Due.LATE: due < day.now,
        Due.TODAY: day.now <= due < day.tomorrow,
        Due.WEEK: day.now <= due < day.week,
        Due.LATER: due >= day.week,
        Due.NONE: False,
    }
    return asked if is_in[asked] else None


def _amount_band(amount: int | None) -> AmountBand:
    if amount is None:
        return AmountBand.UNKNOWN
    return next(band for band, (low, high) in AMOUNTS.items() if low <= amount and (high is None or amount < high))


_PARAMETERS: Mapping[str, tuple[str, type[StrEnum]]] = {
    "tab": ("tab", Tab),
    "state": ("state", EnquiryState),
    "stage": ("stage", Stage),
    "due": ("due", Due),
    "source": ("source", Source),
    "kind": ("service", Service),
    "amount": ("amount", AmountBand),
}
"""Parameters of an address: the field of the filter, and its words."""

ADVISER, SORT, PAGE, TEXT, REFERENCES = "adviser", "sort", "page", "text", "references"
"""The other parameters; TEXT and REFERENCES are fields of forms alone."""

FILTERS = (*_PARAMETERS, ADVISER)
"""Parameters of the filters."""


def listing_in(parameters: Mapping[str, object]) -> Listing:
    """Return the page of an address or a form, without its text and without invalid parameters."""
    named = {field: parse_word(parameters.get(name), kind) for name, (field, kind) in _PARAMETERS.items()}
    given = {field: value for field, value in named.items() if value is not None}
    state = given.pop("state", None)
    wanted = CaseFilter(
        **given,  # pyright: ignore[reportArgumentType] - each is of its field's type
        state=state if state in STATES else None,  # pyright: ignore[reportArgumentType] - as above
        adviser=single_line(parameters.get(ADVISER, ""), MAX_ACTOR_LENGTH) or "",
    )
    sort = parameters.get(SORT)
    by = parse_word(sort.removeprefix("-") if isinstance(sort, str) else "", Column)
    page = parameters.get(PAGE)
    number = int(page) if isinstance(page, str) and page.isascii() and page.isdigit() and len(page) < 6 else 1
    return Listing(
        wanted=wanted,
        sort=by or Column.DUE,
        descending=by is not None and str(sort).startswith("-"),
        page=min(max(number, 1), MAX_PAGES),
    )


def parameters_of(listing: Listing) -> dict[str, str]:
    """Return a page as parameters of an address, without defaults and without its text."""
    wanted = listing.wanted
    named = {name: str(getattr(wanted, field) or "") for name, (field, _) in _PARAMETERS.items()}
    sort = f"{'-' if listing.descending else ''}{listing.sort}"
    parameters = {
        **named,
        "tab": "" if wanted.tab is Tab.OPEN else wanted.tab.value,
        ADVISER: wanted.adviser,
        SORT: "" if sort == Column.DUE else sort,
        PAGE: "" if listing.page == 1 else str(listing.page),
    }
    return {name: value for name, value in parameters.items() if value}
