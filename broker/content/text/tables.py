"""Shape the tables of safe HTML: cards on a phone where they are too wide for it, else a scrollable region."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import unescape

from markupsafe import Markup

from broker.content.models.safe_html import SafeHtml

MAX_FIGURE_LENGTH = 24
"""Maximum characters of a cell that fits a narrow column; a table with a longer one is a table of words."""

MAX_COLUMNS = 3
"""Columns of figures that fit a phone."""

_SCROLLING = Markup('<div class="scroll-x" role="region" aria-label="{}" tabindex="0"><table class="tbl">')
_STACKED = Markup('<table class="tbl cards" role="table" aria-label="{}">')
_INNER = Markup("<thead{0}><tr{1}>{2}</tr></thead><tbody{0}>{3}</tbody>")
_CLOSE = Markup("</table></div>")

_PART = re.compile(
    r"<h[2-6] [^>]*>(?P<heading>.*?)</h[2-6]>"
    r"|<table>(?P<table>(?:(?!</?table>).)*)</table>|<table>|</table>",
    re.S,
)
_ROW = re.compile(r"<tr>(.*?)</tr>", re.S)
_CELL = re.compile(r"<(th|td)([^>]*)>(.*?)</\1>", re.S)
_TAG = re.compile(r"<[^<>]*>")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Table:
    """A table with one row of heads, and as many cells in every other row; cells are safe HTML."""

    heads: Sequence[str]
    rows: Sequence[Sequence[str]]

    @property
    def is_wide(self) -> bool:
        """Whether a phone is too narrow for it."""
        holds_words = any(len(_words(cell)) > MAX_FIGURE_LENGTH for row in self.rows for cell in row[1:])
        return holds_words or len(self.heads) > MAX_COLUMNS


def shape_tables(html: SafeHtml) -> SafeHtml:
    """Return safe HTML with its tables shaped; the heading above names each.

    A table of words or of many columns becomes cards on a narrow screen and has roles, since cards would lose its
    structure. Any other, with one that holds another table or has cells over several columns among them, is in a region
    that scrolls.
    """
    name = "Table"

    def shaped(match: re.Match[str]) -> str:
        nonlocal name
        if match["heading"] is not None:
            name = f"Table: {_words(match['heading'])}"
        elif match["table"] is not None:
            return _shaped(match["table"], name)
        elif match[0] == "<table>":
            return _SCROLLING.format(name)
        elif match[0] == "</table>":
            return _CLOSE
        return match[0]

    return SafeHtml(_PART.sub(shaped, html))


def _shaped(html: str, name: str) -> Markup:
    table = _read(html)
    if not table:
        return _SCROLLING.format(name) + _with_scopes(html) + _CLOSE
    if table.is_wide:
        return _STACKED.format(name) + _inner(table, stacks=True) + Markup("</table>")
    return _SCROLLING.format(name) + _inner(table, stacks=False) + _CLOSE


def _read(html: str) -> _Table | None:
    """Return a table whose first row alone is of heads and whose rows have the same cells, or None."""
    rows = [_CELL.findall(row) for row in _ROW.findall(html)]
    regular = len(rows) > 1 and len({len(row) for row in rows}) == 1 and "<caption" not in html
    if not regular or any("span=" in given for row in rows for _, given, _ in row):
        return None
    if any(tag == "td" for tag, _, _ in rows[0]) or any(tag == "th" for row in rows[1:] for tag, _, _ in row[1:]):
        return None
    heads, *others = [[inner.strip() for _, _, inner in row] for row in rows]
    return _Table(heads=heads, rows=others)


def _inner(table: _Table, *, stacks: bool) -> Markup:
    labels = [_words(head) for head in table.heads]
    heads = (_cell("th", head, stacks=stacks, scope="col", role="columnheader") for head in table.heads)
    group, line = (_attributes(role=role if stacks else "") for role in ("rowgroup", "row"))
    rows = (Markup("<tr{}>{}</tr>").format(line, _row(row, labels, stacks=stacks)) for row in table.rows)
    return _INNER.format(group, line, Markup("").join(heads), Markup("").join(rows))


def _row(row: Sequence[str], labels: Sequence[str], *, stacks: bool) -> Markup:
    """Return the cells of a row; the first names the row, and needs a label only where it is a number."""
    label = labels[0] if _words(row[0]).lstrip("£")[:1].isdigit() else ""
    first = _cell("th", row[0], label, stacks=stacks, scope="row", role="rowheader")
    others = (_cell("td", *each, stacks=stacks, role="cell") for each in zip(row[1:], labels[1:], strict=True))
    return first + Markup("").join(others)


def _cell(tag: str, inner: str, label: str = "", *, stacks: bool, role: str, scope: str = "") -> Markup:
    given = {"scope": scope, **({"role": role, "data-l": label} if stacks else {})}
    return Markup("<{0}{1}>{2}</{0}>").format(tag, _attributes(**given), Markup(inner))


def _attributes(**given: str) -> Markup:
    return Markup("").join(Markup(' {}="{}"').format(name, value) for name, value in given.items() if value)


def _with_scopes(html: str) -> Markup:
    """Give heads without a scope that of their column."""
    return Markup(re.sub(r"<th(?![^>]* scope=)(?=[ >])", '<th scope="col"', html))


def _words(html: str) -> str:
    return " ".join(unescape(_TAG.sub(" ", html)).split())
