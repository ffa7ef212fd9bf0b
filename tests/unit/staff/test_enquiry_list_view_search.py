from typing import Any

import pytest

from broker import routes
from broker.enquiries.enquiry import EnquiryKind, EnquiryState
from broker.staff.enquiry_list_view import (
    EnquirySearch,
    address_of,
    form_of,
    parameters_of,
    search_in,
    searched,
    text_in,
    wanted,
)
from broker.staff.enquiry_workflow import EnquiryFilter, EnquiryOrder

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
