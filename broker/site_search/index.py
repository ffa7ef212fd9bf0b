"""Search of this site: an inverted index of its pages, and the ranking of results.

The edge makes the index when it is first asked for. The browser searches the same tables
(`broker.pages.site.search`); a test compares the two.
"""

import re
import unicodedata
from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, partial

_SMALL = (
    "a about am an and any are as at be been by can could do does for from get had has have how i if in into is it its"
    " me my no not of on or our should so than that the their them then there these they this to was we were what when"
    " where which who why will with would you your"
)

STOP_WORDS = frozenset(_SMALL.split())
"""Words that are too common to search for."""

PLURALS = (
    ("ss", "ss"),
    ("us", "us"),
    ("is", "is"),
    ("xes", "x"),
    ("ches", "ch"),
    ("shes", "sh"),
    ("sses", "ss"),
    ("ies", "y"),
    ("ie", "y"),
    ("s", ""),
)
"""Plural endings and their replacements; the first match is used, and the first three leave a singular unchanged."""

MIN_PLURAL_LENGTH = 4
"""Letters from which a word may be a plural: `gas` is not the plural of `ga`."""

MIN_PART_LENGTH, MIN_SLIP_LENGTH = 3, 5
"""Letters from which a word may be part of a joined one, and from which it may be misspelt by a letter."""

SYNONYMS: dict[str, str] = {
    "agreement in principle": "AIP DIP MIP decision promise certificate",
    "adviser": "advisor IFA",
    "annual percentage rate of charge": "APRC APR",
    "arrears": "missed behind",
    "bad credit": "adverse poor CCJ default IVA bankrupt",
    "buy to let": "BTL landlord rental",
    "completion": "complete",
    "conveyancing": "conveyancer solicitor legal",
    "conveyancer": "solicitor",
    "credit score": "rating history report Experian Equifax TransUnion bad adverse CCJ default",
    "early repayment charge": "ERC penalty exit",
    "energy performance certificate": "EPC",
    "EPC": "energy",
    "equity release": "lifetime home reversion later life",
    "first time buyer": "FTB",
    "gifted deposit": "gift parents family bank mum dad",
    "guarantor": "guarantee springboard JBSP",
    "help if you cannot pay": "arrears repossession repossess struggling hardship",
    "home mover": "moving house",
    "how we are paid": "commission procuration fee",
    "income protection": "IP sickness sick",
    "interest only": "IO",
    "joint mortgage": "couple partner JBSP",
    "let to buy": "LTB",
    "life insurance": "life assurance cover",
    "lifetime ISA": "LISA",
    "limited company": "SPV",
    "loan to value": "LTV",
    "moving home": "house mover",
    "new build": "NHBC developer",
    "offset": "linked savings",
    "overpaying": "overpay overpayment early",
    "overpayment": "overpay overpaying early",
    "porting": "port move",
    "product transfer": "switch PT",
    "property tax": "stamp duty SDLT LBTT LTT",
    "remortgage": "refinance remortgaging switch",
    "remortgaging": "refinance remortgage switch",
    "retirement interest only": "RIO older pensioner",
    "self employed": "sole trader freelance SA302",
    "self assessment": "SA302",
    "shared ownership": "part buy rent staircase",
    "stamp duty": "SDLT LBTT LTT tax",
    "standard variable rate": "SVR",
    "survey": "surveyor valuation RICS",
    "true cost": "total",
}
"""Words that visitors type for a term of the site. A page with the term is found by each of the words.

Terms are matched without stop words, plurals as singulars.
"""


_LETTERS = str.maketrans(
    {"ł": "l", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i", "ħ": "h", "ŧ": "t", "ŋ": "n"}
)
"""Letters that Unicode does not take apart into a plain one and an accent."""


def without_accents(text: str) -> str:
    """Return a text without case and accents: `Łukasz Müller-Ståhl` is `lukasz muller-stahl`."""
    parts = unicodedata.normalize("NFKD", text.casefold())
    return "".join(sign for sign in parts if not unicodedata.combining(sign)).translate(_LETTERS)


TITLE, KEYWORDS, DESCRIPTION, TEXT = 8, 4, 2, 1
"""Weight of a word by the field it is in."""

WHOLE_WORD = 2
"""Factor for a whole word over the beginning of one."""

MAX_QUERY_LENGTH = 80
"""Characters of a query that are read."""

MAX_JOINED_LENGTH = 30
"""Letters of the longest word that is read as several: `stampduty`."""

REPEATED = 3
"""Occurrences from which a word of a text weighs as much as one of a description."""

STEP = 16
"""A posting is one integer: the place of an entry times STEP, plus the weight of the word there."""


class Kind(StrEnum):
    """The kind of a result; results of equal score are in this order."""

    SERVICE = "Service"
    CALCULATOR = "Calculator"
    GUIDE = "Guide"
    RATES = "Rates"
    PAGE = "Page"
    TOWN = "Town"
    LENDER = "Lender"
    QUESTION = "Question"


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A page or part of one: title and description as results show them, and its address.

    `keywords` are its headings and other names, `text` returns its whole text; the index has only their words.
    """

    kind: Kind
    title: str
    href: str
    description: str
    keywords: tuple[str, ...] = ()
    text: Callable[[], str] = str


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchIndex:
    """Entries by kind, and postings: for every word those of its entries, in their order."""

    entries: tuple[Entry, ...]
    postings: Mapping[str, Sequence[int]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """Results, best first; `whole` if every result has all the words.

    `instead` are the words that replaced those typed, where the index has not all of them; else empty.
    """

    entries: tuple[Entry, ...]
    whole: bool
    instead: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A part of a title; `marked` if it is a word of the query."""

    text: str
    marked: bool


def raw_words(text: str) -> list[str]:
    """Return the words of a text in lower case without accents: `Buyers' £2,000` is `buyers`, `2000`."""
    plain = unicodedata.normalize("NFKD", text.lower()).replace("'", "").replace("’", "")
    for letter in set(plain):
        if unicodedata.category(letter).startswith("M"):
            plain = plain.replace(letter, "")
    return re.findall("[a-z0-9]+", re.sub("(?<=[0-9]),(?=[0-9])", "", plain))


@cache
def singular(word: str) -> str:
    """Return the singular of a simple plural; other words as they are."""
    if len(word) >= MIN_PLURAL_LENGTH:
        for ending, instead in PLURALS:
            if word.endswith(ending):
                return word.removesuffix(ending) + instead
    return word


def content_words(text: str) -> list[str]:
    """Return the words of a text without stop words, plurals as singulars."""
    return [singular(word) for word in raw_words(text) if word not in STOP_WORDS]


@cache
def _names() -> tuple[tuple[str, tuple[str, ...]], ...]:
    return tuple(
        (f" {' '.join(content_words(name))} ", tuple(content_words(others))) for name, others in SYNONYMS.items()
    )


def with_synonyms(words: Sequence[str]) -> list[str]:
    """Return the words, followed by synonyms of the terms in them."""
    line = f" {' '.join(words)} "
    return [*words, *(other for name, others in _names() if name in line for other in others)]


def build_index(entries: Iterable[Entry]) -> SearchIndex:
    """Return the index of entries, sorted by kind; of their texts, one at a time is in memory."""
    order = list(Kind)
    listed = tuple(sorted(entries, key=lambda entry: order.index(entry.kind)))
    postings: defaultdict[str, array[int]] = defaultdict(partial(array, "I"))
    for place, entry in enumerate(listed):
        for word, weight in _weights(entry).items():
            postings[word].append(place * STEP + weight)
    return SearchIndex(entries=listed, postings=dict(sorted(postings.items())))


def _weights(entry: Entry) -> dict[str, int]:
    """Return the weight of each word of an entry: the highest of its fields."""
    said = Counter(content_words(entry.text()))
    weights = {word: DESCRIPTION if times >= REPEATED else TEXT for word, times in said.items()}
    for weight, texts in ((DESCRIPTION, [entry.description]), (KEYWORDS, entry.keywords), (TITLE, [entry.title])):
        for text in texts:
            weights |= dict.fromkeys(with_synonyms(content_words(text)), weight)
    return weights


def terms(query: str) -> tuple[str, ...]:
    """Return the words to look for, each once; the last word of a query of stop words only."""
    words = raw_words(query[:MAX_QUERY_LENGTH])
    return tuple(dict.fromkeys(word for word in words if word not in STOP_WORDS)) or tuple(words[-1:])


def fits(word: str, term: str, *, last: bool) -> int:
    """Return how well a word of the index matches a term: 0, 1 for a prefix, or `WHOLE_WORD`.

    Only the last term, which may still be incomplete, matches as a prefix.
    """
    if word == singular(term):
        return WHOLE_WORD
    return int(last and word.startswith((term, singular(term))))


def corrected(postings: Mapping[str, Sequence[int]], term: str, *, last: bool) -> tuple[str, ...]:
    """Return a term that the index has; for another the words that it joins, or the one that it misspells by a letter.

    Of several such words it is the one of most entries.
    """
    if any(fits(word, term, last=last) for word in postings):
        return (term,)
    if parts := _parts(postings, term[:MAX_JOINED_LENGTH]):
        return parts
    slips = (word for word in postings if is_slip(word, singular(term)))
    return (min(slips, key=lambda word: (-len(postings[word]), word), default=term),)


def _parts(postings: Mapping[str, Sequence[int]], text: str) -> tuple[str, ...]:
    """Return the words of the index that a text joins, with stop words between them left out; empty for none."""
    if len(text) >= MIN_PART_LENGTH and singular(text) in postings:
        return (text,)
    for end in range(len(text) - MIN_PART_LENGTH, 1, -1):
        head = text[:end]
        is_part = end >= MIN_PART_LENGTH and singular(head) in postings
        if (is_part or head in STOP_WORDS) and (rest := _parts(postings, text[end:])):
            return (head, *rest) if is_part else rest
    return ()


def is_slip(word: str, typed: str) -> bool:
    """Return whether a word was typed with a letter too many, too few or wrong, or with two swapped; not the first."""
    if min(len(word), len(typed)) < MIN_SLIP_LENGTH or word[0] != typed[0]:
        return False
    pairs = enumerate(zip(word, typed, strict=False))
    same = next((at for at, (one, other) in pairs if one != other), min(len(word), len(typed)))
    wanted, given = word[same:], typed[same:]
    is_swapped = wanted[:2] == given[:2][::-1] and wanted[2:] == given[2:]
    return is_swapped or wanted[1:] in (given, given[1:]) or wanted == given[1:]


def search(index: SearchIndex, query: str) -> Found:
    """Return the entries with all words of a query, or if there is none, those with the most of them."""
    typed = terms(query)
    read = (corrected(index.postings, term, last=term == typed[-1]) for term in typed)
    wanted = tuple(dict.fromkeys(word for words in read for word in words))
    counts: defaultdict[int, int] = defaultdict(int)
    scores: defaultdict[int, int] = defaultdict(int)
    for term in wanted:
        best: dict[int, int] = {}
        for word, posting in index.postings.items():
            if fit := fits(word, term, last=term == wanted[-1]):
                for each in posting:
                    place, weight = divmod(each, STEP)
                    best[place] = max(best.get(place, 0), weight * fit)
        for place, score in best.items():
            counts[place] += 1
            scores[place] += score
    most = max(counts.values(), default=0)
    found = sorted(
        (place for place, count in counts.items() if count == most),
        key=lambda place: (-scores[place], *_tie_break(index.entries[place]), place),
    )
    entries = tuple(index.entries[place] for place in found)
    return Found(entries=entries, whole=most == len(wanted), instead="" if wanted == typed else " ".join(wanted))


def _tie_break(entry: Entry) -> tuple[int, int]:
    """Return the sort key among equal scores: kind, then length of the title."""
    return list(Kind).index(entry.kind), len(raw_words(entry.title))


def marked(title: str, query: str) -> tuple[Piece, ...]:
    """Return a title in parts, with the words of a query marked."""
    wanted = terms(query)
    pieces = re.split("([A-Za-z0-9\u00c0-\u024f]+)", title)
    return tuple(
        Piece(text=text, marked=place % 2 == 1 and _is_wanted(text, wanted))
        for place, text in enumerate(pieces)
        if text
    )


def _is_wanted(text: str, wanted: Sequence[str]) -> bool:
    words = [singular(word) for word in raw_words(text)]
    return any(fits(word, term, last=term == wanted[-1]) for word in words for term in wanted)
