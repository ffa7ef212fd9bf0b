"""View of the list of cases: tabs, heads, rows, pages, and what is ticked."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from urllib.parse import parse_qsl, urlencode

from broker import routes
from broker.cases.case import CLOSE_REASONS, EnquirySummary, Stage
from broker.cases.case_list import (
    FILTERS,
    ME,
    NOBODY,
    OFFER_MONTHS,
    OFFERS_AFTER,
    OPTIONAL,
    PAGE_SIZE,
    STATES,
    TEXT,
    AmountBand,
    CaseFilter,
    CasePage,
    Column,
    Due,
    Listing,
    Tab,
    listing_in,
    parameters_of,
)
from broker.cases.export import STATE_WORDS
from broker.cases.saved_filters import SavedFilter
from broker.cases.words import SERVICE_WORDS, SOURCE_WORDS, STAGE_WORDS, WAITING_WORDS, action_words
from broker.clock import UK
from broker.enquiries.enquiry import EnquiryState
from broker.lending.money import counted, pounds
from broker.staff.accounts import account_tone, initials

MAX_TEXT = 100
"""Characters of a search."""

TAB_WORDS: Mapping[Tab, str] = {
    Tab.OPEN: "Everyone’s open",
    Tab.TODAY: "Due today",
    Tab.NOBODY: "Nobody has",
    Tab.LENDERS: "With lenders",
    Tab.OFFERS: "Offers running out",
    Tab.DEALS: "Deal ends in 6 months",
    Tab.CLOSED: "Closed",
}
_MEANINGS: Mapping[Tab, str] = {
    Tab.OFFERS: f"At the stage of an offer for {OFFERS_AFTER.days} days or more. Lenders’ offers last {OFFER_MONTHS} "
    "to 6 months: the day on which one ends is in the offer."
}
"""What a tab has, where its name does not say all of it."""

COLUMN_WORDS: Mapping[Column, str] = {
    Column.NAME: "Name",
    Column.REFERENCE: "Reference",
    Column.KIND: "Kind",
    Column.AMOUNT: "Amount",
    Column.STAGE: "Stage",
    Column.WAITS: "Waits for",
    Column.ACTION: "Next action",
    Column.DUE: "Due",
    Column.WHO: "Who",
    Column.SOURCE: "Source",
    Column.CHANGED: "Changed",
}
_ORDERS: Mapping[Column, tuple[str, str]] = {
    Column.AMOUNT: ("smallest loan first", "largest loan first"),
    Column.STAGE: ("earliest stage first", "latest stage first"),
    Column.DUE: ("soonest due first", "latest due first"),
    Column.CHANGED: ("longest unchanged first", "last changed first"),
}
"""The order of a column in words, ascending and descending; others are `by reference` and `by reference, from Z`."""

DUE_WORDS: Mapping[Due, str] = {
    Due.LATE: "Late",
    Due.TODAY: "Later today",
    Due.WEEK: "In 7 days",
    Due.LATER: "After that",
    Due.NONE: "No date",
}
AMOUNT_WORDS: Mapping[AmountBand, str] = {
    AmountBand.UP_TO_150: "Below £150,000",
    AmountBand.UP_TO_300: "£150,000 to £300,000",
    AmountBand.UP_TO_500: "£300,000 to £500,000",
    AmountBand.MORE: "£500,000 and more",
    AmountBand.UNKNOWN: "Not known",
}

CHOICES: Mapping[str, tuple[tuple[str, str], ...]] = {
    "state": (("", "Any state"), *((state.value, STATE_WORDS[state]) for state in STATES)),
    "stage": (("", "Any stage"), *((stage.value, words) for stage, words in STAGE_WORDS.items())),
    "adviser": (("", "Any adviser"), (ME, "Me"), (NOBODY, "Nobody")),
    "due": (("", "Due: any time"), *((due.value, words) for due, words in DUE_WORDS.items())),
    "source": (("", "Any source"), *((source.value, words) for source, words in SOURCE_WORDS.items())),
    "kind": (("", "Any kind"), *((service.value, words) for service, words in SERVICE_WORDS.items())),
    "amount": (("", "Any amount"), *((band.value, words) for band, words in AMOUNT_WORDS.items())),
}
"""The choices of each filter, each value with its words, the default first; accounts are added to the advisers."""

TONES: Mapping[EnquiryState, str] = {
    EnquiryState.NEW: "lamp",
    EnquiryState.CALLED: "",
    EnquiryState.BOOKED: "good",
    EnquiryState.CLOSED: "plain",
}
"""Look of the tag of each state."""

NO_KEY = "Sealed: no key of the server opens it"
"""Shown for a name that cannot be decrypted."""

_STAGES = tuple(Stage)


@dataclass(frozen=True, slots=True, kw_only=True)
class TabView:
    """A filter as a tab; `number` is that of a saved one, else 0."""

    label: str
    count: str
    href: str
    is_here: bool = False
    number: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """The head of a column: what sorts by it, and `aria-sort`, or empty."""

    column: str
    words: str
    href: str
    sorted: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseRow:
    """A case of the list; `place` counts its stage from 0, `tone` is the colour of its due time, or empty."""

    reference: str
    version: int
    href: str
    name: str
    kind: str
    amount: str
    pounds: int
    stage: str
    place: int
    waits: str
    action: str
    due: str
    tone: str
    who: str
    initials: str
    who_tone: str
    source: str
    changed: str
    is_closed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Hidden:
    """A hidden field of the export form."""

    name: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ListView:
    """A page of the list but for its rows: `sentence` counts the list, `showing` the page, `meaning` explains the tab.

    `earlier` and `later` are the addresses of the adjacent pages or empty; `fields` are those of the export form.
    `elsewhere` says where the words are found that this list has not, and `elsewhere_href` opens that list.
    """

    tabs: tuple[TabView, ...] = ()
    meaning: str = ""
    heads: tuple[Head, ...] = ()
    sentence: str = ""
    caption: str = ""
    showing: str = ""
    place: str = ""
    is_narrowed: bool = False
    earlier: str = ""
    later: str = ""
    saved: int = 0
    saved_name: str = ""
    fields: tuple[Hidden, ...] = ()
    elsewhere: str = ""
    elsewhere_href: str = ""


def other_list(listing: Listing) -> Listing:
    """Return the list to look in for words that a list has not: closed cases, or open ones beside closed ones."""
    tab = Tab.OPEN if listing.wanted.tab is Tab.CLOSED else Tab.CLOSED
    return Listing(wanted=CaseFilter(tab=tab, text=listing.wanted.text))


def address_of(listing: Listing) -> str:
    return routes.with_query(routes.STAFF_ENQUIRIES, parameters_of(listing))


def query_of(listing: Listing) -> str:
    """Return a list as a saved filter has it: its filters and order, without a page."""
    return urlencode(parameters_of(replace(listing, page=1)))


def listing_of(saved: SavedFilter) -> Listing:
    return listing_in(dict(parse_qsl(saved.query)))


def form_of(listing: Listing) -> dict[str, str]:
    """Return the values of the form's fields."""
    held = parameters_of(listing)
    return {**{name: held.get(name, "") for name in CHOICES}, TEXT: listing.wanted.text}


def narrowed(listing: Listing, field: str, value: str) -> Listing:
    """Return the first page of a list with another value of a filter; an invalid one removes the filter."""
    parameters = {**parameters_of(replace(listing, page=1)), field: value}
    found = listing_in(parameters if field in FILTERS else parameters_of(listing))
    return replace(found, wanted=replace(found.wanted, text=listing.wanted.text))


def text_in(value: object) -> str:
    """Return the text of a form, cut to MAX_TEXT."""
    return value[:MAX_TEXT].strip() if isinstance(value, str) else ""


def filters_of(saved: Sequence[SavedFilter]) -> tuple[CaseFilter, ...]:
    """Return the filters of all tabs, in their order."""
    return (*(CaseFilter(tab=tab) for tab in Tab), *(listing_of(each).wanted for each in saved))


def tab_views(counts: Sequence[int], saved: Sequence[SavedFilter], listing: Listing) -> tuple[TabView, ...]:
    """Return the tabs with their counts, which are those of `filters_of`."""
    here = query_of(listing)
    chosen = next((each.number for each in saved if each.query == here), 0)
    tabs = [
        TabView(
            label=TAB_WORDS[tab],
            count=f"{count:,}",
            href=address_of(Listing(wanted=CaseFilter(tab=tab))),
            is_here=tab is listing.wanted.tab and not chosen,
        )
        for tab, count in zip(Tab, counts, strict=False)
    ]
    own = (
        TabView(
            label=each.name,
            count=f"{count:,}",
            href=address_of(listing_of(each)),
            is_here=each.number == chosen,
            number=each.number,
        )
        for each, count in zip(saved, counts[len(Tab) :], strict=False)
    )
    return (*tabs, *own)


def list_view(
    page: CasePage, counts: Sequence[int], *, listing: Listing, saved: Sequence[SavedFilter], elsewhere: int = 0
) -> ListView:
    """Return the view of a list's page; `elsewhere` counts the cases of the `other_list` that have its words."""
    tabs, last, wanted = tab_views(counts, saved, listing), listing.offset + len(page.heads), listing.wanted
    chosen = next((each for each in tabs if each.is_here and each.number), None)
    pages = max(1, -(-page.count // PAGE_SIZE))
    order = _order_words(listing)
    other = other_list(listing)
    parameters = {**parameters_of(replace(listing, page=1)), **({TEXT: wanted.text} if wanted.text else {})}
    return ListView(
        tabs=tabs,
        meaning="" if chosen else _MEANINGS.get(wanted.tab, ""),
        heads=tuple(_head(column, listing) for column in Column),
        sentence=_sentence(page.count, order, is_narrowed=wanted.is_narrowed),
        caption=f"Cases, {order}",
        showing=f"{listing.offset + 1:,} to {last:,} of {page.count:,}" if page.count > PAGE_SIZE else "",
        place=f"Page {listing.page:,} of {pages:,}",
        is_narrowed=wanted.is_narrowed,
        earlier=address_of(replace(listing, page=listing.page - 1)) if listing.page > 1 else "",
        later=address_of(replace(listing, page=listing.page + 1)) if page.count > last else "",
        saved=chosen.number if chosen else 0,
        saved_name=chosen.label if chosen else "",
        fields=tuple(Hidden(name=name, value=value) for name, value in parameters.items()),
        elsewhere=f"{counted(elsewhere, 'case')} under “{TAB_WORDS[other.wanted.tab]}”" if elsewhere else "",
        elsewhere_href=address_of(other) if elsewhere else "",
    )


def case_row(head: EnquirySummary, now: datetime) -> CaseRow:
    is_closed = head.state is EnquiryState.CLOSED
    due, tone = ("closed", "gray") if is_closed and head.due is None else due_mark(head.due, now)
    reason = CLOSE_REASONS[head.close_reason] if is_closed and head.close_reason else ""
    return CaseRow(
        reference=head.reference,
        version=head.version,
        href=routes.staff_enquiry(head.reference),
        name=head.contact.name if head.contact else NO_KEY,
        kind=SERVICE_WORDS[head.service],
        amount=pounds(head.amount) if head.amount else "",
        pounds=head.amount or 0,
        stage=STAGE_WORDS[head.stage],
        place=_STAGES.index(head.stage),
        waits="" if is_closed else WAITING_WORDS[head.waiting_for].removeprefix("the "),
        action=reason or action_words(head),
        due=due,
        tone=tone,
        who=head.assigned,
        initials=initials(head.assigned) or "?",
        who_tone=account_tone(head.assigned) or "none",
        source=SOURCE_WORDS[head.source],
        changed=ago_words(head.changed_at or head.created, now),
        is_closed=is_closed,
    )


def due_mark(due: datetime | None, now: datetime) -> tuple[str, str]:
    """Return a due time in few letters, and its colour: late is red and says so, today is orange with its time."""
    if due is None:
        return "", ""
    local, here = due.astimezone(UK), now.astimezone(UK)
    days, minutes = (local.date() - here.date()).days, int((due - now).total_seconds()) // 60
    if days < 0:
        return f"{-days} day{'' if days == -1 else 's'} late", "red"
    if due < now:
        return f"late, {local:%H:%M}", "red"
    if days == 0:
        return f"{local:%H:%M}, {minutes} min" if minutes <= 60 else f"{local:%H:%M}", "orange"
    return f"{local:%a %-d %b}" if days < 180 else f"{local:%-d %b %Y}", ""


def ago_words(at: datetime, now: datetime) -> str:
    """Return how long ago something was in few letters: `4 min`, `1 h`, `3 days`."""
    minutes = max(0, int((now - at) / timedelta(minutes=1)))
    if minutes < 60:
        return f"{minutes} min"
    hours, days = minutes // 60, minutes // (24 * 60)
    return f"{hours} h" if days < 1 else counted(days, "day")


def ticked_words(count: int, total: int) -> tuple[str, str]:
    """Return how many are ticked, and the sum of their loans."""
    return f"{count:,} ticked", f"{pounds(total)} together" if total else ""


def hidden_words(hidden: frozenset[Column]) -> str:
    """Return the classes of a table that hide columns."""
    return " ".join(f"no-{column}" for column in OPTIONAL if column in hidden)


def _head(column: Column, listing: Listing) -> Head:
    way = "descending" if listing.descending else "ascending"
    return Head(
        column=column.value,
        words=COLUMN_WORDS[column],
        href=address_of(listing.sorted_by(column)),
        sorted=way if column is listing.sort else "",
    )


def _order_words(listing: Listing) -> str:
    words = COLUMN_WORDS[listing.sort].lower()
    return _ORDERS.get(listing.sort, (f"by {words}", f"by {words}, from Z"))[listing.descending]


def _sentence(count: int, order: str, *, is_narrowed: bool) -> str:
    if not count:
        return "No case matches" if is_narrowed else "There are none"
    return f"{count:,} match{'' if count == 1 else 'es'}, {order}"
