"""Finding entries by words: how words are read, what weighs what, and what is told where nothing has them all."""

import pytest

from broker.domain.site_search import (
    MAX_QUERY_LENGTH,
    Entry,
    Found,
    Kind,
    Piece,
    SearchIndex,
    build_index,
    marked,
    raw_words,
    search,
    singular,
    terms,
)


def entry(
    title: str, *, kind: Kind = Kind.GUIDE, keywords: tuple[str, ...] = (), description: str = "", text: str = ""
) -> Entry:
    return Entry(kind=kind, title=title, href="/", keywords=keywords, description=description, text=text)


def found(index: SearchIndex, query: str) -> list[str]:
    return [each.title for each in search(index, query).entries]


WORDS = {
    "Fixed OR Variable?": ["fixed", "or", "variable"],
    "buy-to-let": ["buy", "to", "let"],
    "the lender's £250,000 (95%)": ["the", "lenders", "250000", "95"],
    "Café, naïve, Zoë’s": ["cafe", "naive", "zoes"],
    "1,2 and 1,000,000": ["12", "and", "1000000"],
    " \u2014 … ": [],
}


@pytest.mark.parametrize("text", WORDS)
def test_words_are_read_without_case_accents_and_marks(text: str) -> None:
    assert raw_words(text) == WORDS[text]


SINGULARS = {
    "mortgages": "mortgage",
    "properties": "property",
    "companies": "company",
    "companie": "company",
    "taxes": "tax",
    "churches": "church",
    "houses": "house",
    "fees": "fee",
    "isas": "isa",
    "loss": "loss",
    "bonus": "bonus",
    "basis": "basis",
    "gas": "gas",
    "rate": "rate",
}


@pytest.mark.parametrize("word", SINGULARS)
def test_simple_plurals_become_singular(word: str) -> None:
    assert singular(word) == SINGULARS[word]


TERMS = {
    "How much can I borrow?": ("much", "borrow"),
    "rates, rates and Rates": ("rates",),
    "what is it": ("it",),
    "LTV": ("ltv",),
    "": (),
    "?!": (),
    "x" * (MAX_QUERY_LENGTH - 1) + " late": ("x" * (MAX_QUERY_LENGTH - 1),),
}


@pytest.mark.parametrize("query", TERMS)
def test_small_words_and_repeats_are_not_looked_for(query: str) -> None:
    assert terms(query) == TERMS[query]


def test_title_weighs_most_then_keywords_then_description_then_text() -> None:
    index = build_index(
        [
            entry("text", text="ground rent"),
            entry("often in the text", text="rent, rent and rent: the ground"),
            entry("description", description="ground rent"),
            entry("keywords", keywords=("ground rent",)),
            entry("ground rent"),
        ]
    )
    assert found(index, "ground rent") == ["ground rent", "keywords", "description", "often in the text", "text"]


def test_whole_word_weighs_more_than_its_beginning() -> None:
    index = build_index([entry("Leasehold"), entry("Lease")])
    assert found(index, "lease") == ["Lease", "Leasehold"]


def test_only_the_last_word_may_be_a_beginning() -> None:
    index = build_index([entry("Overpaying a mortgage"), entry("Mortgage fees")])
    assert found(index, "mortgage over") == ["Overpaying a mortgage"]
    assert found(index, "ove mortgage") == ["Mortgage fees", "Overpaying a mortgage"]


def test_equal_finds_stand_by_kind_then_by_length_of_title_then_as_listed() -> None:
    index = build_index(
        [
            entry("Rate now", kind=Kind.QUESTION),
            entry("Rate two"),
            entry("Rate one"),
            entry("Rate"),
            entry("Rate here", kind=Kind.SERVICE),
        ]
    )
    assert found(index, "rate") == ["Rate here", "Rate", "Rate two", "Rate one", "Rate now"]


CALLED = {
    "BTL": "Buy-to-let mortgages",
    "landlord": "Buy-to-let mortgages",
    "aip": "What is an agreement in principle?",
    "DIP": "What is an agreement in principle?",
    "decision in principle": "What is an agreement in principle?",
    "ERC": "Early repayment charges explained",
    "ltv": "What is loan to value?",
    "SDLT": "Stamp duty",
    "LTT": "Stamp duty",
    "svr": "The standard variable rate",
    "advisor": "Speak to an adviser",
    "FTB": "First-time buyers",
    "overpay": "Overpaying",
    "EPC": "Energy performance certificates",
}


@pytest.mark.parametrize("query", CALLED)
def test_things_are_found_by_what_people_call_them(query: str) -> None:
    assert found(build_index(map(entry, dict.fromkeys(CALLED.values()))), query) == [CALLED[query]]


PRICES = (entry("Fees and rates"), entry("Fees"), entry("Rates", kind=Kind.RATES), entry("Towns", kind=Kind.TOWN))
SOUGHT = {
    "fees rates": (["Fees and rates"], True),
    "fees unheard": (["Fees", "Fees and rates"], False),
    "town fees": (["Fees", "Fees and rates", "Towns"], False),
    "unheard": ([], False),
    "": ([], True),
}


@pytest.mark.parametrize("query", SOUGHT)
def test_finds_have_all_words_or_the_most_of_them(query: str) -> None:
    titles, whole = SOUGHT[query]
    answer = search(build_index(PRICES), query)
    assert ([each.title for each in answer.entries], answer.whole) == (titles, whole)


def test_empty_index_finds_nothing() -> None:
    assert search(build_index([]), "rates") == Found(entries=(), whole=False)


MARKED = {
    ("Is a lease long?", "lease"): ["lease"],
    ("Leasehold, and leases", "lease"): ["Leasehold", "leases"],
    ("Mortgage fees in Mort", "mort fees"): ["fees", "Mort"],
    ("First-time buyers", "time buyer"): ["time", "buyers"],
    ("A café’s rates", "CAFÉ"): ["café"],
    ("Buy to let", "to"): ["to"],
    ("Anything", ""): [],
}


@pytest.mark.parametrize(("title", "query"), MARKED)
def test_words_that_were_sought_are_marked(title: str, query: str) -> None:
    pieces = marked(title, query)
    assert "".join(piece.text for piece in pieces) == title
    assert [piece.text for piece in pieces if piece.marked] == MARKED[title, query]


def test_title_without_a_word_is_one_piece() -> None:
    assert marked("?", "a") == (Piece(text="?", marked=False),)
