"""The index of the search of this site as files: what its page shows of every entry, and what only a search needs.

The first is part of the page's script, and its list stands in the page; the second is fetched once the page stands.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import groupby

from broker.domain.site_search import SearchIndex

ENTRIES, WORDS = "utils/site_entries.json", "utils/site_words.json"
"""Where the two stand among the sources that the browser's scripts are made from."""

STEP = 16
"""A place and a weight are one number: how many places after the one before, sixteenfold, and the weight."""


def search_files(index: SearchIndex) -> dict[str, str]:
    """Return the two files by name, in JSON.

    `ENTRIES` has for each kind its name and the title and address of its entries; `WORDS` has the line about every
    entry, in the same order, and for every word its places with their weights.
    """
    by_kind = groupby(index.entries, key=lambda entry: entry.kind)
    entries = [(kind, [(entry.title, entry.href) for entry in listed]) for kind, listed in by_kind]
    words = {
        "about": [entry.description for entry in index.entries],
        "words": {word: _packed(places) for word, places in index.places.items()},
    }
    return {name: json.dumps(what, separators=(",", ":")) for name, what in ((ENTRIES, entries), (WORDS, words))}


def _packed(places: Mapping[int, int]) -> list[int]:
    order = sorted(places)
    return [(place - before) * STEP + places[place] for before, place in zip([0, *order], order, strict=False)]
