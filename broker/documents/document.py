"""A document as display strings: figures, a result, and sections of tables, charts and texts, each with a `kind`."""

import unicodedata
from dataclasses import dataclass
from typing import Literal, TypeAlias

MAX_NAME = 80
"""Characters of a displayed name; a longer one is cut in the middle, so that its ending stays."""

UNNAMED_FILE = "a file without a name"

_READ = 1_000
"""Characters of a name that are examined."""

_ENDING = 12


def shown_name(name: str) -> str:
    """Return a file's name as one visible line, without folders, control characters or direction marks.

    At most `MAX_NAME` characters; `UNNAMED_FILE` if nothing is left.
    """
    last = name[-_READ:].replace("\\", "/").rpartition("/")[2]
    # category C: control characters, direction marks, surrogates
    seen = "".join(sign for sign in last if unicodedata.category(sign)[0] != "C" or sign.isspace())
    line = " ".join(seen.split())
    if len(line) > MAX_NAME:
        line = f"{line[: MAX_NAME - _ENDING - 1]}…{line[-_ENDING:]}"
    return line or UNNAMED_FILE


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """The answer: its label, its figure (`per` month, for example) and a caption."""

    label: str
    figure: str
    per: str = ""
    caption: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table; the first cell names its row, and the only one of `heads` spans it.

    `bold` are the cells in bold type, as row and column from 0; `words` are columns of sentences, in small type.
    """

    kind: Literal["table"] = "table"
    caption: str = ""
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    bold: tuple[tuple[int, int], ...] = ()
    words: tuple[int, ...] = ()
    is_figures: bool = True
    """Whether all cells but the first are figures, which align at their end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """A bar: its label and figure, its length in percent of the longest, and its tone's name."""

    label: str
    figure: str
    percent: float
    tone: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BarChart:
    """Bars below each other; a screen reader reads label and figure, not the bar."""

    kind: Literal["bars"] = "bars"
    bars: tuple[Bar, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A line: points from 0 to 1 along both axes, from the left and from the top; None is a gap."""

    label: str
    tone: str
    points: tuple[tuple[float, float] | None, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LineChart:
    """A line chart with the captions of its ends; `alternative` is its text for screen readers."""

    kind: Literal["lines"] = "lines"
    alternative: str
    start: str
    end: str
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Steps:
    kind: Literal["steps"] = "steps"
    steps: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """A paragraph, after a bold line where it has a `title`; one that `is_framed` is in a box."""

    kind: Literal["text"] = "text"
    title: str = ""
    text: str
    is_framed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Links:
    """Links below a bold line; each has its words, its address and the text after it."""

    kind: Literal["links"] = "links"
    title: str
    links: tuple[tuple[str, str, str], ...]


Part: TypeAlias = Table | BarChart | LineChart | Steps | Text | Links


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    title: str = ""
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A document of one or two pages.

    `figures` are the names and values that it starts from; the parts `beside` them, below the result, have half of the
    width. `address` is the path and query of the page with the same figures. `remarks` follow the firm's warning, and
    its sentence on buy to let for what `is_unregulated`. One that
    `is_personal` holds a person's own data: it has its remarks alone at its end, no warning and no offer of advice.
    """

    title: str
    subtitle: str = ""
    figures: tuple[tuple[str, str], ...] = ()
    result: Result | None = None
    beside: tuple[Part, ...] = ()
    sections: tuple[Section, ...] = ()
    remarks: tuple[str, ...] = ()
    is_unregulated: bool = False
    is_personal: bool = False
    address: str
    file_name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Letterhead:
    """The frame of a document: the firm, its contact details, the date, warnings and disclosures.

    `site` is the start of the addresses of its pages.
    """

    firm: str
    address: str
    site: str
    day: str
    telephone: str
    email: str
    hours: str
    risk_warning: str
    buy_to_let: str
    disclosure: str
