"""Shape the tables of safe HTML: cards on a phone where they are too wide for it, else a scrollable region."""

from collections.abc import Sequence
from typing import TypeAlias

from lxml.html import HtmlElement

from broker.content.models.safe_html import SafeHtml
from broker.markup import HEADINGS, fragment_html, parse_fragment, replace_element

MAX_FIGURE_LENGTH = 24
"""Maximum characters of a cell that fits a narrow column; a table with a longer one is a table of words."""

MAX_COLUMNS = 3
"""Columns of figures that fit a phone."""

STACKED = {"table": "table", "thead": "rowgroup", "tbody": "rowgroup", "tr": "row"}
"""Roles of the parts of a table of cards, which would lose its structure."""

_Rows: TypeAlias = Sequence[Sequence[HtmlElement]]


def shape_tables(html: SafeHtml) -> SafeHtml:
    """Return safe HTML with its tables shaped; the heading above names each.

    A table of words or of many columns becomes cards on a narrow screen and has roles, since cards would lose its
    structure. Any other, with one that holds another table or has cells over several columns among them, is in a region
    that scrolls.
    """
    if "<table" not in html:
        return html
    root, name = parse_fragment(html), "Table"
    for element in list(root.iter(*HEADINGS, "table")):
        if element.tag == "table":
            _shape(element, name)
        else:
            name = f"Table: {_words(element)}"
    return SafeHtml(fragment_html(root))


def _shape(table: HtmlElement, name: str) -> None:
    rows = _regular_rows(table)
    stacks = _is_wide(rows)
    if rows:
        _rebuild(table, rows, stacks=stacks)
    else:
        for head in table.xpath(".//th[not(@scope)]"):
            head.set("scope", "col")
    if stacks:
        table.attrib.update({"class": "tbl cards", "role": STACKED["table"], "aria-label": name})
        return
    table.set("class", "tbl")
    region = table.makeelement("div", {"class": "scroll-x", "role": "region", "aria-label": name, "tabindex": "0"})
    replace_element(table, region)
    table.tail = None
    region.append(table)


def _regular_rows(table: HtmlElement) -> _Rows:
    """Return the cells of a table whose first row alone is of heads and whose rows have the same cells, or nothing."""
    rows = [row.xpath("th | td") for row in table.iter("tr")]
    if len(rows) < 2 or len({len(row) for row in rows}) > 1:
        return ()
    if table.xpath(".//table | .//caption | .//@colspan | .//@rowspan"):
        return ()
    heads = all(cell.tag == "th" for cell in rows[0])
    figures = all(cell.tag == "td" for row in rows[1:] for cell in row[1:])
    return rows if heads and figures else ()


def _is_wide(rows: _Rows) -> bool:
    """Return whether a phone is too narrow for a table."""
    if not rows:
        return False
    holds_words = any(len(_words(cell)) > MAX_FIGURE_LENGTH for row in rows[1:] for cell in row[1:])
    return holds_words or len(rows[0]) > MAX_COLUMNS


def _rebuild(table: HtmlElement, rows: _Rows, *, stacks: bool) -> None:
    """Write a table anew: a row of heads, and rows whose first cell names them."""
    heads, *others = rows
    labels = [_words(head) for head in heads]
    for head in heads:
        _set_cell(head, "th", "", stacks=stacks, scope="col", role="columnheader")
    for first, *cells in others:
        # the first names the row, and needs a label only where it is a number
        label = labels[0] if _words(first).lstrip("£")[:1].isdigit() else ""
        _set_cell(first, "th", label, stacks=stacks, scope="row", role="rowheader")
        for cell, named in zip(cells, labels[1:], strict=True):
            _set_cell(cell, "td", named, stacks=stacks, role="cell")
    table.clear(keep_tail=True)
    for tag, part in (("thead", [heads]), ("tbody", others)):
        group = _part(table, tag, stacks=stacks)
        for cells in part:
            _part(group, "tr", stacks=stacks).extend(cells)


def _part(parent: HtmlElement, tag: str, *, stacks: bool) -> HtmlElement:
    """Add an element to a table or a part of it."""
    part = parent.makeelement(tag, {"role": STACKED[tag]} if stacks else {})
    parent.append(part)
    return part


def _set_cell(cell: HtmlElement, tag: str, label: str, *, stacks: bool, role: str, scope: str = "") -> None:
    cell.tag, cell.tail = tag, None
    cell.attrib.clear()
    given = {"scope": scope, **({"role": role, "data-l": label} if stacks else {})}
    cell.attrib.update({name: value for name, value in given.items() if value})
    cell.text = (cell.text or "").lstrip()
    if len(cell):
        cell[-1].tail = (cell[-1].tail or "").rstrip()
    else:
        cell.text = cell.text.rstrip()


def _words(element: HtmlElement) -> str:
    return " ".join(" ".join(element.itertext()).split())
