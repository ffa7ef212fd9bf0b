"""Windows that show loans to value in a text, written as a fenced block of `ltv` with a line for each.

    ```ltv What the bank lends, and what is yours
    10% deposit: 90
    With the gift: 85.5%
    ```

The words after `ltv` are the caption. The drawing is decoration: the figures stand beside it in words.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from markdown_it.token import Token
from markupsafe import Markup

from broker.components.drawings.fanlight import fanlight

NAME = "ltv"
"""First word after the fence."""

MAX_WINDOWS = 6

CAPTION = "The lit part of each window is the share of the value that is borrowed: the loan to value."

_LINE = re.compile(r"(?P<label>.{1,60}?):\s*(?P<percent>\d{1,3}(?:\.\d+)?)%?")
_FIGURE = Markup('<figure class="windows"><ul>{}</ul><figcaption>{}</figcaption></figure>\n')
_WINDOW = Markup("<li>{}<b>{}%</b> {}</li>")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Window:
    label: str
    percent: str
    """As written, without its sign."""


def is_drawing(token: Token) -> bool:
    return token.type == "fence" and token.info.split(maxsplit=1)[:1] == [NAME]


def draw(token: Token) -> str:
    """Return the figure of a block; a line with a fault is left out."""
    windows = (window for line in _lines(token) if (window := _read(line)))
    caption = token.info.strip().removeprefix(NAME).strip() or CAPTION
    drawn = (_WINDOW.format(Markup(fanlight(float(each.percent))), each.percent, each.label) for each in windows)
    return _FIGURE.format(Markup("").join(drawn), caption)


def faults(tokens: Sequence[Token]) -> Iterator[tuple[int, str]]:
    """Return what is wrong with the blocks of a text, each with the number of its line from 1."""
    for token in filter(is_drawing, tokens):
        first = (token.map or [0])[0] + 1
        lines = _lines(token)
        if not 1 <= len(lines) <= MAX_WINDOWS:
            yield first, f"a block of {NAME} has {len(lines)} lines; 1 to {MAX_WINDOWS} fit"
        for number, line in enumerate(lines, first + 1):
            if not _read(line):
                yield number, f"{line!r} must be a label, a colon and a percentage from 0 to 100, as in 10% deposit: 90"


def _lines(token: Token) -> list[str]:
    return token.content.splitlines()


def _read(line: str) -> _Window | None:
    found = _LINE.fullmatch(line.strip())
    return _Window(**found.groupdict()) if found and float(found["percent"]) <= 100 else None
