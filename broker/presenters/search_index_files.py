"""The site search index as two JSON files for the browser.

`ENTRIES` is bundled with the search page; `WORDS` is fetched after the page has loaded.
"""

import json
from collections.abc import Mapping
from itertools import groupby

from broker.domain.site_search import SearchIndex

ENTRIES, WORDS = "utils/site_entries.json", "utils/site_words.json"
"""Paths of the two files in Reflex's web folder."""

STEP = 16
"""A posting is one integer: the distance from the previous entry times STEP, plus the weight."""


def search_files(index: SearchIndex) -> dict[str, str]:
    """Return both files by path, as JSON text: entries by kind, and their descriptions with the postings of words."""
    by_kind = groupby(index.entries, key=lambda entry: entry.kind)
    entries = [(kind, [(entry.title, entry.href) for entry in listed]) for kind, listed in by_kind]
    words = {
        "about": [entry.description for entry in index.entries],
        "words": {word: _packed(places) for word, places in index.postings.items()},
    }
    return {name: json.dumps(what, separators=(",", ":")) for name, what in ((ENTRIES, entries), (WORDS, words))}


def _packed(places: Mapping[int, int]) -> list[int]:
    order = sorted(places)
    return [(place - before) * STEP + places[place] for before, place in zip([0, *order], order, strict=False)]
