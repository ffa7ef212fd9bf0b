"""Markdown as HTML, with accessible tables, drawings of loan to value and ids on headings, and without raw HTML."""

import re
from collections.abc import Iterator, Sequence
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
from broker.markup import HEADINGS, fragment_html, parse_fragment, replace_element, words_of

MAX_WINDOWS = 6
"""Windows in a drawing."""

CAPTION = "The lit part of each window is the share of the value that is borrowed: the loan to value."
"""Caption of a drawing that names none."""

MAX_FIGURE_LENGTH = 24
"""Maximum characters of a cell that fits a narrow column; a table with a longer one is a table of words."""

MAX_COLUMNS = 3
"""Columns of figures that fit a phone."""

_DRAWING = "ltv"
"""First word after the fence of a drawing."""

_WINDOW_LINE = re.compile(r"(?P<label>.{1,60}?):\s*(?P<percent>\d{1,3}(?:\.\d+)?)%?")
_FIGURE = Markup('<figure class="windows"><ul>{}</ul><figcaption>{}</figcaption></figure>\n')
_WINDOW = Markup("<li>{}<b>{}%</b> {}</li>")

_ROLES = {"table": "table", "thead": "rowgroup", "tbody": "rowgroup", "tr": "row"}
"""Roles of the parts of a table of cards."""

_SECTION = re.compile(r"^# (\w+)[ \t]*$", re.MULTILINE)

_Rows: TypeAlias = Sequence[Sequence[HtmlElement]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """Rendered text: its HTML, and its headings for a table of contents."""

    html: SafeHtml
    headings: tuple[Heading, ...]

    @property
    def word_count(self) -> int:
        """Return the number of words without the list of sources."""
        return len(words_of(self.html.partition('<h2 id="sources">')[0]).split())


def render_markdown(markdown: str) -> Text:
    """Render Markdown; heading ids are the words in lower case joined by hyphens, numbered when repeated."""
    parser = _parser()
    tokens = parser.parse(markdown)
    headings = _number_headings(tokens)
    html = shape_tables(SafeHtml(parser.renderer.render(tokens, parser.options, {}).strip()))
    return Text(html=html, headings=headings)


def drawing_faults(markdown: str) -> Iterator[tuple[int, str]]:
    """Yield each fault of the drawings of a text, with the number of its line from 1."""
    for token in filter(_is_drawing, _parser().parse(markdown) if _DRAWING in markdown else ()):
        first = (token.map or [0])[0] + 1
        lines = token.content.splitlines()
        if not 1 <= len(lines) <= MAX_WINDOWS:
            yield first, f"a block of {_DRAWING} has {len(lines)} lines; 1 to {MAX_WINDOWS} fit"
        for number, line in enumerate(lines, first + 1):
            if not _read_window(line):
                yield number, f"{line!r} must be a label, a colon and a percentage from 0 to 100, as in 10% deposit: 90"


def split_sections(markdown: str) -> dict[str, str]:
    """Split a text at its `# name` lines; the text before the first has an empty name."""
    pieces = _SECTION.split(markdown)
    names = ["", *pieces[1::2]]
    return {name: body.strip() for name, body in zip(names, pieces[0::2], strict=True)}


def heading_id(words: str) -> str:
    """Return the id of a heading: `What it costs` gives `what-it-costs`."""
    return re.sub(r"[^a-z0-9]+", "-", re.sub("['’]", "", words.lower())).strip("-") or "section"


def shape_tables(html: SafeHtml) -> SafeHtml:
    """Return safe HTML with accessible tables, each named after the heading above it.

    A table of words or of many columns becomes cards on a narrow screen and has roles, since cards would lose its
    structure. Any other is in a region that scrolls, also one with a table inside or with cells over several columns.
    """
    if "<table" not in html:
        return html
    root, name = parse_fragment(html), "Table"
    for element in list(root.iter(*HEADINGS, "table")):
        if element.tag == "table":
            _shape_table(element, name)
        else:
            name = f"Table: {_cell_words(element)}"
    return SafeHtml(fragment_html(root))


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False, "typographer": False}).enable("table")
    parser.add_render_rule("fence", _fence)
    return parser


def _fence(renderer: RendererHTML, tokens: Sequence[Token], at: int, options: OptionsDict, env: EnvType) -> str:
    if _is_drawing(tokens[at]):
        return _drawing_html(tokens[at])
    return RendererHTML.fence(renderer, tokens, at, options, env)


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


def _is_drawing(token: Token) -> bool:
    return token.type == "fence" and token.info.split(maxsplit=1)[:1] == [_DRAWING]


def _drawing_html(token: Token) -> str:
    """Return the figure of a block such as this; a line with a fault is left out.

        ```ltv What the bank lends, and what is yours
        10% deposit: 90
        With the gift: 85.5%
        ```

    The words after `ltv` are the caption. The drawing is decoration: the figures are beside it in words.
    """
    windows = (window for line in token.content.splitlines() if (window := _read_window(line)))
    caption = token.info.strip().removeprefix(_DRAWING).strip() or CAPTION
    drawings = (_WINDOW.format(Markup(fanlight(float(percent))), percent, label) for label, percent in windows)
    return _FIGURE.format(Markup("").join(drawings), caption)


def _read_window(line: str) -> tuple[str, str] | None:
    """Return the label and the percentage of a line, as written without its sign; None for a fault."""
    match = _WINDOW_LINE.fullmatch(line.strip())
    return (match["label"], match["percent"]) if match and float(match["percent"]) <= 100 else None


def _shape_table(table: HtmlElement, name: str) -> None:
    rows = _regular_rows(table)
    stacks = _is_wide(rows)
    if rows:
        _rebuild(table, rows, stacks=stacks)
    else:
        for head in table.xpath(".//th[not(@scope)]"):
            head.set("scope", "col")
    if stacks:
        table.attrib.update({"class": "tbl cards", "role": _ROLES["table"], "aria-label": name})
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
    """Rebuild a table from its cells: a row of heads, and rows whose first cell names them."""
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
        group = _add_part(table, tag, stacks=stacks)
        for cells in part:
            _add_part(group, "tr", stacks=stacks).extend(cells)


def _add_part(parent: HtmlElement, tag: str, *, stacks: bool) -> HtmlElement:
    part = parent.makeelement(tag, {"role": _ROLES[tag]} if stacks else {})
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
