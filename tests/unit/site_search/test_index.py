import pytest

from broker.site_search.index import MAX_QUERY_LENGTH, Entry, Kind, SearchIndex, build_index, raw_words, singular
from broker.site_search.view import Piece
from tests.search_reference import Found, marked, search, terms


def entry(
    title: str, *, kind: Kind = Kind.GUIDE, keywords: tuple[str, ...] = (), description: str = "", text: str = ""
) -> Entry:
    return Entry(kind=kind, title=title, href="/", keywords=keywords, description=description, text=lambda: text)


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


SINGULARS = {"mortgages": "mortgage", "properties": "property", "companies": "company", "companie": "company"}
SINGULARS |= {"taxes": "tax", "churches": "church", "houses": "house", "fees": "fee", "isas": "isa"}
SINGULARS |= {word: word for word in ("loss", "bonus", "basis", "gas", "rate")}


TERMS = {
    "How much can I borrow?": ("much", "borrow"),
    "rates, rates and Rates": ("rates",),
    "what is it": ("it",),
    "LTV": ("ltv",),
    "": (),
    "?!": (),
    "x" * (MAX_QUERY_LENGTH - 1) + " late": ("x" * (MAX_QUERY_LENGTH - 1),),
}


def test_words_are_normalised_in_each_step() -> None:
    """Case, accents and punctuation go first, then simple plurals, then small words and repeats."""
    assert {text: raw_words(text) for text in WORDS} == WORDS
    assert {word: singular(word) for word in SINGULARS} == SINGULARS
    assert {query: terms(query) for query in TERMS} == TERMS


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


def test_last_word_alone_may_be_a_prefix_and_weighs_less_than_a_whole_word() -> None:
    assert found(build_index([entry("Leasehold"), entry("Lease")]), "lease") == ["Lease", "Leasehold"]
    index = build_index([entry("Overpaying a mortgage"), entry("Mortgage fees")])
    assert found(index, "mortgage over") == ["Overpaying a mortgage"]
    assert found(index, "ove mortgage") == ["Mortgage fees", "Overpaying a mortgage"]


def test_equal_finds_stand_by_kind_then_by_length_of_title_then_as_listed() -> None:
    entries = [entry("Rate now", kind=Kind.QUESTION), entry("Rate two"), entry("Rate one"), entry("Rate")]
    index = build_index([*entries, entry("Rate here", kind=Kind.SERVICE)])
    assert found(index, "rate") == ["Rate here", "Rate", "Rate two", "Rate one", "Rate now"]


CALLED = {
    "Buy-to-let mortgages": "BTL, landlord",
    "What is an agreement in principle?": "aip, DIP, decision in principle",
    "Early repayment charges explained": "ERC",
    "What is loan to value?": "ltv",
    "Stamp duty": "SDLT, LTT",
    "The standard variable rate": "svr",
    "Speak to an adviser": "advisor",
    "First-time buyers": "FTB",
    "Overpaying": "overpay",
    "Energy performance certificates": "EPC",
}


@pytest.mark.parametrize(("title", "queries"), CALLED.items())
def test_things_are_found_by_what_people_call_them(title: str, queries: str) -> None:
    index = build_index(map(entry, CALLED))
    assert [found(index, query) for query in queries.split(", ")] == [[title] for _ in queries.split(", ")]


MEANT = {
    "stampduty": ("Stamp duty", "stamp duty"),
    "remorgage": ("Remortgaging", "remortgage"),
    "Remorgages": ("Remortgaging", "remortgage"),
    "buytolet": ("Buy to let", "buy let"),
    "firsttimebuyers": ("First-time buyers", "first time buyers"),
}
UNKNOWN = ("emortgage", "remrgage", "remo rgage", "x" * 80, "to" * 40, "1234567")


def test_joined_and_misspelt_words_are_read_as_those_meant() -> None:
    index = build_index([entry("Stamp duty"), entry("Remortgaging"), entry("Buy to let"), entry("First-time buyers")])
    for query, (title, instead) in MEANT.items():
        answer = search(index, query)
        assert ([each.title for each in answer.entries], answer.instead) == ([title], instead), query
    assert {query: search(index, query).instead for query in UNKNOWN} == dict.fromkeys(UNKNOWN, "")


PRICES = (entry("Fees and rates"), entry("Fees"), entry("Rates", kind=Kind.RATES), entry("Towns", kind=Kind.TOWN))
SOUGHT = {
    "fees rates": (["Fees and rates"], True),
    "fees unheard": (["Fees", "Fees and rates"], False),
    "town fees": (["Fees", "Fees and rates", "Towns"], False),
    "unheard": ([], False),
    "": ([], True),
}


def test_finds_have_all_words_or_the_most_of_them() -> None:
    answers = {query: search(build_index(PRICES), query) for query in SOUGHT}
    found = {query: ([each.title for each in answer.entries], answer.whole) for query, answer in answers.items()}
    assert found == SOUGHT
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


def test_words_of_the_query_are_marked() -> None:
    for (title, query), words in MARKED.items():
        pieces = marked(title, query)
        assert "".join(piece.text for piece in pieces) == title
        assert [piece.text for piece in pieces if piece.marked] == words, (title, query)
    assert marked("?", "a") == (Piece(text="?", marked=False),)
