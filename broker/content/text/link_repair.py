"""Repair links: resolve redirects, and replace dead links by their words."""

from collections.abc import Callable, Set
from typing import TypeVar

from lxml.html import HtmlElement

from broker import routes
from broker.content.snapshot.serialisation import map_strings, strings_in, to_plain
from broker.content.text.page_addresses import PageAnchors, is_lender_page
from broker.content.text.sanitise import element_ids, single_line
from broker.markup import fragment_html, parse_fragment

Model = TypeVar("Model")

ReportLink = Callable[[str, str], object]
"""Callback for a dead link: its words and its target."""


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
        own = frozenset(name for text in texts if " id=" in text for name in element_ids(text))
        return map_strings(given, lambda text: self._repaired(text, own, report) if "<a" in text else text)

    def _repaired(self, text: str, own: Set[str], report: ReportLink) -> str:
        """Return HTML without dead links; as it is where it has none."""
        root, is_changed = parse_fragment(text), False
        for link in list(root.iter("a")):
            given = link.get("href", "")
            target = self.target(given, own) if given else ""
            if target and target == given:
                continue
            is_changed = True
            if target:
                link.set("href", target)
                continue
            if "href" in link.attrib:
                report(single_line(" ".join(link.itertext())), given)
            _remove_link(link)
        return fragment_html(root) if is_changed else text


def _remove_link(link: HtmlElement) -> None:
    """Leave the words of a link; one that others may lead to keeps its id."""
    own = link.get("id")
    if own is None:
        link.drop_tag()
        return
    link.tag = "span"
    link.attrib.clear()
    link.set("id", own)
