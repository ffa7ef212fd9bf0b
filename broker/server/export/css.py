"""Critical CSS: parse stylesheets, and inline into each page the rules that it can use.

Rules are selected by names: what a selector needs, `table`, `.card`, `#main` or `[href]`, or what a declaration needs,
a custom property of the root element, `--ink`, or an animation, `@spin`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from posixpath import dirname, join, normpath

import tinycss2
from lxml.html import HtmlElement
from tinycss2.ast import (
    AtRule,
    FunctionBlock,
    HashToken,
    IdentToken,
    LiteralToken,
    Node,
    QualifiedRule,
    SquareBracketsBlock,
)

from broker.content.page_parts import THEMES
from broker.jinja_places import CLOSE, CONDITIONAL, OPEN
from broker.markup import add_styles_and_scripts, parse_fragment
from broker.server.exported_site import NOTICE_ATTRIBUTE
from broker.server.templating import OWN_TEMPLATES

Names = frozenset[str]

FIELDS = ("input", "textarea", "select")
_FIELD_PART = re.compile(
    r"placeholder|file-selector|-moz-ui-invalid"
    r"|-webkit-(search|date|inner-spin|outer-spin|calendar|slider|textfield|clear)"
)
"""Pseudo-elements and pseudo-classes that only form fields have."""

_CONDITIONS = frozenset({"media", "supports", "layer", "container"})
"""Rules that hold other rules."""

_ALTERNATIVES = frozenset({"is", "where", "has"})
"""Selector functions of which at least one argument must match."""

ROOT = ":root"


@dataclass(frozen=True, slots=True, kw_only=True)
class Selector:
    """A selector, the names that it needs, and for each `:is()` its alternatives."""

    written: str
    needs: Names
    choices: tuple[tuple[Selector, ...], ...]

    def fits(self, names: Names) -> bool:
        """Return whether a page with these names may have an element that the selector matches."""
        return self.needs <= names and all(any(one.fits(names) for one in choice) for choice in self.choices)

    def names(self) -> Iterator[str]:
        yield from self.needs
        yield from (name for choice in self.choices for one in choice for name in one.names())


_ANY_FIELD = tuple(Selector(written=name, needs=frozenset({name}), choices=()) for name in FIELDS)
"""Choice for a pseudo-element of a field."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A rule: its selectors, and its declarations as text."""

    selectors: tuple[Selector, ...]
    declarations: str

    def text(self, names: Names) -> str:
        """Return the rule with the selectors that match, or an empty text."""
        fitting = ",".join(selector.written for selector in self.selectors if selector.fits(names))
        return f"{fitting}{{{self.declarations}}}" if fitting else ""

    def names(self) -> Iterator[str]:
        yield from (name for selector in self.selectors for name in selector.names())


@dataclass(frozen=True, slots=True, kw_only=True)
class Tokens:
    """The custom properties of the root element by name."""

    values: Mapping[str, str]

    def text(self, names: Names) -> str:
        """Return the properties that are needed, or an empty text."""
        named = ";".join(f"{name}:{value}" for name, value in self.values.items() if name in names)
        return f"{ROOT}{{{named}}}" if named else ""

    def names(self) -> Iterator[str]:
        yield from self.values


@dataclass(frozen=True, slots=True, kw_only=True)
class Whole:
    """A rule that is included if its name is needed (`@keyframes`), or always if it has none."""

    name: str
    written: str

    def text(self, names: Names) -> str:
        return self.written if not self.name or self.name in names else ""

    def names(self) -> Iterator[str]:
        yield from ((self.name,) if self.name else ())


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Rules under a condition such as `@media`."""

    opening: str
    parts: tuple[Part, ...]

    def text(self, names: Names) -> str:
        """Return the condition with the rules that are needed, or an empty text."""
        inside = "".join(part.text(names) for part in self.parts)
        return f"{self.opening}{{{inside}}}" if inside else ""

    def names(self) -> Iterator[str]:
        yield from (name for part in self.parts for name in part.names())


Part = Rule | Tokens | Whole | Group


def read_parts(css: str) -> tuple[Part, ...]:
    return tuple(_parts(tinycss2.parse_stylesheet(css, skip_comments=True, skip_whitespace=True)))


def _parts(nodes: Iterable[Node]) -> Iterator[Part]:
    for node in nodes:
        if isinstance(node, QualifiedRule):
            yield _rule(node)
        elif isinstance(node, AtRule):
            yield _at_rule(node)


def _rule(node: QualifiedRule) -> Part:
    """Return a rule; Tokens for one that only sets custom properties of the root element."""
    selectors = tuple(_selector(one) for one in _divided(node.prelude, ","))
    values = [one.partition(":") for one in map(_written, _divided(node.content, ";")) if one]
    if [selector.written for selector in selectors] == [ROOT] and all(name.startswith("--") for name, _, _ in values):
        return Tokens(values={name: value for name, _, value in values})
    return Rule(selectors=selectors, declarations=_declared(node.content))


def _declared(content: Iterable[Node]) -> str:
    """Return declarations as text, without consecutive duplicates."""
    return ";".join(one for one, _ in groupby(map(_written, _divided(content, ";"))) if one)


def _at_rule(node: AtRule) -> Part:
    """Return an at-rule: parsed if it holds rules, else whole."""
    prelude = tinycss2.serialize(node.prelude)
    if node.content is not None and node.lower_at_keyword in _CONDITIONS:
        inside = tinycss2.parse_rule_list(node.content, skip_comments=True, skip_whitespace=True)
        return Group(opening=f"@{node.at_keyword}{prelude}", parts=tuple(_parts(inside)))
    is_animation = node.lower_at_keyword.endswith("keyframes")
    return Whole(name=f"@{prelude.strip()}" if is_animation else "", written=node.serialize())


def _selector(tokens: list[Node]) -> Selector:
    """Return a selector from its tokens; the arguments of `:not()` need no name."""
    needs: set[str] = set()
    choices: list[tuple[Selector, ...]] = []
    sign = ""
    for token in tokens:
        if isinstance(token, FunctionBlock) and token.lower_name in _ALTERNATIVES:
            choices.append(tuple(_selector(one) for one in _divided(token.arguments, ",")))
        elif sign == ":" and isinstance(token, IdentToken):
            choices.extend([_ANY_FIELD] if _FIELD_PART.match(token.lower_value) else [])
        else:
            needs.update(_name(token, is_class=sign == "."))
        sign = token.value if isinstance(token, LiteralToken) else ""
    return Selector(written=_written(tokens), needs=frozenset(needs), choices=tuple(choices))


def _name(token: Node, *, is_class: bool) -> Iterator[str]:
    """Yield the name that a token of a selector needs, if any."""
    if isinstance(token, IdentToken):
        yield f".{token.value}" if is_class else token.lower_value
    elif isinstance(token, HashToken):
        yield f"#{token.value}"
    elif isinstance(token, SquareBracketsBlock):
        yield f"[{next(inner.lower_value for inner in token.content if isinstance(inner, IdentToken))}]"


def _divided(tokens: Iterable[Node], sign: str) -> list[list[Node]]:
    parts: list[list[Node]] = [[]]
    for token in tokens:
        if isinstance(token, LiteralToken) and token.value == sign:
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


def _written(tokens: Iterable[Node]) -> str:
    return tinycss2.serialize(tokens).strip()


ALWAYS = frozenset({"*", "[open]", f"[{NOTICE_ATTRIBUTE}]", "[data-storage]", "[data-scripts]", "[data-changed]"})
"""Names that a page may get before its scripts: an open disclosure, and attributes of the head script."""

_ELEMENTS = (
    "p h2 h3 h4 ul ol li dl dt dd blockquote figure figcaption img table caption thead tbody tr th td"
    " hr br a b strong i em small sub sup code pre abbr div svg path"
)
_NAMES = (
    ".tbl .cards .scroll-x .fanlight .windows .dial-bars .dial-ground .dial-lit .dial-unlit .term [data-l] [href]"
    " [scope] [title] [tabindex] [role] [aria-label] [aria-hidden] [aria-current]"
)
_COLOURS = (name for theme in THEMES.values() for name in (f"--{theme}", f"--{theme}-bg"))
TEXT = frozenset((*_ELEMENTS.split(), *_NAMES.split(), *_COLOURS))
"""Names that the edge may fill in: those of a text, of the current section, and the colours of a theme."""


def times_names() -> Names:
    """Return the names of the free times that the edge fills into a form."""
    return names_of(parse_fragment(OWN_TEMPLATES.source("call_times.html")))


_CUSTOM_PROPERTY = re.compile(r"--[\w-]+")
_TOKEN_USE = re.compile(r"(?<![\w)])var\((--[\w-]+)\)(?![\w(])")
"""A use of a custom property as a whole token."""

_WORD = re.compile(r"[\w-]+")
_CODE = re.compile(rf"{OPEN}?\{{[{{%].*?[}}%]\}}{CLOSE}?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """A parsed stylesheet: its parts, the names that selectors need, and those that declarations may need."""

    parts: tuple[Part, ...]
    selected: Names
    declared: Names


def read_sheet(css: str) -> Sheet:
    """Parse a stylesheet, with its constants substituted."""
    known = constants(css)
    parts = read_parts(_TOKEN_USE.sub(lambda found: known.get(found[1], found[0]), css))
    names = frozenset(name for part in parts for name in part.names())
    declared = frozenset(name for name in names if name.startswith(("--", "@")))
    return Sheet(parts=parts, selected=names - declared, declared=declared)


def constants(css: str) -> dict[str, str]:
    """Return the custom properties of the root element that are set once and are no longer than `var(--name)`.

    One that refers to another, such as `--theme`, is set by pages and no constant.
    """
    tokens = (part.values for part in read_parts(css) if isinstance(part, Tokens))
    values = {name: value for each in tokens for name, value in each.items() if css.count(f"{name}:") == 1}
    return {name: value for name, value in values.items() if "var(" not in value and len(value) <= len(f"var({name})")}


def names_of(page: HtmlElement) -> Names:
    """Return the names of a page's elements, and the custom properties that their inline styles use.

    They include those of Jinja2 code (`broker.jinja_places`): conditional attributes, and the classes of every branch.
    """
    found: set[str] = set()
    for element in page.iter("*"):
        found.add(element.tag)
        for name, value in element.attrib.items():
            found.add(f"[{name.removeprefix(CONDITIONAL)}]")
            if name == "class":
                found.update(f".{one}" for one in _CODE.sub(" ", value).split())
            elif name == "id":
                found.add(f"#{value}")
            elif name == "style":
                found.update(_CUSTOM_PROPERTY.findall(value))
    return frozenset(found)


def css_subset(sheet: Sheet, names: Names) -> str:
    """Return the subset of a stylesheet for a page with these names.

    A rule is included if the page has every name that one of its selectors needs; relations between elements are
    ignored, so there may be too many rules, never too few. What scripts add needs no rule: the whole stylesheet is
    loaded before them. Custom properties and animations are included if an included rule or the page names them.
    """
    known = (names | ALWAYS) & (sheet.selected | sheet.declared)
    while True:
        text = "".join(part.text(known) for part in sheet.parts)
        words = set(_WORD.findall(text))
        asked = (words | {f"@{word}" for word in words}) & sheet.declared
        if asked <= known:
            return text
        known |= asked


URL = re.compile(r"""url\((['"]?)([^'")]+)\1\)""")
_FONT_FACE = re.compile(r"@font-face\s*\{[^}]*\}")

FROM = "data-from"
"""Attribute of inlined styles: the address of their stylesheet."""

_PRELOAD = {"rel": "preload", "as": "font", "type": "font/woff2", "crossorigin": ""}
"""Attributes of the link that preloads a font."""


def with_absolute_urls(css: str, address: str) -> str:
    """Return a stylesheet with absolute URLs; `address` is that of the stylesheet."""

    def absolute(found: re.Match[str]) -> str:
        quote, url = found.groups()
        if url.startswith(("/", "#")) or ":" in url.split("/")[0]:
            return found[0]
        return f"url({quote}{normpath(join(dirname(address), url))}{quote})"

    return URL.sub(absolute, css)


def fonts(css: str) -> tuple[str, ...]:
    """Return the addresses of a stylesheet's woff2 fonts, each once."""
    return tuple(dict.fromkeys(url for _, url in URL.findall(css) if url.endswith(".woff2")))


def without_fonts(css: str) -> str:
    """Return a stylesheet without its fonts, which every page declares: a second declaration repeats the layout."""
    return _FONT_FACE.sub("", css)


def stylesheets(page: HtmlElement) -> tuple[str, ...]:
    """Return the addresses of the stylesheets that a page waits for."""
    return tuple(page.xpath("//link[@rel='stylesheet'][not(@disabled)]/@href"))


def inline_critical_css(page: HtmlElement, sheets: Mapping[str, Sheet], *, more_names: Names = frozenset()) -> None:
    """Inline the rules that a page can use, and preload its fonts.

    `sheets` are the page's stylesheets by address; `more_names` are names that are added later. The styles come before
    the stylesheet's link, so that the whole stylesheet, loaded after the first frame, overrides them. No element that
    React hydrates is moved.
    """
    names = names_of(page) | more_names
    styles = {address: css_subset(sheet, names) for address, sheet in sheets.items()}
    preloads = [page.makeelement("link", _PRELOAD | {"href": font}) for css in styles.values() for font in fonts(css)]
    add_styles_and_scripts(page, [*preloads, *(_style(page, address, css) for address, css in styles.items())])


def _style(page: HtmlElement, address: str, css: str) -> HtmlElement:
    style = page.makeelement("style", {FROM: address})
    style.text = css
    return style


def inlined_stylesheets(page: HtmlElement) -> frozenset[str]:
    return frozenset(page.xpath(f"//style/@{FROM}"))
