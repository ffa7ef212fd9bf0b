"""Read a content folder: every document as far as possible, and every fault of a single document.

`consistency` finds the faults between documents. Only a folder without faults may be shown.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from broker.calculators.registry import CALCULATORS
from broker.content.errors import ContentError
from broker.content.files import page_documents
from broker.content.files.front_page_documents import read_front_page
from broker.content.files.guide_documents import read_guide, read_town
from broker.content.files.lender_documents import read_lender_text
from broker.content.files.menu_file import read_menus
from broker.content.files.site_reader import read_reviews, read_site, site_facts
from broker.content.files.validated_record import Record, read_document, read_json
from broker.content.models.front_pages import FrontPage
from broker.content.models.guides import Guide, Town
from broker.content.models.lenders import LenderText
from broker.content.models.menu import Menus
from broker.content.models.pages import ContentPage, DealPage, Faq, Review, Service
from broker.content.models.site import Site
from broker.content.text.facts import read_facts
from broker.lending.money import number_word

Entry = TypeVar("Entry")

_MISSING_FACT = "https://unknown.invalid/"
"""Stand-in for an unreadable placeholder value; content with it is never shown."""

MENUS, FACTS, LENDERS, FRONT = "menus.json", "facts.json", "lenders", "front-pages"


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


def read_content(folder: Path) -> Content:
    """Read a folder with all faults of its documents."""
    reader = _Reader(folder=folder)
    site = reader.json_file("site.json", read_site, facts={})
    given = reader.json_file(FACTS, read_facts, facts={})
    facts = {name: fact or _MISSING_FACT for name, fact in (site_facts(site) | given | _counts(folder)).items()}
    return Content(
        folder=folder,
        placeholders=facts,
        site=site,
        menus=reader.json_file(MENUS, read_menus, facts=facts),
        reviews=reader.json_file("reviews.json", read_reviews, facts=facts),
        services=reader.documents("services", page_documents.read_service, facts=facts),
        front_pages=reader.documents(FRONT, read_front_page, facts=facts),
        pages=reader.documents("pages", page_documents.read_page, facts=facts),
        deals=reader.documents("deals", page_documents.read_deal_page, facts=facts),
        guides=reader.documents("guides", read_guide, facts=facts),
        towns=reader.documents("towns", read_town, facts=facts),
        lenders=reader.documents(LENDERS, read_lender_text, facts=facts),
        faqs=reader.documents("faqs", page_documents.read_faq_document, facts=facts),
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
    """Reader of a folder's files that collects faults."""

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

    def documents(
        self, name: str, make: Callable[[Record, str], Entry], *, facts: Mapping[str, str]
    ) -> dict[Path, Entry]:
        """Read the Markdown documents of a folder, by file."""
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
            if found:
                self.faulty.append(path)
                self.faults.extend(found)
        return entries
