"""View of the list of enquiries, and the search of its address."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from broker import routes
from broker.cases.case import EnquiryCounts, EnquiryFilter, EnquiryOrder, EnquiryPage, EnquirySummary
from broker.cases.export import KIND_WORDS, STATE_WORDS
from broker.enquiries.contact_details import parse_word
from broker.enquiries.enquiry import EnquiryKind, EnquiryState
from broker.staff.times import moment_words, promise_words

STATE, KIND, ORDER, WHOSE, OVERDUE, PAGE, TEXT = "state", "kind", "order", "whose", "overdue", "page", "text"
"""Fields of the search. All but TEXT are in the address: a text may be a name."""

MINE, NOBODYS = "mine", "nobodys"
"""Values of WHOSE, besides empty for all."""

PAGE_SIZE = 25
"""Enquiries on a page."""

MAX_PAGES = 10_000
MAX_TEXT = 100
"""Characters of the text."""

KINDS = (("", "Any kind"), *((kind.value, words) for kind, words in KIND_WORDS.items()))
WHOM = (("", "Anybody"), (MINE, "Me"), (NOBODYS, "Nobody yet"))
ORDERS = (
    (EnquiryOrder.PROMISE.value, "Promised time to call"),
    (EnquiryOrder.NEWEST.value, "Newest first"),
    (EnquiryOrder.OLDEST.value, "Oldest first"),
)
"""The choices of the form, each value with its words, the default first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EnquirySearch:
    """The search of an address; `page` counts from 1, `whose` is `MINE`, `NOBODYS` or empty."""

    state: EnquiryState | None = None
    kind: EnquiryKind | None = None
    order: EnquiryOrder = EnquiryOrder.PROMISE
    whose: str = ""
    overdue: bool = False
    page: int = 1

    @property
    def offset(self) -> int:
        return (self.page - 1) * PAGE_SIZE


def search_in(parameters: Mapping[str, object]) -> EnquirySearch:
    """Return the search of an address or a form, without invalid parameters."""
    page, whose = parameters.get(PAGE), parameters.get(WHOSE)
    number = int(page) if isinstance(page, str) and page.isascii() and page.isdigit() and len(page) < 6 else 1
    return EnquirySearch(
        state=parse_word(parameters.get(STATE), EnquiryState),
        kind=parse_word(parameters.get(KIND), EnquiryKind),
        order=parse_word(parameters.get(ORDER), EnquiryOrder) or EnquiryOrder.PROMISE,
        whose=whose if isinstance(whose, str) and whose in (MINE, NOBODYS) else "",
        overdue=parameters.get(OVERDUE) == "1",
        page=min(max(number, 1), MAX_PAGES),
    )


def parameters_of(search: EnquirySearch) -> dict[str, str]:
    """Return a search as parameters of an address, without defaults."""
    parameters = {
        STATE: search.state or "",
        KIND: search.kind or "",
        WHOSE: search.whose,
        OVERDUE: "1" if search.overdue else "",
        ORDER: "" if search.order is EnquiryOrder.PROMISE else search.order.value,
        PAGE: "" if search.page == 1 else str(search.page),
    }
    return {name: str(value) for name, value in parameters.items() if value}


def address_of(search: EnquirySearch) -> str:
    return routes.with_query(routes.STAFF_ENQUIRIES, parameters_of(search))


def form_of(search: EnquirySearch, text: str) -> dict[str, str]:
    return {TEXT: text, KIND: search.kind or "", WHOSE: search.whose, ORDER: search.order.value}


def searched(base: EnquirySearch, parameters: Mapping[str, object]) -> EnquirySearch:
    """Return the first page of a form's search, with the state and `overdue` of `base`."""
    form = search_in(parameters)
    return replace(base, kind=form.kind, whose=form.whose, order=form.order, page=1)


def text_in(value: object) -> str:
    """Return the text of a form, cut to MAX_TEXT."""
    return value[:MAX_TEXT].strip() if isinstance(value, str) else ""


def wanted(search: EnquirySearch, *, text: str, who: str) -> EnquiryFilter:
    """Return a search as a filter; `who` is the account that searches."""
    return EnquiryFilter(
        state=search.state,
        kind=search.kind,
        text=text,
        assigned=who if search.whose == MINE else "",
        unassigned=search.whose == NOBODYS,
        overdue=search.overdue,
    )


TONES: Mapping[EnquiryState, str] = {
    EnquiryState.NEW: "lamp",
    EnquiryState.CALLED: "",
    EnquiryState.BOOKED: "good",
    EnquiryState.CLOSED: "plain",
}
"""Look of the tag of each state."""

NO_KEY = "Sealed: no key of the server opens it"
"""Shown for a name that cannot be decrypted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chip:
    """A link to the enquiries of one state, with their number in the whole list."""

    label: str
    count: str
    href: str
    is_here: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class EnquiryRow:
    """An enquiry of the list; `tel` is the number for a link, empty if it cannot be decrypted."""

    reference: str
    href: str
    name: str
    telephone: str
    tel: str
    kind: str
    received: str
    promise: str
    is_overdue: bool
    state: str
    tone: str
    assigned: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Hidden:
    """A hidden field of the export form."""

    name: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EnquiryList:
    """A page of the list: `sentence` counts the list, `showing` the page, `fields` are those of the export form.

    `earlier` and `later` are the addresses of the adjacent pages or empty; `left_out` says what was not searched.
    """

    rows: tuple[EnquiryRow, ...] = ()
    chips: tuple[Chip, ...] = ()
    sentence: str = ""
    showing: str = ""
    is_narrowed: bool = False
    earlier: str = ""
    later: str = ""
    left_out: str = ""
    fields: tuple[Hidden, ...] = ()


def enquiry_list(
    page: EnquiryPage, counts: EnquiryCounts, *, search: EnquirySearch, text: str, wanted: EnquiryFilter, now: datetime
) -> EnquiryList:
    last = search.offset + len(page.heads)
    left_out = "" if page.complete else "Only the first 5,000 were looked through: choose a state or a kind as well"
    parameters = {**parameters_of(replace(search, page=1)), **({TEXT: text} if text else {})}
    is_narrowed = wanted != EnquiryFilter()
    return EnquiryList(
        rows=tuple(enquiry_row(head, now) for head in page.heads),
        chips=tuple(_chips(counts, search)),
        sentence=_sentence(page.count, is_narrowed=is_narrowed),
        showing=f"{search.offset + 1:,} to {last:,} of {page.count:,}" if page.count > PAGE_SIZE else "",
        is_narrowed=is_narrowed,
        earlier=address_of(replace(search, page=search.page - 1)) if search.page > 1 else "",
        later=address_of(replace(search, page=search.page + 1)) if page.count > last else "",
        left_out=left_out,
        fields=tuple(Hidden(name=name, value=value) for name, value in parameters.items()),
    )


def enquiry_row(head: EnquirySummary, now: datetime) -> EnquiryRow:
    contact = head.contact
    return EnquiryRow(
        reference=head.reference,
        href=routes.staff_enquiry(head.reference),
        name=contact.name if contact else NO_KEY,
        telephone=contact.telephone_shown if contact else "",
        tel=contact.telephone if contact else "",
        kind=KIND_WORDS[head.kind],
        received=moment_words(head.created, now),
        promise=call_words(head, now),
        is_overdue=head.is_overdue(now),
        state=STATE_WORDS[head.state],
        tone=TONES[head.state],
        assigned=head.assigned or "Nobody yet",
    )


def call_words(head: EnquirySummary, now: datetime) -> str:
    """Return when an enquiry is to be called: its appointment, or the promised time while it is new."""
    if head.state is not EnquiryState.NEW:
        return "No call is due"
    if head.appointment:
        return f"Appointment {moment_words(head.appointment, now)}"
    words = promise_words(head.call_by, now)
    return f"We promised {words}" if head.is_overdue(now) else f"Call {words}"


def _chips(counts: EnquiryCounts, search: EnquirySearch) -> Iterator[Chip]:
    every = replace(search, state=None, overdue=False, page=1)
    total = sum(counts.by_state.values())
    yield _chip("All", total, every, search)
    yield _chip("Overdue", counts.overdue, replace(every, overdue=True), search)
    for state in EnquiryState:
        yield _chip(STATE_WORDS[state], counts.by_state.get(state, 0), replace(every, state=state), search)


def _chip(label: str, count: int, to: EnquirySearch, search: EnquirySearch) -> Chip:
    return Chip(label=label, count=f"{count:,}", href=address_of(to), is_here=replace(search, page=1) == to)


def _sentence(count: int, *, is_narrowed: bool) -> str:
    if not count:
        return "No enquiry fits" if is_narrowed else "There are no enquiries yet"
    noun = "enquiry" if count == 1 else "enquiries"
    return f"{count:,} {noun}{' that fit' if is_narrowed and count > 1 else ' that fits' if is_narrowed else ''}"
