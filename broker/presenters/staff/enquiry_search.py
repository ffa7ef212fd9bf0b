"""Filters of the list of enquiries, in the page's address but for the search words, which may be a name."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from broker import routes
from broker.domain.enquiries.contact_details import parse_word
from broker.domain.enquiries.enquiry import EnquiryKind
from broker.domain.enquiries.stored_records import EnquiryState
from broker.domain.staff.enquiry_workflow import EnquiryFilter, EnquiryOrder
from broker.presenters.staff.enquiry_export import KIND_WORDS

STATE, KIND, ORDER, WHOSE, OVERDUE, PAGE, TEXT = "state", "kind", "order", "whose", "overdue", "page", "text"
"""The names of what is asked for. All but the last stand in the address; the words never do."""

MINE, NOBODYS = "mine", "nobodys"
"""Whose enquiries, beside anybody's."""

PAGE_SIZE = 25
"""Enquiries on a page."""

MAX_PAGES = 10_000
MAX_TEXT = 100
"""Characters that are looked for."""

KINDS = (("", "Any kind"), *((kind.value, words) for kind, words in KIND_WORDS.items()))
WHOM = (("", "Anybody"), (MINE, "Me"), (NOBODYS, "Nobody yet"))
ORDERS = (
    (EnquiryOrder.PROMISE.value, "Promised time to call"),
    (EnquiryOrder.NEWEST.value, "Newest first"),
    (EnquiryOrder.OLDEST.value, "Oldest first"),
)
"""The choices of the form, each value with its words; the first is the usual one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EnquirySearch:
    """What the address of the list asks for; `page` counts from 1, `whose` is `MINE`, `NOBODYS` or empty."""

    state: EnquiryState | None = None
    kind: EnquiryKind | None = None
    order: EnquiryOrder = EnquiryOrder.PROMISE
    whose: str = ""
    overdue: bool = False
    page: int = 1

    @property
    def offset(self) -> int:
        """Return how many enquiries come before the page."""
        return (self.page - 1) * PAGE_SIZE


def search_in(parameters: Mapping[str, object]) -> EnquirySearch:
    """Return what an address or a form asks for; what makes no sense is left out."""
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
    """Return a search as parameters of an address; what is usual is left out."""
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
    """Return what a form asks for, from its first page, with the state that was chosen beside it."""
    form = search_in(parameters)
    return replace(base, kind=form.kind, whose=form.whose, order=form.order, page=1)


def text_in(value: object) -> str:
    """Return the words that are looked for, as far as they go."""
    return value[:MAX_TEXT].strip() if isinstance(value, str) else ""


def wanted(search: EnquirySearch, *, text: str, who: str) -> EnquiryFilter:
    """Return the enquiries that a search of somebody's wants."""
    return EnquiryFilter(
        state=search.state,
        kind=search.kind,
        text=text,
        assigned=who if search.whose == MINE else "",
        unassigned=search.whose == NOBODYS,
        overdue=search.overdue,
    )
