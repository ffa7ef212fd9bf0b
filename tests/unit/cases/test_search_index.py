import pytest

from broker.cases.search_index import MAX_SEARCH_LENGTH, SearchIndex, search_text
from broker.enquiries.contact_details import CallTime, ContactDetails


def contact(name: str, telephone: str = "+447700900123", email: str = "a@example.com") -> ContactDetails:
    return ContactDetails(name=name, telephone=telephone, email=email, when=CallTime.MORNING)


@pytest.fixture
def index() -> SearchIndex:
    filled = SearchIndex()
    filled.put(1, search_text("HG-7K3M-Q2XD", contact("Łukasz O’Brién"), message="A flat in Nörth Street, £250,000"))
    filled.put(
        2,
        search_text(
            "HG-2222-3333",
            contact("שלום Example", "+33612345678", "zoe@example.com"),
            notes=("Rang twice", "Wants a Tracker"),
        ),
    )
    filled.put(3, search_text("HG-4444-5555", None, message="never read"))
    return filled


@pytest.mark.parametrize(
    ("sought", "found"),
    [
        ("lukasz", {1}),
        ("OBRIEN luk", {1}),
        ("o'brien", {1}),
        ("שלום", {2}),
        ("zoe@EXAMPLE.com", {2}),
        ("example", {1, 2}),
        ("north street", {1}),
        ("£250,000", {1}),
        ("tracker twice", {2}),
        ("tracker flat", set()),
        ("hg-4444-5555", {3}),
        ("never", set()),
        ("2222", {2}),
        (" ", set()),
        ("", set()),
    ],
)
def test_words_are_found_in_every_field_without_accents(index: SearchIndex, sought: str, found: set[int]) -> None:
    assert index.find(sought) == found


@pytest.mark.parametrize(
    "spelling",
    [
        "07700 900123",
        "+44 (0)7700 900 123",
        "0044 7700-900-123",
        "7700900123",
        "900123",
        "(07700) 900123",
        "٠٧٧٠٠٩٠٠١٢٣",
    ],
)
def test_telephone_is_found_in_any_spelling(index: SearchIndex, spelling: str) -> None:
    assert index.find(spelling) == {1}


def test_foreign_number_is_found(index: SearchIndex) -> None:
    assert index.find("0033 6 12 34 56 78") == index.find("+33612345678") == {2}


def test_case_that_is_read_again_is_found_by_its_new_words_alone(index: SearchIndex) -> None:
    index.put(1, search_text("HG-7K3M-Q2XD", contact("B. Example")))
    assert (index.find("lukasz"), index.find("b. example")) == (frozenset(), {1})


def test_merged_case_is_found_as_the_one_it_was_merged_into(index: SearchIndex) -> None:
    index.put(2, search_text("HG-2222-3333", contact("Zoë")), merged_into=1)
    assert index.find("hg-2222-3333") == {1}
    index.put(2, search_text("HG-2222-3333", contact("Zoë")))
    assert index.find("hg-2222-3333") == {2}


def test_dropped_case_is_not_found(index: SearchIndex) -> None:
    index.keep([2])
    assert (index.find("example"), len(index), 1 in index) == ({2}, 1, False)


def test_long_search_is_cut(index: SearchIndex) -> None:
    assert index.find("zoe" + " " * MAX_SEARCH_LENGTH + "nobody") == {2}


def test_cases_are_sorted_by_name_the_nameless_last(index: SearchIndex) -> None:
    index.put(4, search_text("HG-6666-7777", contact("łukasz obrien"), action="Call"))
    index.put(5, search_text("HG-6666-8888", contact("Émile"), action="ask"))
    assert index.in_order([1, 2, 3, 4, 5, 9], "name", descending=False) == [5, 4, 1, 2, 9, 3]
    assert index.in_order([1, 2, 3, 4, 5, 9], "name", descending=True) == [2, 4, 1, 5, 9, 3]
    assert index.in_order([1, 4, 5], "action", descending=False) == [5, 4, 1]
