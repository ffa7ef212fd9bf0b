"""The site search index as a JSON file for the browser, which `components/js/site_search.js` searches in."""

import json
from collections.abc import Mapping
from dataclasses import asdict
from itertools import groupby

from broker.domain.site_search import SearchIndex
from broker.presenters.site_search import KINDS, EntryGroup, EntryLink

STEP = 16
"""A posting is one integer: the distance from the previous entry times STEP, plus the weight."""


def entry_groups(index: SearchIndex) -> tuple[EntryGroup, ...]:
    """Return links to all entries by their kind."""
    return tuple(
        EntryGroup(
            kind=kind,
            heading=KINDS[kind],
            links=tuple(EntryLink(title=entry.title, href=entry.href) for entry in listed),
        )
        for kind, listed in groupby(index.entries, key=lambda entry: entry.kind)
    )


def search_file(index: SearchIndex) -> str:
    """Return the links by kind, the description of each, and the words with the postings of each, as JSON."""
    tables = {
        "groups": [asdict(group) for group in entry_groups(index)],
        "about": [entry.description for entry in index.entries],
        "words": " ".join(index.postings),
        "postings": [_packed(places) for places in index.postings.values()],
    }
    return json.dumps(tables, ensure_ascii=False, separators=(",", ":"))


def _packed(places: Mapping[int, int]) -> list[int]:
    order = sorted(places)
    return [(place - before) * STEP + places[place] for before, place in zip([0, *order], order, strict=False)]
