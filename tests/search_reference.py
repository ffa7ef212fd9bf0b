"""The search of the site in Python, which `js/site_search.js` is compared with."""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from broker.site_search.index import (
    MAX_JOINED_LENGTH,
    MAX_QUERY_LENGTH,
    MIN_PART_LENGTH,
    MIN_SLIP_LENGTH,
    STEP,
    STOP_WORDS,
    WHOLE_WORD,
    Entry,
    Kind,
    SearchIndex,
    raw_words,
    singular,
)
from broker.site_search.view import Piece


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """Results, best first; `whole` if every result has all the words.

    `instead` are the words that replaced those typed, where the index has not all of them; else empty.
    """

    entries: tuple[Entry, ...]
    whole: bool
    instead: str = ""


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
