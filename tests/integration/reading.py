"""A page as a browser reads it: what a strict parser finds in its HTML, and faults with it."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from xml.etree.ElementTree import Element

import html5lib

_SPACE = "{http://www.w3.org/1999/xhtml}"
_HEADING = re.compile(r"h([1-6])")
_REFERENCES = ("for", "aria-labelledby", "aria-describedby", "aria-controls", "list", "headers")
"""Attributes that name other elements of the page by their id."""

_FETCHED = {"img": "src", "script": "src", "link": "href", "source": "src"}
"""Elements that make a browser fetch a file, with the attribute that names it."""


_MODULES = re.compile(r'deferBoot\((\{"[^<]*\})\)\}\)\(\)</script>')
"""The scripts of a page as its start script lists them, and the folder of them all."""


def script_addresses(html: str) -> set[str]:
    """Return the addresses of the scripts that a page starts with."""
    found = _MODULES.search(html)
    if not found:
        return set()
    boot = json.loads(found[1])
    names = {*boot["shared"], boot["manifest"], *boot["routes"].values(), boot["entry"]}
    return {boot["folder"] + name for name in names}


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadPage:
    """What a page holds, in its own order: `errors` are the parser's, `questions` pairs of question and answer.

    `head` are the names of what stands in the head, a meta tag's and a link's own names among them; `data` is what
    it tells search engines.
    """

    errors: tuple[str, ...]
    head: tuple[str, ...]
    headings: tuple[int, ...]
    ids: frozenset[str]
    references: frozenset[str]
    links: frozenset[str]
    fetched: frozenset[str]
    questions: tuple[tuple[str, str], ...]
    data: tuple[dict[str, Any], ...]


def read_page(html: str) -> ReadPage:
    """Parse a page as browsers do, and return what it holds."""
    parser = html5lib.HTMLParser()
    elements = [one for one in parser.parse(html).iter() if isinstance(one.tag, str)]
    named = [(one.tag.removeprefix(_SPACE), one) for one in elements]
    return ReadPage(
        errors=tuple(
            f"line {place[0]}, column {place[1]}: {fault} {details}" for place, fault, details in parser.errors
        ),
        head=tuple(_in_head(next(one for name, one in named if name == "head"))),
        headings=tuple(int(level[1]) for name, _ in named if (level := _HEADING.fullmatch(name))),
        ids=frozenset(one.attrib["id"] for _, one in named if "id" in one.attrib),
        references=frozenset(word for _, one in named for key in _REFERENCES for word in one.get(key, "").split()),
        links=frozenset(one.attrib["href"] for name, one in named if name in ("a", "area") and "href" in one.attrib),
        fetched=frozenset(address for name, one in named if (address := one.get(_FETCHED.get(name, ""), ""))),
        questions=tuple(_question(one) for name, one in named if name == "details" and "acc" in _classes(one)),
        data=tuple(
            json.loads(one.text or "")
            for name, one in named
            if name == "script" and one.get("type") == "application/ld+json"
        ),
    )


def _in_head(head: Element) -> Iterator[str]:
    for one in head:
        name = str(one.tag).removeprefix(_SPACE)
        yield one.get("name") or one.get("property") or one.get("rel") or name


def _classes(element: Element) -> list[str]:
    return element.get("class", "").split()


def _question(details: Element) -> tuple[str, str]:
    """Return the words of a question and of its answer, as they stand on the page."""
    summary, *answer = details
    return words("".join(summary.itertext())), words(" ".join("".join(one.itertext()) for one in answer))


def words(text: str) -> str:
    """Return a text without its spaces: blocks are parted by them in data, and by lines on a page."""
    return "".join(text.split())
