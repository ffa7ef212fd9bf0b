"""The list of enquiries for staff: who wants what, by when we promised to call, and who has it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from broker import routes
from broker.domain.enquiries.stored_records import EnquiryState
from broker.domain.staff.enquiry_workflow import EnquiryCounts, EnquiryFilter, EnquiryPage, EnquirySummary
from broker.presenters.staff.enquiry_export import KIND_WORDS, STATE_WORDS
from broker.presenters.staff.enquiry_search import PAGE_SIZE, TEXT, EnquirySearch, address_of, parameters_of
from broker.presenters.staff.times import moment_words, promise_words

TONES: Mapping[EnquiryState, str] = {
    EnquiryState.NEW: "lamp",
    EnquiryState.CALLED: "",
    EnquiryState.BOOKED: "good",
    EnquiryState.CLOSED: "plain",
}
"""How the tag of each state looks."""

NO_KEY = "Sealed: no key of the server opens it"
"""Stands for a name that cannot be read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chip:
    """A state to narrow the list to, with how many enquiries there are in it, whatever else is asked for."""

    label: str
    count: str
    href: str
    is_here: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class EnquiryRow:
    """One enquiry of the list; `tel` is the number as links have it, empty where it cannot be read."""

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
    """A field that goes with the form of a file."""

    name: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EnquiryList:
    """A page of the list: `sentence` counts the list, `showing` the page, and `fields` request all of it as a file.

    `earlier` and `later` are the addresses of the pages beside it, or empty; `left_out` says what was not searched.
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
    """Return a page of the list in words."""
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
        promise=promised(head, now),
        is_overdue=head.is_overdue(now),
        state=STATE_WORDS[head.state],
        tone=TONES[head.state],
        assigned=head.assigned or "Nobody yet",
    )


def promised(head: EnquirySummary, now: datetime) -> str:
    """Return when somebody is to be called: a time for who was not called yet."""
    if head.state is not EnquiryState.NEW:
        return "No call is due"
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
