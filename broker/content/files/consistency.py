"""Checks between documents: duplicates, missing references, dead links and the order of headings."""

from collections.abc import Iterable, Iterator
from itertools import chain, pairwise
from pathlib import Path

from broker import routes
from broker.content.errors import ContentError
from broker.content.files.content_reader import FRONT, LENDERS, Content
from broker.content.models.lenders import LenderKind
from broker.content.models.pages import FRONT_PAGES
from broker.content.text.links import find_link_faults, texts
from broker.markup import HEADINGS, parse_fragment


def find_faults(content: Content) -> Iterator[ContentError]:
    """Yield every fault of a content folder: first those of single documents, then those between documents."""
    return chain(
        content.faults,
        _repeats(content),
        _missing_kinds(content),
        _missing_front_pages(content),
        _missing_references(content),
        _skipped_heading_levels(content),
        find_link_faults(content),
    )


def _repeats(content: Content) -> Iterator[ContentError]:
    services, deals, guides, towns = content.services, content.deals, content.guides, content.towns
    yield from _repeated("slug", ((path, service.slug) for path, service in services.items()))
    yield from _repeated("path", _paths(content))
    every = {**services, **content.front_pages, **content.pages, **deals, **guides, **towns}
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
    folder, there = content.folder / LENDERS, {key for key, _ in content.lenders.values()}
    missing = [kind for kind in LenderKind if kind not in there]
    if missing and folder.is_dir() and folder not in {path.parent for path in content.faulty}:
        yield ContentError(folder, f"no document of the kind {', '.join(missing)}")


def _missing_front_pages(content: Content) -> Iterator[ContentError]:
    """Yield the front pages without a document, unless one of that folder has a fault."""
    folder, there = content.folder / FRONT, {page.path for page in content.front_pages.values()}
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
    for path, html in texts(content):
        levels = [
            2 if path.parent.name == LENDERS else 1,
            *(int(heading.tag[1]) for heading in parse_fragment(html).iter(*HEADINGS)),
        ]
        if jumps := [f"h{above} to h{below}" for above, below in pairwise(levels) if below > above + 1]:
            yield ContentError(path, f"headings out of order: {', '.join(jumps)}")
