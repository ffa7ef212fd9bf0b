"""Frames of made-up rows for the tests of figures."""

from collections.abc import Iterable, Mapping
from datetime import date, datetime
from typing import Any

import pandas as pd

from broker.clock import UK
from broker.figures.figures import Frames, merged

NOW = datetime(2026, 11, 26, 6, tzinfo=UK)
"""A Thursday; its week began on 23 November."""

CASE: Mapping[str, Any] = {
    "number": 1,
    "created": NOW,
    "source": "rates",
    "page": "/rates/",
    "service": "remortgage",
    "adviser": "ada",
    "call_by": pd.NaT,
    "first_call_at": pd.NaT,
    "stage": "enquiry",
    "stage_since": NOW,
    "amount": None,
    "deal_ends": None,
    "is_open": True,
    "merged_into": None,
}
_TIMES = ("created", "call_by", "first_call_at", "stage_since", "at", "starts")


def at(text: str) -> datetime:
    """Return a UK time: `2026-11-26 09:30`."""
    return datetime.fromisoformat(text).replace(tzinfo=UK)


def _frame(columns: Iterable[str], rows: Iterable[Mapping[str, Any]]) -> pd.DataFrame:
    table = pd.DataFrame(list(rows), columns=list(columns))
    return table.assign(**{name: pd.to_datetime(table[name], utc=True) for name in table.columns if name in _TIMES})


def frames(
    *,
    cases: Iterable[Mapping[str, Any]] = (),
    outcomes: Iterable[Mapping[str, Any]] = (),
    stages: Iterable[Mapping[str, Any]] = (),
    appointments: Iterable[Mapping[str, Any]] = (),
    slots: Iterable[Mapping[str, Any]] = (),
    counts: Iterable[tuple[date, str, int]] = (),
    watches: Iterable[date] = (),
    accounts: Iterable[str] = (),
) -> Frames:
    """Return frames of rows; a case takes what it does not say from `CASE`, numbered in order."""
    numbered = [{**CASE, "number": number, **case} for number, case in enumerate(cases, 1)]
    found = _frame(CASE, numbered)
    read = Frames(
        cases=found.astype({"is_open": bool, "amount": "Float64"}),
        outcomes=_frame(("number", "at", "adviser", "outcome"), outcomes),
        stages=_frame(("number", "at", "stage"), stages),
        appointments=_frame(("number", "adviser", "created", "starts", "state"), appointments),
        slots=_frame(("adviser", "starts"), slots),
        counts=pd.DataFrame(list(counts), columns=["day", "kind", "count"]),
        watches=pd.DataFrame({"deal_ends": list(watches)}),
        advisers=tuple(accounts),
    )
    return merged(read)
