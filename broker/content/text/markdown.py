"""Render Markdown to HTML: tables and drawings on, raw HTML off, ids on headings."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict

from broker.content.models.pages import Heading
from broker.content.models.safe_html import SafeHtml
from broker.content.text import ltv_drawings
from broker.content.text.tables import shape_tables

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
    return list(ltv_drawings.faults(_parser().parse(markdown))) if ltv_drawings.NAME in markdown else []


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False, "typographer": False}).enable("table")
    parser.add_render_rule("fence", _fence)
    return parser


def _fence(renderer: RendererHTML, tokens: Sequence[Token], at: int, options: OptionsDict, env: EnvType) -> str:
    if ltv_drawings.is_drawing(tokens[at]):
        return ltv_drawings.draw(tokens[at])
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
