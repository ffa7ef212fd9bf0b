"""The site search index as a JSON file for the browser, which `components/js/site_search.js` searches in."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from itertools import groupby, pairwise
from typing import Any

from broker.domain.site_search import STEP, SearchIndex
from broker.presenters.site_search import KINDS, EntryGroup, EntryLink


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


def search_file(index: SearchIndex) -> bytes:
    """Return the links by kind, the description of each, and the words with the postings of each, as JSON.

    A posting counts the place of its entry from that of the posting before.
    """
    tables = {
        "groups": [asdict(group) for group in entry_groups(index)],
        "about": [entry.description for entry in index.entries],
        "words": " ".join(index.postings),
    }
    # one word at a time: of millions of postings at once, the encoder would hold each as a text
    postings = b",".join(_json(_distances(each)) for each in index.postings.values())
    return b"".join((_json(tables).removesuffix(b"}"), b',"postings":[', postings, b"]}"))


def _distances(postings: Sequence[int]) -> list[int]:
    return [each - before // STEP * STEP for before, each in pairwise((0, *postings))]


def _json(tree: Any) -> bytes:
    return json.dumps(tree, ensure_ascii=False, separators=(",", ":")).encode()
