from datetime import timedelta
from typing import Any

import pytest

from broker import routes
from broker.cases.case import EnquiryCounts, EnquiryFilter, EnquiryOrder, EnquiryPage, EnquirySummary
from broker.cases.list_view import (
    NO_KEY,
    EnquiryList,
    EnquirySearch,
    address_of,
    enquiry_list,
    enquiry_row,
    form_of,
    parameters_of,
    search_in,
    searched,
    text_in,
    wanted,
)
from broker.enquiries.enquiry import EnquiryKind, EnquiryState
from tests.unit.cases.cases import NOW, REFERENCE, head

COUNTS = EnquiryCounts(by_state={EnquiryState.NEW: 1_200, EnquiryState.CLOSED: 3}, overdue=7)


def listed(
    *heads: EnquirySummary, count: int = -1, text: str = "", complete: bool = True, **search: Any
) -> EnquiryList:
    asked = EnquirySearch(**search)
    page = EnquiryPage(heads=heads, count=len(heads) if count < 0 else count, complete=complete)
    narrowed = wanted(asked, text=text, who="ada")
    return enquiry_list(page, COUNTS, search=asked, text=text, wanted=narrowed, now=NOW)


@pytest.mark.parametrize(
    ("fields", "promise", "is_overdue"),
    [
        ({}, "Call today before 13:00", False),
        ({"appointment": NOW + timedelta(days=1)}, "Appointment tomorrow at 12:00", False),
        ({"call_by": NOW + timedelta(days=1)}, "Call tomorrow before 12:00", False),
        ({"call_by": NOW - timedelta(minutes=1)}, "We promised today before 11:59", True),
        ({"call_by": NOW - timedelta(days=1), "state": EnquiryState.CALLED}, "No call is due", False),
        ({"call_by": NOW - timedelta(days=1), "state": EnquiryState.CLOSED}, "No call is due", False),
    ],
)
def test_promise_is_said_in_words(fields: dict[str, Any], promise: str, is_overdue: bool) -> None:
    row = enquiry_row(head(**fields), NOW)
    assert (row.promise, row.is_overdue) == (promise, is_overdue)


def test_row_says_who_wants_what_and_who_has_it() -> None:
    row = enquiry_row(head(assigned="ada"), NOW)
    assert (row.name, row.telephone, row.tel) == ("Zoë", "07700 900123", "+447700900123")
    assert (row.kind, row.received, row.state, row.assigned) == ("Contact form", "today at 11:00", "New", "ada")
    assert row.href == f"/staff/enquiry/?reference={REFERENCE}"
    assert enquiry_row(head(), NOW).assigned == "Nobody yet"
    row = enquiry_row(head(contact=None), NOW)
    assert (row.name, row.telephone, row.tel) == (NO_KEY, "", "")


def test_count_is_a_sentence() -> None:
    sentences = {
        (0, ""): "There are no enquiries yet",
        (0, "zoë"): "No enquiry fits",
        (1, ""): "1 enquiry",
        (1, "zoë"): "1 enquiry that fits",
        (1_204, ""): "1,204 enquiries",
        (2, "zoë"): "2 enquiries that fit",
    }
    assert {(count, text): listed(count=count, text=text).sentence for count, text in sentences} == sentences
    assert listed(text="zoë", complete=False).left_out.startswith("Only the first 5,000")
    assert listed(text="zoë").left_out == ""


def test_pages_lead_on_and_back_with_what_was_asked_for() -> None:
    heads = [head()] * 25
    second = listed(*heads, count=51, page=2, state=EnquiryState.NEW)
    assert second.showing == "26 to 50 of 51"
    assert second.earlier == "/staff/enquiries/?state=new"
    assert second.later == "/staff/enquiries/?state=new&page=3"
    assert listed(head(), count=51, page=3).later == ""
    only = listed(*heads, count=25)
    assert (only.showing, only.earlier, only.later) == ("", "", "")


def test_states_are_offered_with_counts_within_the_search() -> None:
    chips = listed(whose="mine", overdue=True, page=4).chips
    counts = {"All": "1,203", "Overdue": "7", "New": "1,200", "Called": "0", "Booked": "0", "Closed": "3"}
    assert [(chip.label, chip.count) for chip in chips] == list(counts.items())
    assert [chip.label for chip in chips if chip.is_here] == ["Overdue"]
    assert chips[0].href == "/staff/enquiries/?whose=mine"


def test_file_is_asked_for_with_the_words_and_never_by_an_address() -> None:
    found = listed(text="zoë", state=EnquiryState.NEW, page=2)
    assert [(field.name, field.value) for field in found.fields] == [("state", "new"), ("text", "zoë")]
    assert not [href for href in (found.earlier, found.later, *(c.href for c in found.chips)) if "zo" in href]
    assert (found.is_narrowed, listed().is_narrowed, EnquiryFilter() == EnquiryFilter(text="")) == (True, False, True)


FULL = EnquirySearch(
    state=EnquiryState.CALLED, kind=EnquiryKind.CONTACT, order=EnquiryOrder.OLDEST, whose="mine", overdue=True, page=3
)


def test_search_goes_into_the_address_and_comes_back() -> None:
    for search in (EnquirySearch(), FULL, EnquirySearch(whose="nobodys", page=2)):
        assert search_in(parameters_of(search)) == search
    assert address_of(EnquirySearch()) == routes.STAFF_ENQUIRIES
    assert address_of(FULL).endswith("?state=called&kind=contact&whose=mine&overdue=1&order=oldest&page=3")


NONSENSE: list[Any] = [None, "", "constructor", 7, [], {"a": 1}, "x" * 10_000, "-1", "0", "٣", "1e9", "\x00", "999999"]


@pytest.mark.parametrize("value", NONSENSE)
def test_malformed_parameters_are_ignored(value: Any) -> None:
    parameters: dict[str, object] = dict.fromkeys(("state", "kind", "order", "whose", "overdue", "page"), value)
    assert search_in(parameters) == EnquirySearch()


def test_form_searches_from_the_first_page_in_the_state_that_was_chosen() -> None:
    form = form_of(FULL, "zoë")
    assert form == {"text": "zoë", "kind": "contact", "whose": "mine", "order": "oldest"}
    found = searched(FULL, {**form, "kind": "", "order": "newest", "state": "new", "page": "9"})
    assert (found.state, found.kind, found.order, found.page) == (EnquiryState.CALLED, None, EnquiryOrder.NEWEST, 1)
    assert (found.whose, found.overdue) == ("mine", True)
    assert [text_in(value) for value in (" zoë ", None, ["a"], "x" * 500)] == ["zoë", "", "", "x" * 100]


def test_my_enquiries_are_those_of_the_signed_in_account() -> None:
    mine = wanted(FULL, text="zoë", who="ada")
    assert (mine.assigned, mine.unassigned, mine.text, mine.overdue) == ("ada", False, "zoë", True)
    assert wanted(EnquirySearch(whose="nobodys"), text="", who="ada") == EnquiryFilter(unassigned=True)
    assert wanted(EnquirySearch(), text="", who="ada") == EnquiryFilter()
