"""Pages of the site with their anchors, and the repair of links to pages or anchors that do not exist."""

import re
from collections.abc import Callable, Iterable, Mapping, Set
from typing import TypeVar

from lxml.html import HtmlElement

from broker import routes
from broker.calculators import registry
from broker.content.models.glossary import Term
from broker.content.models.pages import FRONT_PAGES, ContentPage, DealPage, FrontPage, Guide, Service, Town
from broker.content.snapshot.serialisation import map_strings, strings_in, to_plain
from broker.content.text.sanitise import element_ids, single_line
from broker.markup import fragment_html, parse_fragment
from broker.rates.deal_types import DEAL_TYPES

_KINDS = "|".join(re.escape(kind.slug) for kind in DEAL_TYPES)
_LENDER = re.compile(rf"{routes.LENDERS}[a-z0-9]+(-[a-z0-9]+)*/(({_KINDS})/)?")

_CUSTOMER_TYPES = "doors"
"""Anchor of the choice of customer type on the home page."""

_FORMS = {routes.CONTACT: frozenset({routes.CALLBACK.partition("#")[2]})}
"""Anchors of the forms on text pages."""

PageAnchors = Mapping[str, frozenset[str]]
"""Anchors of each page, by its canonical path."""

ReportLink = Callable[[str, str], object]
"""Receives the words and the target of a dead link."""

Model = TypeVar("Model")


def page_anchors(
    *,
    services: Iterable[Service],
    front_pages: Iterable[FrontPage],
    pages: Iterable[ContentPage | DealPage],
    guides: Iterable[Guide],
    towns: Iterable[Town],
    terms: Iterable[Term],
) -> PageAnchors:
    """Return every page except those of lenders, with its anchors."""
    services = tuple(services)
    none: frozenset[str] = frozenset()
    return {
        **dict.fromkeys((*routes.PAGES_IN_CODE, *FRONT_PAGES), none),
        routes.GLOSSARY: frozenset(term.slug for term in terms),
        **{page.path: _front_anchors(page) for page in front_pages},
        **{routes.calculator(each.slug): frozenset({each.slug}) for each in registry.CALCULATORS},
        **{routes.guides(service.slug): none for service in services},
        **{routes.service(each.slug): _anchors(each.section_1 + each.section_2) for each in services},
        **{page.path: _anchors(page.html) | _FORMS.get(page.path, none) for page in pages},
        **{routes.guide(guide.url): _anchors(guide.html) for guide in guides},
        **{routes.town(town.slug): _anchors(town.html) for town in towns},
    }


def is_lender_page(path: str) -> bool:
    """Return whether a path has the form of a lender page, or of a lender's page for a kind of deal.

    The content does not have the lenders, which come from the rate source.
    """
    return _LENDER.fullmatch(path) is not None


def _front_anchors(page: FrontPage) -> frozenset[str]:
    if page.path == routes.HOME:
        return _anchors(page.html) | {_CUSTOMER_TYPES}
    if page.path != routes.CALCULATORS:
        return _anchors(page.html)
    return _anchors(page.html) | {*(page.calculators or (each.slug for each in registry.active_calculators(())))}


def _anchors(html: str) -> frozenset[str]:
    return frozenset(element_ids(html))


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
        """Return whether a lender page may exist."""
        return self._lenders is None or path.split("/")[2] in self._lenders

    def model(self, given: Model, report: ReportLink = lambda _words, _link: None) -> Model:
        """Return a model without dead links; each is passed to `report`."""
        texts = tuple(strings_in(to_plain(given)))
        if not any("<a" in text for text in texts):
            return given
        own = frozenset(name for text in texts if " id=" in text for name in element_ids(text))
        return map_strings(given, lambda text: self._repaired(text, own, report) if "<a" in text else text)

    def _repaired(self, text: str, own: Set[str], report: ReportLink) -> str:
        """Return HTML without dead links; unchanged without any."""
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
    """Replace a link by its words, in a span with its id if it has one."""
    own = link.get("id")
    if own is None:
        link.drop_tag()
        return
    link.tag = "span"
    link.attrib.clear()
    link.set("id", own)
