"""Daily counts as the owner sees them."""

from collections.abc import Iterable
from datetime import date

import pandas as pd

MIN_SHOWN = 5
"""A smaller count is not shown, since it may tell of one visitor; nor does it go into a sum that is shown."""

FEW = f"under {MIN_SHOWN}"


def shown_counts(rows: Iterable[tuple[date, str, int]]) -> pd.DataFrame:
    """Return a table of day, kind and count, with a missing value for each count below MIN_SHOWN."""
    table = pd.DataFrame(list(rows), columns=["day", "kind", "count"]).astype({"count": "Int64"})
    return table.assign(count=table["count"].mask(table["count"] < MIN_SHOWN))
