from dataclasses import replace
from datetime import UTC, datetime, timedelta

from broker.cases.case import CloseReason, Service, Source, Stage, WaitingFor
from broker.cases.case_list import ME, NOBODY, AmountBand, CaseFilter, CasePage, Column, Due, Listing, Tab
from broker.cases.list_view import (
    CHOICES,
    NO_KEY,
    TAB_WORDS,
    CaseRow,
    ListView,
    ago_words,
    case_row,
    due_mark,
    filters_of,
    form_of,
    hidden_words,
    list_view,
    listing_of,
    narrowed,
    query_of,
    text_in,
    ticked_words,
)
from broker.cases.saved_filters import SavedFilter
from broker.enquiries.enquiry import EnquiryState
from tests.unit.cases.cases import CONTACT, NOW, REFERENCE, head

LISTING = Listing(wanted=CaseFilter(tab=Tab.LENDERS, stage=Stage.OFFER, text="zoë"), sort=Column.NAME)
SAVED = (SavedFilter(number=7, name="Second homes", query="kind=landlord&sort=-amount"),)
COUNTS = (312, 9, 4, 31, 6, 87, 1_148, 5)


def listed(given: Listing | None = None, *, count: int = 1) -> ListView:
    listing = given or Listing()
    shown = max(0, min(50, count - listing.offset))
    page = CasePage(heads=(head(),) * shown, count=count)
    return list_view(page, COUNTS, listing=listing, saved=SAVED)


def test_tabs_are_everybodys_and_the_accounts_own_with_their_counts() -> None:
    tabs = listed().tabs
    words = ["Everyone’s open 312", "Due today 9", "Nobody has 4", "With lenders 31", "Offers running out 6"]
    words += ["Deal ends in 6 months 87", "Closed 1,148", "Second homes 5"]
    assert [f"{tab.label} {tab.count}" for tab in tabs] == words
    assert [tab.href for tab in tabs[:2]] == ["/staff/enquiries/", "/staff/enquiries/?tab=today"]
    assert (tabs[-1].href, tabs[-1].number) == ("/staff/enquiries/?kind=landlord&sort=-amount", 7)
    assert filters_of(SAVED) == (*(CaseFilter(tab=tab) for tab in Tab), CaseFilter(service=Service.LANDLORD))
    assert (set(TAB_WORDS), len(COUNTS)) == (set(Tab), len(filters_of(SAVED)))


def test_tab_of_the_list_is_marked_the_saved_one_where_the_list_is_the_same() -> None:
    def here(listing: Listing) -> list[str]:
        return [tab.label for tab in listed(listing).tabs if tab.is_here]

    saved = listing_of(SAVED[0])
    assert (here(Listing()), here(LISTING)) == (["Everyone’s open"], ["With lenders"])
    assert (here(saved), here(replace(saved, page=2))) == (["Second homes"], ["Second homes"])
    assert here(replace(saved, sort=Column.NAME)) == ["Everyone’s open"]
    found = listed(saved)
    assert (found.saved, found.saved_name, listed().saved) == (7, "Second homes", 0)
    assert query_of(replace(saved, page=4)) == SAVED[0].query


def test_tab_whose_name_does_not_say_all_is_explained() -> None:
    words = "At the stage of an offer for 60 days or more. Lenders’ offers last 3 to 6 months"
    assert listed(Listing(wanted=CaseFilter(tab=Tab.OFFERS))).meaning.startswith(words)
    assert [listed(given).meaning for given in (Listing(), LISTING, listing_of(SAVED[0]))] == [""] * 3


def test_words_of_a_search_are_in_the_form_and_in_no_address() -> None:
    found = listed(LISTING, count=120)
    addresses = [*(tab.href for tab in found.tabs), *(each.href for each in found.heads), found.later]
    assert [address for address in addresses if "zo" in address] == []
    assert {each.name: each.value for each in found.fields} == {
        "tab": "lenders",
        "stage": "offer",
        "sort": "name",
        "text": "zoë",
    }
    assert form_of(LISTING) == {**dict.fromkeys(CHOICES, ""), "stage": "offer", "text": "zoë"}


def test_heads_sort_and_say_how_the_list_is_sorted() -> None:
    heads = {each.column: each for each in listed().heads}
    assert list(heads) == [column.value for column in Column]
    assert {column: each.sorted for column, each in heads.items() if each.sorted} == {"due": "ascending"}
    assert (heads["due"].href, heads["amount"].href) == ("/staff/enquiries/?sort=-due", "/staff/enquiries/?sort=amount")
    turned = {each.column: each for each in listed(Listing(descending=True, page=3)).heads}
    assert (turned["due"].sorted, turned["due"].href) == ("descending", "/staff/enquiries/")


def test_list_says_how_many_there_are_and_in_which_order() -> None:
    assert listed(count=1_312).sentence == "1,312 matches, soonest due first"
    assert listed().sentence == "1 match, soonest due first"
    assert listed(replace(LISTING, descending=True), count=2).sentence == "2 matches, by name, from Z"
    assert (listed(count=0).sentence, listed(LISTING, count=0).sentence) == ("There are none", "No case matches")
    assert (listed().is_narrowed, listed(LISTING).is_narrowed) == (False, True)


def test_pages_are_counted_and_lead_to_each_other() -> None:
    one, last = listed(count=50), listed(Listing(page=3), count=120)
    assert (one.showing, one.earlier, one.later) == ("", "", "")
    assert (last.showing, last.place) == ("101 to 120 of 120", "Page 3 of 3")
    assert (last.earlier, last.later) == ("/staff/enquiries/?page=2", "")
    assert listed(count=51).later == "/staff/enquiries/?page=2"


def test_filter_is_changed_one_by_one_from_the_first_page() -> None:
    found = narrowed(replace(LISTING, page=3), "adviser", ME)
    assert found == replace(LISTING, wanted=replace(LISTING.wanted, adviser=ME))
    assert narrowed(found, "adviser", "").wanted == LISTING.wanted
    assert narrowed(LISTING, "stage", "nonsense").wanted.stage is None
    for field in ("text", "page", "sort", "no such"):
        assert narrowed(LISTING, field, "2") == LISTING


def test_every_choice_of_a_filter_is_understood() -> None:
    for name, options in CHOICES.items():
        for value, words in options[1:]:
            assert (name, narrowed(Listing(), name, value) != Listing(), bool(words)) == (name, True, True)
    assert [value for value, _ in CHOICES["adviser"]] == ["", ME, NOBODY]
    assert len(CHOICES["due"]) - 1 == len(Due)
    assert len(CHOICES["amount"]) - 1 == len(AmountBand)


def test_row_has_everything_in_words() -> None:
    case = head(
        stage=Stage.PRINCIPLE,
        waiting_for=WaitingFor.SOLICITOR,
        next_action="Ask",
        next_due=NOW + timedelta(days=3),
        amount=212_400,
        service=Service.REMORTGAGE,
        source=Source.TOWNS,
        assigned="ada",
        changed_at=NOW - timedelta(minutes=4),
    )
    assert case_row(case, NOW) == CaseRow(
        reference=REFERENCE,
        version=4,
        href=f"/staff/enquiry/?reference={REFERENCE}",
        name="Zoë",
        kind="Remortgage",
        amount="£212,400",
        pounds=212_400,
        stage="In principle",
        place=2,
        waits="solicitor",
        action="Ask",
        due="Fri 6 Mar",
        tone="",
        who="ada",
        initials="AD",
        who_tone="a3",
        source="Towns",
        changed="4 min",
    )


def test_row_of_a_new_a_closed_and_a_sealed_case() -> None:
    new, sealed = case_row(head(), NOW), case_row(head(contact=None), NOW)
    assert (new.action, new.amount, new.pounds, new.initials, new.who_tone) == ("First call", "", 0, "?", "none")
    assert sealed.name == NO_KEY
    closed = case_row(head(state=EnquiryState.CLOSED, close_reason=CloseReason.SPAM), NOW)
    assert (closed.action, closed.due, closed.waits, closed.is_closed) == ("it is spam", "closed", "", True)
    review = head(state=EnquiryState.CLOSED, next_due=NOW - timedelta(days=1))
    assert case_row(review, NOW).due == "1 day late"
    right_to_left = replace(CONTACT, name="שלום " * 40)
    assert case_row(head(contact=right_to_left), NOW).name == right_to_left.name


def test_due_time_says_that_it_is_late_and_how_near_it_is() -> None:
    now = datetime(2026, 11, 27, 10, 18, tzinfo=UTC)
    found = {
        timedelta(days=-2): ("2 days late", "red"),
        timedelta(hours=-11): ("1 day late", "red"),
        timedelta(minutes=-18): ("late, 10:00", "red"),
        timedelta(minutes=12): ("10:30, 12 min", "orange"),
        timedelta(hours=4): ("14:18", "orange"),
        timedelta(days=1): ("Sat 28 Nov", ""),
        timedelta(days=400): ("1 Jan 2028", ""),
    }
    assert {since: due_mark(now + since, now) for since in found} == found
    assert due_mark(None, now) == ("", "")


def test_time_since_a_change_is_in_few_letters() -> None:
    found = {0: "0 min", 59: "59 min", 60: "1 h", 1_439: "23 h", 1_440: "1 day", 4_400: "3 days", -5: "0 min"}
    assert {minutes: ago_words(NOW - timedelta(minutes=minutes), NOW) for minutes in found} == found


def test_ticked_cases_are_counted_and_added_up() -> None:
    assert ticked_words(3, 695_900) == ("3 ticked", "£695,900 together")
    assert ticked_words(1, 0) == ("1 ticked", "")


def test_hidden_columns_are_classes_of_the_table_the_name_never_one() -> None:
    assert hidden_words(frozenset((Column.SOURCE, Column.KIND, Column.NAME))) == "no-kind no-source"


def test_text_of_a_form_is_cut_and_anything_else_is_empty() -> None:
    assert (text_in(" zoë "), len(text_in("x" * 101))) == ("zoë", 100)
    assert {text_in(value) for value in (None, 7, [], {})} == {""}
