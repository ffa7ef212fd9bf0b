"""The index of the site search: an inverted index of its pages, which `js/site_search.js` searches in the browser."""

import re
import unicodedata
from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, partial

_STOP_WORDS = (
    "a about am an and any are as at be been by can could do does for from get had has have how i if in into is it its"
    " me my no not of on or our should so than that the their them then there these they this to was we were what when"
    " where which who why will with would you your"
)

STOP_WORDS = frozenset(_STOP_WORDS.split())
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

_SYNONYMS: dict[str, str] = {
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
"""Words that visitors type for a term of the site: each finds a page with the term.

Terms are matched without stop words, plurals as singulars.
"""

_LETTERS = str.maketrans(
    {"ł": "l", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i", "ħ": "h", "ŧ": "t", "ŋ": "n"}
)
"""Letters that Unicode does not decompose into a plain one and an accent."""


def without_accents(text: str) -> str:
    """Return a text without case and accents: `Łukasz Müller-Ståhl` is `lukasz muller-stahl`."""
    parts = unicodedata.normalize("NFKD", text.casefold())
    return "".join(sign for sign in parts if not unicodedata.combining(sign)).translate(_LETTERS)


TITLE, _KEYWORDS, DESCRIPTION, TEXT = 8, 4, 2, 1
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


def _content_words(text: str) -> list[str]:
    """Return the words of a text without stop words, plurals as singulars."""
    return [singular(word) for word in raw_words(text) if word not in STOP_WORDS]


@cache
def _synonyms() -> tuple[tuple[str, tuple[str, ...]], ...]:
    return tuple(
        (f" {' '.join(_content_words(name))} ", tuple(_content_words(others))) for name, others in _SYNONYMS.items()
    )


def _with_synonyms(words: Sequence[str]) -> list[str]:
    """Return the words, followed by synonyms of the terms in them."""
    line = f" {' '.join(words)} "
    return [*words, *(other for name, others in _synonyms() if name in line for other in others)]


def build_index(entries: Iterable[Entry]) -> SearchIndex:
    """Return the index of entries, sorted by kind; one of their texts at a time is in memory."""
    order = list(Kind)
    listed = tuple(sorted(entries, key=lambda entry: order.index(entry.kind)))
    postings: defaultdict[str, array[int]] = defaultdict(partial(array, "I"))
    for place, entry in enumerate(listed):
        for word, weight in _weights(entry).items():
            postings[word].append(place * STEP + weight)
    return SearchIndex(entries=listed, postings=dict(sorted(postings.items())))


def _weights(entry: Entry) -> dict[str, int]:
    """Return the weight of each word of an entry: the highest of its fields."""
    counts = Counter(_content_words(entry.text()))
    weights = {word: DESCRIPTION if count >= REPEATED else TEXT for word, count in counts.items()}
    for weight, texts in ((DESCRIPTION, [entry.description]), (_KEYWORDS, entry.keywords), (TITLE, [entry.title])):
        for text in texts:
            weights |= dict.fromkeys(_with_synonyms(_content_words(text)), weight)
    return weights
