"""The parts of a page that a person would look for: its navigations, sections and words, read by lxml."""

from collections.abc import Iterator
from dataclasses import dataclass

from lxml.html import HtmlElement, document_fromstring

_UNSEEN = "vh"
_SECTIONS = ("nav", "section", "aside", "div", "main")
_IN_LINE = ("a", "b", "em", "span", "strong", "small", "svg")
"""HtmlElements that do not part the words before them from those behind."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A link of a navigation: `group` is the word that opens its list, empty for one outside any."""

    group: str
    label: str
    href: str
    new_tab: bool = False
    current: bool = False


class Outline:
    """One page, parsed; `named` finds a part by its accessible name."""

    def __init__(self, html: str) -> None:
        self._root: HtmlElement = document_fromstring(html)

    def words(self, name: str) -> list[str]:
        """Return the visible words of every element of a name, in order."""
        return [_words(one) for one in self._root.iter(name)]

    def text(self) -> str:
        return _words(self.first("main"))

    def first(self, name: str) -> HtmlElement:
        return next(self._root.iter(name))

    def has(self, label: str) -> bool:
        return any(True for _ in self._labelled(label))

    def named(self, label: str) -> HtmlElement:
        """Return the part with a name, given by itself or by its heading's id."""
        return next(self._labelled(label))

    def identified(self, identity: str) -> list[HtmlElement]:
        return [one for one in self._root.iter() if one.get("id") == identity]

    def links(self, label: str) -> list[Link]:
        return list(_links(self.named(label), ""))

    def of_class(self, name: str) -> list[HtmlElement]:
        return [one for one in self._root.iter() if isinstance(one.tag, str) and name in one.get("class", "").split()]

    def _labelled(self, label: str) -> Iterator[HtmlElement]:
        return (
            one
            for one in self._root.iter()
            if one.tag in _SECTIONS and label in (one.get("aria-label"), one.get("aria-labelledby"))
        )


def words_of(element: HtmlElement) -> str:
    return _words(element)


def addresses(element: HtmlElement) -> list[str]:
    return [link.get("href", "") for link in element.iter("a")]


def _links(element: HtmlElement, group: str) -> Iterator[Link]:
    for child in element:
        if child.tag == "a":
            yield Link(
                group=group,
                label=_words(child),
                href=child.get("href", ""),
                new_tab=child.get("target") == "_blank",
                current=child.get("aria-current") == "page",
            )
        else:
            summary = child.find("summary")
            yield from _links(child, group if summary is None else _words(summary))


def _words(element: HtmlElement) -> str:
    return " ".join("".join(_texts(element)).split())


def _texts(element: HtmlElement) -> Iterator[str]:
    if isinstance(element.tag, str) and _UNSEEN not in element.get("class", "").split():
        yield element.text or ""
        for child in element:
            yield from _texts(child)
            yield "" if child.tag in _IN_LINE else " "
            yield child.tail or ""
