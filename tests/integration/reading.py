"""A page as a browser reads it: what a strict parser finds in its HTML, and faults with it."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from xml.etree.ElementTree import Element

import html5lib

_HEADING = re.compile(r"h([1-6])")
_REFERENCES = ("for", "aria-labelledby", "aria-describedby", "aria-controls", "list", "headers")
"""Attributes that name other elements of the page by their id."""

_MODULES = re.compile(r'deferBoot\((\{"[^<]*\})\)\}\)\(\)</script>')
"""The scripts of a page as its start script lists them, and the folder of them all."""


def script_addresses(html: str) -> set[str]:
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
    it tells search engines. `blocking` are files that hold back the first paint, `unsafe` links that open a tab which
    can reach back, `unsized` images without their alternative text, width or height.
    """

    errors: tuple[str, ...]
    head: tuple[str, ...]
    headings: tuple[int, ...]
    ids: tuple[str, ...]
    references: frozenset[str]
    links: frozenset[str]
    fetched: frozenset[str]
    blocking: tuple[str, ...]
    unsafe: tuple[str, ...]
    unsized: tuple[str, ...]
    questions: tuple[tuple[str, str], ...]
    data: tuple[dict[str, Any], ...]


def read_page(html: str) -> ReadPage:
    """Parse a page as browsers do, and return what it holds."""
    parser = html5lib.HTMLParser(namespaceHTMLElements=False)
    elements = [one for one in parser.parse(html).iter() if isinstance(one.tag, str)]
    named: dict[str, list[Element]] = {}
    for one in elements:
        named.setdefault(one.tag, []).append(one)
    anchors, images, links = named.get("a", []), named.get("img", []), named.get("link", [])
    scripts = named.get("script", [])
    fetched = [one.get("src", "") for name in ("img", "script", "source") for one in named.get(name, [])]
    fetched += [one.get("href", "") for one in links if one.get("rel") != "canonical"]
    return ReadPage(
        errors=tuple(
            f"line {place[0]}, column {place[1]}: {fault} {details}" for place, fault, details in parser.errors
        ),
        head=tuple(_in_head(named["head"][0])),
        headings=tuple(int(level[1]) for one in elements if (level := _HEADING.fullmatch(one.tag))),
        ids=tuple(one.attrib["id"] for one in elements if "id" in one.attrib),
        references=frozenset(
            word for one in elements for key in _REFERENCES if key in one.attrib for word in one.attrib[key].split()
        ),
        links=frozenset(one.attrib["href"] for one in (*anchors, *named.get("area", [])) if "href" in one.attrib),
        fetched=frozenset(fetched) - {""},
        blocking=tuple(one.get("href", "") for one in links if _is_blocking(one)),
        unsafe=tuple(
            one.get("href", "")
            for one in anchors
            if one.get("target") == "_blank" and "noopener" not in one.get("rel", "")
        ),
        unsized=tuple(one.get("src", "") for one in images if not {"alt", "width", "height"} <= one.attrib.keys()),
        questions=tuple(_question(one) for one in named.get("details", []) if _is_question(one)),
        data=tuple(json.loads(one.text or "") for one in scripts if one.get("type") == "application/ld+json"),
    )


def _is_question(details: Element) -> bool:
    """Tell a question with its answer from a folded calculator, and from the folded figures of the method."""
    inner = {each.tag for each in details.iter()}
    return "acc" in details.get("class", "").split() and not inner & {"form", "table"}


def _is_blocking(link: Element) -> bool:
    kind = link.get("rel")
    return kind == "modulepreload" or (kind == "stylesheet" and "disabled" not in link.attrib)


def _in_head(head: Element) -> Iterator[str]:
    for one in head:
        yield one.get("name") or one.get("property") or one.get("rel") or str(one.tag)


def _question(details: Element) -> tuple[str, str]:
    summary, *answer = details
    return words("".join(summary.itertext())), words(" ".join("".join(one.itertext()) for one in answer))


def words(text: str) -> str:
    """Return a text without its spaces: blocks are parted by them in data, and by lines on a page."""
    return "".join(text.split())
