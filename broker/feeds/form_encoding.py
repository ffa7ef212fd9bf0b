"""Form bodies as the original site sends them: lower-case true and false, lists by numbered keys (facts of PHP)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from urllib.parse import urlencode

FORM = "application/x-www-form-urlencoded"


def encoded(fields: Mapping[str, str | int | bool]) -> bytes:
    """Return fields as a form body, in their order; True and False as `true` and `false`."""
    return urlencode({name: _text(value) for name, value in fields.items()}).encode("ascii")


def encode_form_list(items: Sequence[Mapping[str, str | int | bool]]) -> bytes:
    """Return a list as a form body: `0[lenderId]=75&0[value]=...&1[lenderId]=...`, brackets percent-encoded."""
    return encoded({f"{place}[{name}]": value for place, item in enumerate(items) for name, value in item.items()})


def _text(value: str | int | bool) -> str:
    """Write a value; PHP takes every text but the lower-case `false` for true."""
    return str(value).lower() if isinstance(value, bool) else str(value)
