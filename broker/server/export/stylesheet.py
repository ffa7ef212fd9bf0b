"""A parsed stylesheet, each part of which can be written for the names that a page has.

A name is what a selector needs, `table`, `.card`, `#main` or `[href]`, or what a declaration needs: a custom property
of the root element, `--ink`, or an animation, `@spin`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby

import tinycss2
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

Names = frozenset[str]

FIELDS = ("input", "textarea", "select")
FIELD_PART = re.compile(
    r"placeholder|file-selector|-moz-ui-invalid"
    r"|-webkit-(search|date|inner-spin|outer-spin|calendar|slider|textfield|clear)"
)
"""Pseudo-elements and pseudo-classes that only form fields have."""

CONDITIONS = frozenset({"media", "supports", "layer", "container"})
"""Rules that hold other rules."""

ALTERNATIVES = frozenset({"is", "where", "has"})
"""Selector functions of which at least one argument must match."""

ROOT = ":root"


@dataclass(frozen=True, slots=True, kw_only=True)
class Selector:
    """A selector, the names that it needs, and for each `:is()` the selectors of which one must match."""

    written: str
    needs: Names
    choices: tuple[tuple[Selector, ...], ...]

    def fits(self, names: Names) -> bool:
        """Return whether a page with these names may have an element that the selector matches."""
        return self.needs <= names and all(any(one.fits(names) for one in choice) for choice in self.choices)

    def names(self) -> Iterator[str]:
        yield from self.needs
        yield from (name for choice in self.choices for one in choice for name in one.names())


ANY_FIELD = tuple(Selector(written=name, needs=frozenset({name}), choices=()) for name in FIELDS)
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
    """A rule that is written whole: where its name is needed (`@keyframes`), or always if it has none."""

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
    """Return a rule, or the tokens of one that only sets custom properties of the root element."""
    selectors = tuple(_selector(one) for one in _divided(node.prelude, ","))
    values = [one.partition(":") for one in map(_written, _divided(node.content, ";")) if one]
    if [selector.written for selector in selectors] == [ROOT] and all(name.startswith("--") for name, _, _ in values):
        return Tokens(values={name: value for name, _, value in values})
    return Rule(selectors=selectors, declarations=_declared(node.content))


def _declared(content: Iterable[Node]) -> str:
    """Return declarations as text, without those that the build repeated."""
    return ";".join(one for one, _ in groupby(map(_written, _divided(content, ";"))) if one)


def _at_rule(node: AtRule) -> Part:
    """Return an at-rule: parsed if it holds rules, else whole."""
    prelude = tinycss2.serialize(node.prelude)
    if node.content is not None and node.lower_at_keyword in CONDITIONS:
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
        if isinstance(token, FunctionBlock) and token.lower_name in ALTERNATIVES:
            choices.append(tuple(_selector(one) for one in _divided(token.arguments, ",")))
        elif sign == ":" and isinstance(token, IdentToken):
            choices.extend([ANY_FIELD] if FIELD_PART.match(token.lower_value) else [])
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
