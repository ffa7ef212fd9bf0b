from datetime import timedelta
from typing import Any

import pytest

from broker.enquiries.enquiry import EnquiryState
from broker.staff.enquiry_list_view import NO_KEY, EnquiryList, EnquirySearch, enquiry_list, enquiry_row, wanted
from broker.staff.enquiry_workflow import EnquiryCounts, EnquiryFilter, EnquiryPage, EnquirySummary
from tests.unit.staff.staff_cases import NOW, REFERENCE, head

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
