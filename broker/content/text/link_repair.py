"""Repair links: resolve redirects, and replace dead links by their words."""

import re
from collections.abc import Callable, Set
from html import unescape
from typing import TypeVar

from markupsafe import Markup

from broker import routes
from broker.content.snapshot.serialisation import map_strings, strings_in, to_plain
from broker.content.text.page_addresses import PageAnchors, is_lender_page
from broker.content.text.sanitise import element_ids, plain_text

Model = TypeVar("Model")

ReportLink = Callable[[str, str], object]
"""Callback for a dead link: its words and its target."""

_LINK = re.compile(r'<a\b(?P<attributes>(?:[^>"]|"[^"]*")*)>(?P<words>.*?)</a>', re.DOTALL)
_HREF = re.compile(r'\bhref="([^"]*)"')
_ID = re.compile(r'\bid="([^"]*)"')


class LinkRepair:
    """Link repair for a site with the pages `known`, and the lenders by slug; None if any lender may have a page."""

    def __init__(self, known: PageAnchors, lenders: Set[str] | None = None) -> None:
        self._known, self._lenders = known, lenders

    def target(self, link: str, own: Set[str] = frozenset()) -> str:
        """Return the target of a link with redirects resolved, empty for a dead link; `own` are the ids of its page."""
        if not link.startswith(("/", "#")):
            return link
        whole, _, place = link.partition("#")
        path, mark, query = whole.partition("?")
        if not path:
            return link if place in own else ""
        path = routes.permanent(path) or path
        path = next(filter(self._has_lender, routes.former_lender_pages(path)), path)
        if is_lender_page(path):
            return path if self._has_lender(path) else ""
        if path not in self._known:
            return ""
        return path + mark + query + (f"#{place}" if place in self._known[path] else "")

    def _has_lender(self, path: str) -> bool:
        """Return whether the lender of a lender page may have one."""
        return self._lenders is None or path.split("/")[2] in self._lenders

    def model(self, given: Model, report: ReportLink = lambda _words, _link: None) -> Model:
        """Return a model without dead links; each is passed to `report`."""
        texts = tuple(strings_in(to_plain(given)))
        if not any("<a" in text for text in texts):
            return given
        own = frozenset(element_ids("".join(texts)))
        return map_strings(given, lambda text: _LINK.sub(lambda link: self._repaired(link, own, report), text))

    def _repaired(self, link: re.Match[str], own: Set[str], report: ReportLink) -> str:
        found = _HREF.search(link["attributes"])
        if not found:
            return _without_link(link)
        given = unescape(found[1])
        if target := self.target(given, own):
            return link[0] if target == given else link[0].replace(found[0], Markup('href="{}"').format(target), 1)
        report(plain_text(link["words"]), given)
        return _without_link(link)


def _without_link(link: re.Match[str]) -> str:
    """Return the words of a link; one that others may lead to keeps its id."""
    own = _ID.search(link["attributes"])
    return Markup('<span id="{}">{}</span>').format(Markup(own[1]), Markup(link["words"])) if own else link["words"]
