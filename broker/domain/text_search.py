"""Texts as a search compares them."""

import unicodedata

_LETTERS = str.maketrans(
    {"ł": "l", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i", "ħ": "h", "ŧ": "t", "ŋ": "n"}
)
"""Letters that Unicode does not take apart into a plain one and an accent."""


def without_accents(text: str) -> str:
    """Return a text without case and accents: `Łukasz Müller-Ståhl` is `lukasz muller-stahl`."""
    parts = unicodedata.normalize("NFKD", text.casefold())
    return "".join(sign for sign in parts if not unicodedata.combining(sign)).translate(_LETTERS)
