"""The content of a folder of JSON files and Markdown documents: read, checked, and as a content store."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain, pairwise
from pathlib import Path
from typing import TypeVar

from broker import routes
from broker.calculators.registry import CALCULATORS
from broker.content.errors import ContentError
from broker.content.files.glossary_file import read_glossary
from broker.content.files.json_files import read_facts, read_menus, read_reviews, read_site, site_facts
from broker.content.files.markdown_files import (
    read_deal_page,
    read_faq_document,
    read_front_page,
    read_guide,
    read_lender_text,
    read_page,
    read_service,
    read_town,
)
from broker.content.files.validated_record import Record, read_document, read_json
from broker.content.menus import MenuItem, Menus
from broker.content.models.glossary import Glossary
from broker.content.models.lenders import LenderKind, LenderText
from broker.content.models.pages import (
    FRONT_PAGES,
    ContentPage,
    DealPage,
    Faq,
    FrontPage,
    Guide,
    Review,
    Service,
    Town,
    in_reading_order,
)
from broker.content.models.site import Site
from broker.content.store import ContentStore, SiteContent
from broker.content.text.links import PageAnchors, is_lender_page, page_anchors
from broker.lending.money import number_word
from broker.markup import HEADINGS, parse_fragment

Entry = TypeVar("Entry")

_MISSING_FACT = "https://unknown.invalid/"
"""Value of a placeholder that cannot be read; content with it is never shown."""

_MENUS, _FACTS, _GLOSSARY, _LENDERS, _FRONT = "menus.json", "facts.json", "glossary.md", "lenders", "front-pages"


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """The content of a folder, each document by its file; `faults` are those of single documents.

    A document with a fault is incomplete; one that cannot be read is absent.
    """

    folder: Path
    placeholders: Mapping[str, str]
    """The value of each `{{ name }}` in a text."""
    site: Site
    menus: Menus
    reviews: tuple[Review, ...]
    glossary: Glossary
    services: Mapping[Path, Service]
    front_pages: Mapping[Path, FrontPage]
    pages: Mapping[Path, ContentPage]
    deals: Mapping[Path, DealPage]
    guides: Mapping[Path, Guide]
    towns: Mapping[Path, Town]
    lenders: Mapping[Path, tuple[str, LenderText]]
    """Lender texts with their key: a kind of lender, or a lender's slug."""
    faqs: Mapping[Path, tuple[Faq, ...]]
    faults: tuple[ContentError, ...]
    faulty: frozenset[Path]
    """Files of documents with a fault."""


class EmbeddedStore(ContentStore):
    """The content of a folder; making one raises ContentError at the first fault."""

    def __init__(self, folder: Path) -> None:
        content = read_content(folder)
        if fault := next(find_faults(content), None):
            raise fault
        super().__init__(
            SiteContent(
                site=content.site,
                menus=content.menus,
                services=tuple(sorted(content.services.values(), key=lambda service: service.order)),
                front_pages={page.path: page for page in content.front_pages.values()},
                pages=tuple(sorted(content.pages.values(), key=lambda page: page.path)),
                deal_pages=tuple(sorted(content.deals.values(), key=lambda page: page.path)),
                guides=in_reading_order(content.guides.values()),
                towns=tuple(sorted(content.towns.values(), key=lambda town: town.name)),
                lenders=dict(content.lenders.values()),
                faqs=_faqs(content),
                reviews=content.reviews,
                glossary=content.glossary,
                banners={},
                looks={},
            )
        )


def _faqs(content: Content) -> dict[str, tuple[Faq, ...]]:
    topics = {path.stem: faqs for path, faqs in content.faqs.items()}
    topics |= {service.slug: service.faqs for service in content.services.values()}
    return topics | {page.path: page.faqs for page in content.pages.values() if page.faqs}


def read_content(folder: Path) -> Content:
    """Read a folder with all faults of its documents."""
    reader = _Reader(folder=folder)
    site = reader.json_file("site.json", read_site, facts={})
    given = reader.json_file(_FACTS, read_facts, facts={})
    facts = {name: fact or _MISSING_FACT for name, fact in (site_facts(site) | given | _counts(folder)).items()}
    return Content(
        folder=folder,
        placeholders=facts,
        site=site,
        menus=reader.json_file(_MENUS, read_menus, facts=facts),
        reviews=reader.json_file("reviews.json", read_reviews, facts=facts),
        glossary=reader.document(_GLOSSARY, read_glossary, facts=facts),
        services=reader.documents("services", read_service, facts=facts),
        front_pages=reader.documents(_FRONT, read_front_page, facts=facts),
        pages=reader.documents("pages", read_page, facts=facts),
        deals=reader.documents("deals", read_deal_page, facts=facts),
        guides=reader.documents("guides", read_guide, facts=facts),
        towns=reader.documents("towns", read_town, facts=facts),
        lenders=reader.documents(_LENDERS, read_lender_text, facts=facts),
        faqs=reader.documents("faqs", read_faq_document, facts=facts),
        faults=tuple(reader.faults),
        faulty=frozenset(reader.faulty),
    )


def _counts(folder: Path) -> dict[str, str]:
    """Return the numbers that texts may state, in words: `{{ count.calculators }}` and the like."""
    counts = {name: len(list((folder / name).glob("*.md"))) for name in ("guides", "services", "towns")}
    counts["calculators"] = len(CALCULATORS)
    return {f"count.{name}": number_word(count) for name, count in counts.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reader:
    folder: Path
    faults: list[ContentError] = field(default_factory=list)
    faulty: list[Path] = field(default_factory=list)

    def json_file(self, name: str, make: Callable[[Record], Entry], *, facts: Mapping[str, str]) -> Entry:
        path = self.folder / name
        found: list[ContentError] = []
        try:
            record = read_json(path, facts, found=found)
        except ContentError as error:
            self.faults.append(error)
            record = Record(source=str(path), values={}, facts=facts, found=[])
        entry = make(record)
        self.faults.extend(found)
        return entry

    def document(self, name: str, make: Callable[[Record, str], Entry], *, facts: Mapping[str, str]) -> Entry:
        path, found = self.folder / name, list[ContentError]()
        try:
            record, body = read_document(path, facts, found=found)
        except ContentError as error:
            found.append(error)
            record, body = Record(source=str(path), values={}, facts=facts, found=[]), ""
        entry = make(record, body)
        self.add_faults(path, found)
        return entry

    def documents(
        self, name: str, make: Callable[[Record, str], Entry], *, facts: Mapping[str, str]
    ) -> dict[Path, Entry]:
        folder = self.folder / name
        if not folder.is_dir():
            self.faults.append(ContentError(folder, "no such folder"))
            return {}
        entries: dict[Path, Entry] = {}
        for path in sorted(folder.glob("*.md")):
            found: list[ContentError] = []
            try:
                entries[path] = make(*read_document(path, facts, found=found))
            except ContentError as error:
                found.append(error)
            self.add_faults(path, found)
        return entries

    def add_faults(self, path: Path, found: Iterable[ContentError]) -> None:
        if faults := tuple(found):
            self.faulty.append(path)
            self.faults.extend(faults)


def find_faults(content: Content) -> Iterator[ContentError]:
    """Yield every fault of a content folder: first those of single documents, then those between documents."""
    return chain(
        content.faults,
        _repeats(content),
        _missing_kinds(content),
        _missing_front_pages(content),
        _missing_references(content),
        _skipped_heading_levels(content),
        _dead_links(content),
    )


def _repeats(content: Content) -> Iterator[ContentError]:
    services, deals, guides, towns = content.services, content.deals, content.guides, content.towns
    glossary = content.folder / _GLOSSARY
    yield from _repeated("slug", ((path, service.slug) for path, service in services.items()))
    yield from _repeated("path", _paths(content))
    every = {**services, **content.front_pages, **content.pages, **deals, **guides, **towns, glossary: content.glossary}
    for name in ("title", "meta_title", "description"):
        yield from _repeated(name, ((path, getattr(entry, name)) for path, entry in every.items()))
    yield from _repeated("slug", ((path, guide.url) for path, guide in guides.items()))
    yield from _repeated("slug", ((path, town.slug) for path, town in towns.items()))
    for what, named in _kinds(content):
        yield from _repeated(what, ((path, value) for path, value in named if path not in content.faulty))


def _paths(content: Content) -> Iterator[tuple[Path, str]]:
    documents = {**content.front_pages, **content.pages, **content.deals}
    yield from ((path, routes.service(service.slug)) for path, service in content.services.items() if service.slug)
    yield from ((path, page.path) for path, page in documents.items())


def _kinds(content: Content) -> Iterator[tuple[str, Iterable[tuple[Path, str]]]]:
    """Yield values that must be unique and have a fixed set; a faulty document may have any of them."""
    services = content.services.items()
    yield "customer type", [(path, customer) for path, service in services for customer in service.customers]
    yield "customer type", [(path, deal.customer) for path, deal in content.deals.items()]
    yield "kind or slug", [(path, key) for path, (key, _) in content.lenders.items()]


def _repeated(what: str, named: Iterable[tuple[Path, str]]) -> Iterator[ContentError]:
    """Yield a fault for each repeated value; an empty one is reported as missing."""
    seen: dict[str, Path] = {}
    for path, value in named:
        if value in seen:
            yield ContentError(path, f"duplicate {what} {value!r}, already in {seen[value].name}")
        elif value:
            seen[value] = path


def _missing_kinds(content: Content) -> Iterator[ContentError]:
    """Yield the kinds of lender without a document, unless one of that folder has a fault."""
    folder, there = content.folder / _LENDERS, {key for key, _ in content.lenders.values()}
    missing = [kind for kind in LenderKind if kind not in there]
    if missing and folder.is_dir() and folder not in {path.parent for path in content.faulty}:
        yield ContentError(folder, f"no document of the kind {', '.join(missing)}")


def _missing_front_pages(content: Content) -> Iterator[ContentError]:
    """Yield the front pages without a document, unless one of that folder has a fault."""
    folder, there = content.folder / _FRONT, {page.path for page in content.front_pages.values()}
    missing = [path for path in FRONT_PAGES if path not in there]
    if missing and folder.is_dir() and folder not in {path.parent for path in content.faulty}:
        yield ContentError(folder, f"no document of the page {', '.join(missing)}")


def _missing_references(content: Content) -> Iterator[ContentError]:
    """Yield the services, guides and towns that refer to an unknown guide or town, or to themselves."""
    faulty = {path.stem for path in content.faulty}
    urls = {guide.url for guide in content.guides.values()} | faulty
    slugs = {town.slug for town in content.towns.values()} | faulty
    for path, service in content.services.items():
        if lost := [url for url in service.guides if url not in urls]:
            yield ContentError(path, f"guides that are not there: {', '.join(lost)}")
    for path, guide in content.guides.items():
        if lost := [url for url in guide.related if url not in urls - {guide.url}]:
            yield ContentError(path, f"related guides that are not there: {', '.join(lost)}")
    for path, town in content.towns.items():
        if lost := [slug for slug in town.near if slug not in slugs - {town.slug}]:
            yield ContentError(path, f"towns near that are not there: {', '.join(lost)}")


def _skipped_heading_levels(content: Content) -> Iterator[ContentError]:
    for path, html in _texts(content):
        levels = [
            2 if path.parent.name == _LENDERS else 1,
            *(int(heading.tag[1]) for heading in parse_fragment(html).iter(*HEADINGS)),
        ]
        if jumps := [f"h{above} to h{below}" for above, below in pairwise(levels) if below > above + 1]:
            yield ContentError(path, f"headings out of order: {', '.join(jumps)}")


_EXTERNAL = ("https://", "mailto:", "tel:")


def _dead_links(content: Content) -> Iterator[ContentError]:
    """Yield a fault for each dead link of a text, a lender's list or a menu.

    A link to a page whose own document has a fault is no fault: that one is reported already.
    """
    known = page_anchors(
        services=content.services.values(),
        front_pages=content.front_pages.values(),
        pages=(*content.pages.values(), *content.deals.values()),
        guides=content.guides.values(),
        towns=content.towns.values(),
        terms=content.glossary.terms,
    )
    faulty = frozenset(path.stem for path in content.faulty)
    for path, link in _links(content):
        fault = _link_fault(link, known)
        if fault and not faulty & _names(link):
            yield ContentError(path, fault)


def _link_fault(link: str, known: PageAnchors) -> str:
    """Return the fault of a link, or an empty string; links to other sites must be secure."""
    if not link.startswith(("/", "#")):
        return "" if link.startswith(_EXTERNAL) else f"link {link!r} is neither of this site nor secure"
    path, _, place = link.partition("#")
    path = path.partition("?")[0]
    if is_lender_page(path):
        return ""
    if path not in known:
        moved = routes.permanent(path) if path else None
        return f"dead link {link!r}: no such page" if not moved else f"link {link!r} is redirected to {moved!r}"
    return f"dead link {link!r}: no such place on that page" if place and place not in known[path] else ""


def _names(link: str) -> frozenset[str]:
    """Return the possible names of the file of a link's page."""
    parts = link.partition("#")[0].split("/")
    return frozenset(parts) | {part.removeprefix(routes.town("").strip("/")) for part in parts}


def _links(content: Content) -> Iterator[tuple[Path | str, str]]:
    """Yield every link with its file; menu links as the site shows them."""
    for path, html in _texts(content):
        yield from ((path, link) for link in parse_fragment(html).xpath("//@href"))
    for path, (_, lender) in content.lenders.items():
        yield path, lender.view_all_link
    for term in content.glossary.terms:
        if term.see:
            yield f"{content.folder / _GLOSSARY}, line {term.line}", term.see
    menus = content.menus
    for menu in (menus.main, menus.services, menus.footer, menus.promotion_services, menus.sitemap):
        for item in menu.items if menu else ():
            yield from ((content.folder / _MENUS, link) for link in _item_links(item))


def _texts(content: Content) -> Iterator[tuple[Path, str]]:
    for path, service in content.services.items():
        yield path, service.section_1 + service.section_2 + service.footer_disclaimer + _answers(service.faqs)
    for path, page in content.pages.items():
        yield path, page.html + _answers(page.faqs)
    for path, entry in (*content.front_pages.items(), *content.deals.items(), *content.guides.items()):
        yield path, entry.html
    for path, town in content.towns.items():
        yield path, town.html + _answers(town.faqs)
    for path, (_, text) in content.lenders.items():
        yield path, text.banner_content + text.fixed_section_content + "".join(part.html for part in text.details)
    for path, faqs in content.faqs.items():
        yield path, _answers(faqs)


def _answers(faqs: tuple[Faq, ...]) -> str:
    return "".join(faq.answer for faq in faqs)


def _item_links(item: MenuItem) -> Iterator[str]:
    """Yield the links of an entry and its children, with redirects resolved."""
    if item.path:
        yield routes.permanent(item.path) or item.path
    for child in item.children:
        yield from _item_links(child)
