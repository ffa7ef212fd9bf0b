"""How much two texts have in common, in runs of eight words."""

import re
from collections.abc import Mapping
from itertools import combinations

RUN = 8

Runs = frozenset[tuple[str, ...]]


def runs(html: str) -> Runs:
    """Return every run of eight words that a reader sees, in lower case and without marks."""
    seen = re.findall(r"[a-z0-9£%]+", re.sub(r"<[^>]+>", " ", html).lower())
    return frozenset(tuple(seen[at : at + RUN]) for at in range(len(seen) - RUN + 1))


def alike(texts: Mapping[str, str], most: float) -> list[tuple[str, str, float]]:
    """Return each two texts of which the shorter shares more than a part of its runs, with that part."""
    found = {name: runs(html) for name, html in texts.items()}
    shares = {
        (one, other): len(found[one] & found[other]) / min(len(found[one]), len(found[other]))
        for one, other in combinations(found, 2)
    }
    return [(*pair, round(share, 3)) for pair, share in shares.items() if share > most]
