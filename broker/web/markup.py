"""Reading and rewriting the HTML of the export: tags, metadata and inline scripts.

One renderer writes it and escapes `>` inside attributes, so a regular expression reads it exactly; a script or a style
is one token.
"""

import re
from base64 import b64encode
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from html import unescape

ANY_NAME = "[a-zA-Z][a-zA-Z0-9]*"
ATTRIBUTE = re.compile(r'([a-zA-Z][\w:.-]*)(?:="([^"]*)")?')
EXECUTED = frozenset({"", "module", "text/javascript"})
"""Types of script that a browser runs; others (JSON-LD) are data and need no hash."""

_SCRIPT = re.compile(r"<script\b(?P<attributes>[^>]*)>(?P<text>.*?)</script>", re.DOTALL)
"""A script alone, which is found three times as fast: a server reads every page when it starts. No style holds one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Element:
    """An opening tag; a script or style includes its text."""

    name: str
    written: str
    attribute_text: str
    text: str

    @property
    def attributes(self) -> dict[str, str]:
        """The attributes, unescaped; one without a value has an empty text."""
        return _attributes(self.attribute_text)

    def has(self, **wanted: str) -> bool:
        return all(self.attributes.get(name) == value for name, value in wanted.items())


def _attributes(text: str) -> dict[str, str]:
    return {name.lower(): unescape(value) for name, value in ATTRIBUTE.findall(text)}


@cache
def _token(name: str) -> re.Pattern[str]:
    """Return the pattern of a script, a style, or an element whose name matches `name`."""
    return re.compile(
        r"<(?P<raw>script|style)\b(?P<raw_attributes>[^>]*)>(?P<text>.*?)</(?P=raw)>"
        rf"|<(?P<name>{name})\b(?P<attributes>[^>]*)>",
        re.DOTALL,
    )


def _element(found: re.Match[str]) -> Element:
    return Element(
        name=(found["raw"] or found["name"]).lower(),
        written=found[0],
        attribute_text=found["raw_attributes"] or found["attributes"] or "",
        text=found["text"] or "",
    )


def all_elements(html: str) -> Iterator[Element]:
    return map(_element, _token(ANY_NAME).finditer(html))


def elements(html: str, name: str) -> Iterator[Element]:
    return (_element(found) for found in _token(name).finditer(html) if name in (found["raw"], found["name"]))


def _head(html: str) -> str:
    return html.partition("</head>")[0]


def rewrite(html: str, change: Callable[[Element], str]) -> str:
    """Return the page with every element replaced by the result of `change`."""
    return _token(ANY_NAME).sub(lambda found: change(_element(found)), html)


def first_stylesheet(html: str) -> str:
    """Return the first stylesheet link of a page as it is written; the end of the head where there is none."""
    return next((link.written for link in elements(_head(html), "link") if link.has(rel="stylesheet")), "</head>")


def canonical(html: str) -> str | None:
    """Return the canonical address of a page, or None."""
    links = (link.attributes for link in elements(_head(html), "link"))
    return next((link.get("href") for link in links if link.get("rel") == "canonical"), None)


def meta(html: str, name: str) -> str | None:
    """Return the content of a meta tag, by its `name` or `property`, or None."""
    tags = (tag.attributes for tag in elements(_head(html), "meta"))
    return next((tag.get("content") for tag in tags if name in (tag.get("name"), tag.get("property"))), None)


def is_indexed(html: str) -> bool:
    """Return whether search engines may list a page: its robots meta is not `noindex`."""
    return "noindex" not in _head(html) or "noindex" not in (meta(html, "robots") or "")


def script_hashes(html: str) -> tuple[str, ...]:
    """Return the source expressions (`'sha256-…'`) that allow the page's inline scripts, each once."""
    scripts = ((_attributes(found["attributes"]), found["text"]) for found in _SCRIPT.finditer(html))
    run = (text for given, text in scripts if "src" not in given and given.get("type", "") in EXECUTED)
    return tuple(dict.fromkeys(f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'" for text in run))
