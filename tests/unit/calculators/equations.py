"""Sums in the words of a working, typed into a pocket calculator."""

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

_NUMBER = r"£?[0-9]+(?:,[0-9]{3})*(?:\.[0-9]+)?%?"
_TERM = rf"\(*{_NUMBER}(?: [a-z][a-z ]*?)?\)?"
_SUM = re.compile(rf"({_TERM}(?: (?:[+−x/]|of|at) {_TERM})+) = ({_NUMBER})(, rounded down)?")
_WORDS = re.compile(r"\b(?!of\b|at\b|x\b)[a-z]+\b")
_SIGNS = {"−": "-", "x": "*", "of": "*", "at": "*", "£": ""}
_FIGURE = re.compile(r"[0-9][0-9,]*(?:\.[0-9]+)?")

_ROUNDING = Decimal("0.00001")
"""The part of the last digit that is taken for a rounding error."""


def sums_in(text: Any) -> Iterator[tuple[str, str, bool]]:
    """Yield the sums of a text: what is worked out, the result as printed, and whether it says "rounded down"."""
    yield from ((found[1], found[2], bool(found[3])) for found in _SUM.finditer(str(text)))


def is_right(worked: str, result: str, is_down: bool) -> bool:
    """Return whether a pocket calculator shows the result, rounded to the digits that are printed."""
    written = _FIGURE.sub(lambda one: f"Decimal('{one[0].replace(',', '')}')", _WORDS.sub("", worked))
    for sign, code in _SIGNS.items():
        written = written.replace(sign, code)
    is_share = result.endswith("%") and "£" in worked
    share = "*Decimal('0.01')" if is_share or not result.endswith("%") else ""
    exact = eval(written.replace("%", share), {"Decimal": Decimal})
    if is_share and "100" not in worked.split(" "):
        exact *= 100
    shown = Decimal(result.strip("£%").replace(",", ""))
    off = (exact - shown) / Decimal(1).scaleb(int(shown.as_tuple().exponent))
    return -_ROUNDING <= off < 1 if is_down else abs(off) <= Decimal("0.5") + _ROUNDING
