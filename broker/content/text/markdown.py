"""Render Markdown to HTML: tables and drawings on, raw HTML off, ids on headings."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import TypeAlias

from lxml.html import HtmlElement
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict
from markupsafe import Markup

from broker.components.drawings.shapes import fanlight
from broker.content.models.pages import Heading
from broker.content.models.pictures import SafeHtml
from broker.markup import HEADINGS, fragment_html, parse_fragment, replace_element

# ```ltv What the bank lends, and what is yours 10% deposit: 90 With the gift: 85.5% ``` The words after `ltv` are the
# caption. The drawing is decoration: the figures stand beside it in words.

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
            name = f"Table: {_cell_words(element)}"
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
    holds_words = any(len(_cell_words(cell)) > MAX_FIGURE_LENGTH for row in rows[1:] for cell in row[1:])
    return holds_words or len(rows[0]) > MAX_COLUMNS


def _rebuild(table: HtmlElement, rows: _Rows, *, stacks: bool) -> None:
    """Write a table anew: a row of heads, and rows whose first cell names them."""
    heads, *others = rows
    labels = [_cell_words(head) for head in heads]
    for head in heads:
        _set_cell(head, "th", "", stacks=stacks, scope="col", role="columnheader")
    for first, *cells in others:
        # the first names the row, and needs a label only where it is a number
        label = labels[0] if _cell_words(first).lstrip("£")[:1].isdigit() else ""
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


def _cell_words(element: HtmlElement) -> str:
    return " ".join(" ".join(element.itertext()).split())


_PLACEHOLDER = re.compile(r"\{\{\s*([\w.]+)\s*\}\}")
_PART = re.compile(r"^# (\w+)[ \t]*$", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """Rendered text: its HTML, and its headings for a table of contents."""

    html: SafeHtml
    headings: tuple[Heading, ...]


class UnknownPlaceholderError(ValueError):
    """An unknown placeholder in a text."""


def render_markdown(markdown: str) -> Text:
    """Render Markdown; heading ids are the words in lower case joined by hyphens, numbered when repeated."""
    parser = _parser()
    tokens = parser.parse(markdown)
    headings = _number_headings(tokens)
    html = shape_tables(SafeHtml(parser.renderer.render(tokens, parser.options, {}).strip()))
    return Text(html=html, headings=headings)


def drawing_faults(markdown: str) -> list[tuple[int, str]]:
    """Return what is wrong with the drawings of a text, each with the number of its line from 1."""
    return list(faults(_parser().parse(markdown))) if NAME in markdown else []


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False, "typographer": False}).enable("table")
    parser.add_render_rule("fence", _fence)
    return parser


def _fence(renderer: RendererHTML, tokens: Sequence[Token], at: int, options: OptionsDict, env: EnvType) -> str:
    if is_drawing(tokens[at]):
        return draw(tokens[at])
    return RendererHTML.fence(renderer, tokens, at, options, env)


def fill_placeholders(text: str, facts: Mapping[str, str]) -> str:
    """Replace each `{{ name }}` of a text by its value; raises UnknownPlaceholderError."""
    if unknown := {match[0]: None for match in _PLACEHOLDER.finditer(text) if match[1] not in facts}:
        known = ", ".join(sorted(name for name in facts if "." not in name))
        raise UnknownPlaceholderError(f"unknown placeholder {', '.join(unknown)}; known are {known} and facts.json")
    return _PLACEHOLDER.sub(lambda match: facts[match[1]], text)


def split_sections(markdown: str) -> dict[str, str]:
    """Split a text at its `# name` lines; the text before the first has an empty name."""
    pieces = _PART.split(markdown)
    names = ["", *pieces[1::2]]
    return {name: body.strip() for name, body in zip(names, pieces[0::2], strict=True)}


def heading_id(words: str) -> str:
    """Return the id of a heading: `What it costs` gives `what-it-costs`."""
    return re.sub(r"[^a-z0-9]+", "-", words.lower().replace("'", "")).strip("-") or "section"


def _number_headings(tokens: Sequence[Token]) -> tuple[Heading, ...]:
    headings: list[Heading] = []
    seen: dict[str, int] = {}
    for opening, inline in pairwise(tokens):
        if opening.type != "heading_open":
            continue
        words = "".join(child.content for child in inline.children or ())
        name = heading_id(words)
        seen[name] = seen.get(name, 0) + 1
        if seen[name] > 1:
            name = f"{name}-{seen[name]}"
        opening.attrSet("id", name)
        headings.append(Heading(level=int(opening.tag[1:]), anchor=name, text=words))
    return tuple(headings)
