"""Finding a page of this site by words: what is looked through, and which finds come first.

The words of every entry are read once, when the site is built; a search only looks them up. The browser does the same
with the same tables (`broker.components.site_search`), and a test holds the two to the same answers.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from broker.domain.search_words import ALSO_CALLED, MIN_PLURAL_LENGTH, PLURALS, STOP_WORDS

TITLE, KEYWORDS, DESCRIPTION, TEXT = 8, 4, 2, 1
"""What a word weighs by where it stands."""

WHOLE_WORD = 2
"""How many times more the whole word weighs than the beginning of one."""

MAX_QUERY_LENGTH = 80
"""Most characters of a query; what is typed beyond them is not read."""

REPEATED = 3
"""How often a text must say a word to be about it: the word then weighs what one of a description does."""


class Kind(StrEnum):
    """What a find is, in the order in which equal finds stand."""

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
    """What can be found: its title and a line about it as results show them, and its address.

    `keywords` are its headings and other names, `text` all that it says; only their words are kept.
    """

    kind: Kind
    title: str
    href: str
    description: str
    keywords: tuple[str, ...] = ()
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchIndex:
    """Entries by kind, and for every word the places of the entries that have it, each with what the word weighs."""

    entries: tuple[Entry, ...]
    places: Mapping[str, Mapping[int, int]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What a search found, best first; `whole` where every find has all the words, not only most of them."""

    entries: tuple[Entry, ...]
    whole: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A piece of a title; `marked` where it is a word that was searched for."""

    text: str
    marked: bool


def raw_words(text: str) -> list[str]:
    """Return the words of a text in small letters without accents: `Buyers' £2,000` is `buyers`, `2000`."""
    parts = unicodedata.normalize("NFKD", text.lower())
    plain = "".join(each for each in parts if not unicodedata.category(each).startswith("M"))
    return re.findall("[a-z0-9]+", re.sub("([0-9]),(?=[0-9])", r"\1", re.sub("['’]", "", plain)))


@cache
def singular(word: str) -> str:
    """Return a word without the ending of a simple plural."""
    if len(word) >= MIN_PLURAL_LENGTH:
        for ending, instead in PLURALS:
            if word.endswith(ending):
                return word.removesuffix(ending) + instead
    return word


def content_words(text: str) -> list[str]:
    """Return the words of a text that tell something, plurals as singulars."""
    return [singular(word) for word in raw_words(text) if word not in STOP_WORDS]


@cache
def _names() -> tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]:
    return tuple((tuple(content_words(name)), tuple(content_words(others))) for name, others in ALSO_CALLED.items())


def with_other_names(words: Sequence[str]) -> list[str]:
    """Return the words, and behind them what else people call the things that are named there."""
    line = f" {' '.join(words)} "
    return [*words, *(other for name, others in _names() if f" {' '.join(name)} " in line for other in others)]


def build_index(entries: Iterable[Entry]) -> SearchIndex:
    """Return the index of entries, which it puts in the order of their kinds."""
    order = list(Kind)
    listed = tuple(sorted(entries, key=lambda entry: order.index(entry.kind)))
    places: defaultdict[str, dict[int, int]] = defaultdict(dict)
    for place, entry in enumerate(listed):
        for word, weight in _weights(entry).items():
            places[word][place] = weight
    return SearchIndex(entries=listed, places=dict(sorted(places.items())))


def _weights(entry: Entry) -> dict[str, int]:
    """Return what each word of an entry weighs: the most that it does anywhere."""
    said = Counter(content_words(entry.text))
    weights = {word: DESCRIPTION if times >= REPEATED else TEXT for word, times in said.items()}
    for weight, texts in ((DESCRIPTION, [entry.description]), (KEYWORDS, entry.keywords), (TITLE, [entry.title])):
        for text in texts:
            weights |= dict.fromkeys(with_other_names(content_words(text)), weight)
    return weights


def terms(query: str) -> tuple[str, ...]:
    """Return what is looked for, each word once; of a query of small words only, the last of them."""
    words = raw_words(query[:MAX_QUERY_LENGTH])
    return tuple(dict.fromkeys(word for word in words if word not in STOP_WORDS)) or tuple(words[-1:])


def fits(word: str, term: str, *, last: bool) -> int:
    """Return how well a word of the index fits a term: not at all (0), as its beginning (1), or wholly.

    Only the last term, which may not be typed to its end, is taken for a beginning.
    """
    if word == singular(term):
        return WHOLE_WORD
    return int(last and word.startswith((term, singular(term))))


def search(index: SearchIndex, query: str) -> Found:
    """Return the entries that have all words of a query, or where none has, those that have the most of them."""
    wanted = terms(query)
    counts: defaultdict[int, int] = defaultdict(int)
    scores: defaultdict[int, int] = defaultdict(int)
    for term in wanted:
        best: dict[int, int] = {}
        for word, places in index.places.items():
            if fit := fits(word, term, last=term == wanted[-1]):
                for place, weight in places.items():
                    best[place] = max(best.get(place, 0), weight * fit)
        for place, score in best.items():
            counts[place] += 1
            scores[place] += score
    most = max(counts.values(), default=0)
    found = sorted(
        (place for place, count in counts.items() if count == most),
        key=lambda place: (-scores[place], *_standing(index.entries[place]), place),
    )
    return Found(entries=tuple(index.entries[place] for place in found), whole=most == len(wanted))


def _standing(entry: Entry) -> tuple[int, int]:
    """Return how an entry stands among equal finds: by its kind, then the shorter title first."""
    return list(Kind).index(entry.kind), len(raw_words(entry.title))


def marked(title: str, query: str) -> tuple[Piece, ...]:
    """Return a title in pieces, those that a query asks for marked."""
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
