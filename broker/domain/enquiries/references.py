"""The reference of an enquiry, as a visitor reads it, says it on the telephone and types it: `HG-7K3M-Q2XD`."""

from __future__ import annotations

import re

SIGNS = "23456789CDFGHJKMNPQRTVWXY"
"""What a reference is made of: no signs that look alike, and no vowels, so that no words come of it."""

LENGTH = 8
"""Signs of a reference: 25 to the 8th, 150 thousand million of them."""

_PREFIX = "HG"
_MEANT = str.maketrans({"B": "8", "S": "5", "Z": "2", "U": "V"})
_FORM = re.compile(f"(?:{_PREFIX})?([{SIGNS}]{{{LENGTH}}})")


def format_reference(signs: str) -> str:
    """Return eight signs as a reference is written."""
    return f"{_PREFIX}-{signs[:4]}-{signs[4:]}"


def parse_reference(text: object) -> str:
    """Return the reference that somebody typed, empty where it is none.

    Small letters, blanks and dashes do no harm, nor does a letter that is taken for the figure it looks like.
    """
    typed = text.upper() if isinstance(text, str) and len(text) <= 40 else ""
    found = _FORM.fullmatch(re.sub(r"[\s.\-‐‑–—]", "", typed).translate(_MEANT))
    return format_reference(found[1]) if found else ""
