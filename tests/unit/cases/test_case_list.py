from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest

from broker.cases.case import EnquirySummary, Service, Source, Stage, WaitingFor
from broker.cases.case_list import (
    DEALS_WITHIN,
    ME,
    NOBODY,
    OFFERS_AFTER,
    AmountBand,
    CaseFilter,
    Column,
    Due,
    Listing,
    Tab,
    fits,
    listing_in,
    parameters_of,
)
from broker.enquiries.enquiry import EnquiryState
from tests.unit.cases.cases import NOW, head

EVERYTHING = Listing(
    wanted=CaseFilter(
        tab=Tab.LENDERS,
        state=EnquiryState.CALLED,
        stage=Stage.OFFER,
        adviser="ada",
        due=Due.WEEK,
        source=Source.TOWNS,
        service=Service.LANDLORD,
        amount=AmountBand.UP_TO_300,
    ),
    sort=Column.AMOUNT,
    descending=True,
    page=3,
)


def test_address_names_all_but_the_words() -> None:
    parameters = parameters_of(replace(EVERYTHING, wanted=replace(EVERYTHING.wanted, text="Zoë")))
    assert parameters == {
        "tab": "lenders",
        "state": "called",
        "stage": "offer",
        "adviser": "ada",
        "due": "week",
        "source": "towns",
        "kind": "landlord",
        "amount": "150-300",
        "sort": "-amount",
        "page": "3",
    }
    assert listing_in(parameters) == EVERYTHING
    assert (parameters_of(Listing()), listing_in({})) == ({}, Listing())


@pytest.mark.parametrize("value", [None, "", "x" * 500, 7, [], "closed", "-", "0", "-1", "²", "\0", "\ud800"])
def test_anything_else_in_an_address_is_left_out(value: object) -> None:
    names = ("tab", "state", "stage", "due", "source", "kind", "amount", "sort", "page")
    found = listing_in(dict.fromkeys(names, value))
    assert found in (Listing(), Listing(wanted=CaseFilter(tab=Tab.CLOSED)))


def test_column_is_sorted_by_and_turned() -> None:
    once = replace(EVERYTHING, page=4).sorted_by(Column.NAME)
    assert (once.sort, once.descending, once.page, once.wanted) == (Column.NAME, False, 1, EVERYTHING.wanted)
    assert [once.sorted_by(Column.NAME).descending, once.sorted_by(Column.NAME).sorted_by(Column.NAME).descending] == [
        True,
        False,
    ]


def test_filter_is_recorded_without_the_words() -> None:
    wanted = replace(EVERYTHING.wanted, text="Zoë")
    words = "lenders, state called, stage offer, adviser ada, due week, source towns, kind landlord, amount 150-300"
    assert wanted.words == f"{words}, by words"
    assert (CaseFilter().words, CaseFilter(references=("a", "b")).words) == ("open", "2 ticked")


CLOSED = head(state=EnquiryState.CLOSED)
FITS: list[tuple[CaseFilter, EnquirySummary, bool]] = [
    (CaseFilter(), head(), True),
    (CaseFilter(), CLOSED, False),
    (CaseFilter(tab=Tab.CLOSED), CLOSED, True),
    (CaseFilter(tab=Tab.TODAY), head(call_by=NOW + timedelta(hours=11, minutes=59)), True),
    (CaseFilter(tab=Tab.TODAY), head(call_by=NOW + timedelta(hours=12)), False),
    (CaseFilter(tab=Tab.TODAY), replace(CLOSED, next_due=NOW - timedelta(days=2)), True),
    (CaseFilter(tab=Tab.NOBODY), head(assigned="ada"), False),
    (CaseFilter(tab=Tab.NOBODY), head(), True),
    (CaseFilter(tab=Tab.LENDERS), head(waiting_for=WaitingFor.LENDER), True),
    (CaseFilter(tab=Tab.LENDERS), head(), False),
    (CaseFilter(tab=Tab.OFFERS), head(stage=Stage.OFFER, stage_since=NOW - OFFERS_AFTER), True),
    (CaseFilter(tab=Tab.OFFERS), head(stage=Stage.OFFER, stage_since=NOW), False),
    (CaseFilter(tab=Tab.DEALS), replace(CLOSED, deal_ends=NOW.date() + DEALS_WITHIN), True),
    (CaseFilter(tab=Tab.DEALS), head(deal_ends=NOW.date() - timedelta(days=1)), False),
    (CaseFilter(adviser=ME), head(assigned="ada"), True),
    (CaseFilter(adviser=ME), head(assigned="bob"), False),
    (CaseFilter(adviser=NOBODY), head(), True),
    (CaseFilter(adviser="bob"), head(assigned="bob"), True),
    (CaseFilter(due=Due.LATE), head(call_by=NOW - timedelta(seconds=1)), True),
    (CaseFilter(due=Due.LATE), head(), False),
    (CaseFilter(due=Due.TODAY), head(), True),
    (CaseFilter(due=Due.WEEK), head(call_by=NOW + timedelta(days=7)), True),
    (CaseFilter(due=Due.LATER), head(call_by=NOW + timedelta(days=8)), True),
    (CaseFilter(due=Due.NONE), head(state=EnquiryState.CALLED), True),
    (CaseFilter(due=Due.NONE), head(), False),
    (CaseFilter(amount=AmountBand.UNKNOWN), head(), True),
    (CaseFilter(amount=AmountBand.UP_TO_300), head(amount=150_000), True),
    (CaseFilter(amount=AmountBand.UP_TO_300), head(amount=300_000), False),
    (CaseFilter(amount=AmountBand.MORE), head(amount=2_000_000), True),
    (CaseFilter(state=EnquiryState.BOOKED), head(state=EnquiryState.BOOKED), True),
    (CaseFilter(source=Source.TOWNS), head(), False),
    (CaseFilter(service=Service.MOVING), head(service=Service.MOVING), True),
    (CaseFilter(stage=Stage.OFFER), head(), False),
]


@pytest.mark.parametrize(("wanted", "case", "is_in"), FITS)
def test_case_is_in_the_lists_that_it_fits(wanted: CaseFilter, case: EnquirySummary, is_in: bool) -> None:
    assert fits(case, wanted, who="ada", now=NOW) is is_in


def test_day_ends_at_midnight_in_the_united_kingdom() -> None:
    summer = datetime(2026, 7, 1, 12, tzinfo=UTC)
    due = [head(call_by=datetime(2026, 7, 1, hour, 30, tzinfo=UTC)) for hour in (22, 23)]
    assert [fits(each, CaseFilter(tab=Tab.TODAY), who="ada", now=summer) for each in due] == [True, False]
    assert date(2026, 7, 1) == summer.date()
