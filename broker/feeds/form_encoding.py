"""Form bodies as the original site sends them: lower-case booleans, lists by numbered keys, as PHP expects."""

from collections.abc import Mapping, Sequence
from urllib.parse import urlencode

FORM_TYPE = "application/x-www-form-urlencoded"


def encode_form(fields: Mapping[str, str | int | bool]) -> bytes:
    """Return fields as a form body, in order; booleans as `true` and `false`."""
    return urlencode({name: _text(value) for name, value in fields.items()}).encode("ascii")


def encode_form_list(items: Sequence[Mapping[str, str | int | bool]]) -> bytes:
    """Return a list as a form body: `0[lenderId]=75&0[value]=...&1[lenderId]=...`, brackets percent-encoded."""
    return encode_form({f"{place}[{name}]": value for place, item in enumerate(items) for name, value in item.items()})


def _text(value: str | int | bool) -> str:
    """Return a value as text; PHP takes any text but a lower-case `false` for true."""
    return str(value).lower() if isinstance(value, bool) else str(value)
