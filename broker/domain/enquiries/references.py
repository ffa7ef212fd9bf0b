"""The reference of an enquiry, easy to read, say and type: `HG-7K3M-Q2XD`."""

import re

SIGNS = "23456789CDFGHJKMNPQRTVWXY"
"""The alphabet of references: no characters that look alike, and no vowels, so that no words appear."""

LENGTH = 8
"""Characters of a reference: 25 to the 8th, 150 thousand million references."""

_PREFIX = "HG"
_MEANT = str.maketrans({"B": "8", "S": "5", "Z": "2", "U": "V"})
_FORM = re.compile(f"(?:{_PREFIX})?([{SIGNS}]{{{LENGTH}}})")


def format_reference(signs: str) -> str:
    """Return eight characters formatted as a reference."""
    return f"{_PREFIX}-{signs[:4]}-{signs[4:]}"


def parse_reference(text: object) -> str:
    """Return a typed reference in its standard format, empty for anything else.

    Lower case, spaces and dashes are accepted, and letters that look like a digit are replaced by it.
    """
    typed = text.upper() if isinstance(text, str) and len(text) <= 40 else ""
    found = _FORM.fullmatch(re.sub(r"[\s.\-‐‑–—]", "", typed).translate(_MEANT))
    return format_reference(found[1]) if found else ""
