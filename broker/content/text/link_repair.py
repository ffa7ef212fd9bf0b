"""Links that lead somewhere: those of a text in one hop, dead ones taken out so that only their words are left."""

from __future__ import annotations

import re
from collections.abc import Callable, Set
from html import escape, unescape
from typing import TypeVar

from broker import routes
from broker.content.snapshot.serialisation import map_strings, strings_in, to_plain
from broker.content.text.page_addresses import PageAnchors, is_lender_page
from broker.content.text.sanitise import heading_ids, plain_text

Model = TypeVar("Model")

ReportLink = Callable[[str, str], object]
"""What is told of a dead link: its words, and where it led."""

_LINK = re.compile(r'<a\b(?P<attributes>(?:[^>"]|"[^"]*")*)>(?P<words>.*?)</a>', re.DOTALL)
_HREF = re.compile(r'\bhref="([^"]*)"')


class LinkRepair:
    """The pages of a site: `known` with the places on each, and lenders by slug, None where any may have a page."""

    def __init__(self, known: PageAnchors, lenders: Set[str] | None = None) -> None:
        """Keep the pages."""
        self._known, self._lenders = known, lenders

    def target(self, link: str, own: Set[str] = frozenset()) -> str:
        """Return where a link leads, in one hop; empty where there is no such page. `own` are the ids of its page."""
        if not link.startswith(("/", "#")):
            return link
        whole, _, place = link.partition("#")
        path, mark, query = whole.partition("?")
        if not path:
            return link if place in own else ""
        path = routes.permanent(path) or path
        if is_lender_page(path):
            return path if self._lenders is None or path.split("/")[2] in self._lenders else ""
        if path not in self._known:
            return ""
        return path + mark + query + (f"#{place}" if place in self._known[path] else "")

    def model(self, given: Model, told: ReportLink = lambda _words, _link: None) -> Model:
        """Return a model whose every html has live links alone; `told` hears of each other."""
        texts = tuple(strings_in(to_plain(given)))
        if not any("<a" in text for text in texts):
            return given
        own = frozenset(heading_ids("".join(texts)))
        return map_strings(given, lambda text: _LINK.sub(lambda link: self._live(link, own, told), text))

    def _live(self, link: re.Match[str], own: Set[str], told: ReportLink) -> str:
        found = _HREF.search(link["attributes"])
        if not found:
            return link["words"]
        given = unescape(found[1])
        if target := self.target(given, own):
            return link[0] if target == given else link[0].replace(found[0], f'href="{escape(target)}"', 1)
        told(plain_text(link["words"]), given)
        return link["words"]
