"""Read a content folder: every document as far as possible, and every fault of a single document.

`consistency` finds the faults between documents. Only a folder without faults may be shown.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from broker.calculators.registry import CALCULATORS
from broker.content.errors import ContentError
from broker.content.files import validated_record
from broker.content.files.guide_documents import read_guide, read_town
from broker.content.files.lender_documents import read_lender_text
from broker.content.files.site_reader import read_reviews, read_site, site_facts
from broker.content.files.validated_record import Record, read_document, read_json
from broker.content.models.lenders import LenderText
from broker.content.models.menu import NEW_TAB, Menu, MenuItem, Menus, class_names
from broker.content.models.pages import (
    FRONT_PAGES,
    SECTIONS,
    ContentPage,
    DealPage,
    Door,
    Faq,
    FrontPage,
    Guide,
    PageKind,
    Review,
    SectionWords,
    Service,
    Step,
    Theme,
    Town,
)
from broker.content.models.site import Site
from broker.content.text.facts import read_facts
from broker.content.text.markdown import render_markdown
from broker.lending.money import number_word
from broker.rates.customers import Customer


def read_front_page(record: Record, body: str) -> FrontPage:
    """Read a front page; its body, a text for the end of the page, is optional."""
    record.allow(*validated_record.META, "path", "points", "calculators", "sections")
    text = validated_record.read_body(record, body) if body.strip() else render_markdown("")
    path = record.text("path")
    if path and path not in FRONT_PAGES:
        record.refuse(f"unknown path {path!r}; known are {', '.join(FRONT_PAGES)}", None)
    return FrontPage(
        **validated_record.read_meta(record, body),
        path=path,
        html=text.html,
        headings=text.headings,
        points=record.texts("points"),
        calculators=validated_record.read_calculators(record),
        sections=_sections(record, SECTIONS.get(path, ())),
    )


def _sections(record: Record, names: tuple[str, ...]) -> dict[str, SectionWords]:
    """Return the sections of a page, which are all required."""
    if not names:
        if "sections" in record.values:
            record.refuse(f"sections are for {', '.join(SECTIONS)} alone", None)
        return {}
    sections = record.record("sections")
    sections.allow(*names)
    return {name: _section(sections.record(name)) for name in names}


def _section(record: Record) -> SectionWords:
    record.allow("heading", "lead", "steps")
    return SectionWords(
        heading=record.text("heading"),
        lead=record.optional("lead"),
        steps=tuple(_step(step) for step in record.records("steps")),
    )


def _step(record: Record) -> Step:
    record.allow("title", "text")
    return Step(title=record.text("title"), text=record.text("text"))


def read_menus(record: Record) -> Menus:
    """Read the menus; faults are repeated ids, missing labels, and entries without path or children."""
    names = ("services", "footer", "promotion_services", "sitemap")
    record.allow("main", *names)
    main = _menu(record, "main") if "main" in record.values else None
    return Menus(main=main, **{name: _menu(record, name) for name in names})


def _menu(record: Record, name: str) -> Menu:
    seen: set[str] = set()
    items = tuple(_item(entry, parent="", seen=seen) for entry in record.records(name))
    if not items:
        record.refuse(f"menu {name} is empty", None)
    return Menu(id=name, items=items)


def _item(record: Record, *, parent: str, seen: set[str]) -> MenuItem:
    record.allow("id", "label", "path", "title", "target", "css_classes", "children")
    key, path, target = record.text("id"), record.optional("path"), record.optional("target")
    if key in seen:
        record.refuse(f"duplicate id {key!r}", None)
    seen.add(key)
    if path and not path.startswith(("/", "https://")):
        record.refuse(f"path must begin with / or https://, not {path!r}", None)
    if target not in ("", NEW_TAB):
        record.refuse(f"target must be {NEW_TAB} or absent, not {target!r}", None)
    children = tuple(_item(entry, parent=key, seen=seen) for entry in record.records("children"))
    if not path and not children:
        record.refuse(f"{key!r} has neither a path nor children", None)
    return MenuItem(
        id=key,
        label=record.text("label"),
        path=path,
        parent=parent,
        title=record.optional("title"),
        target=target,
        css_classes=class_names(record.texts("css_classes")),
        children=children,
    )


_SERVICE = ("slug", "short_title", "heading", "theme", "door", "author", "calculators", "customers", "order", "guides")
_PARTS = ("section_1", "section_2", "faqs")


def read_service(record: Record, body: str) -> Service:
    """Read a service from the sections section_1, section_2, faqs and footer_disclaimer."""
    record.allow(*validated_record.META, *_SERVICE)
    texts = validated_record.read_sections(record, body, names=_PARTS, optional=("footer_disclaimer",))
    return Service(
        **validated_record.read_meta(record, body),
        slug=validated_record.matching_text(record, "slug", pattern=validated_record.SLUG),
        short_title=record.text("short_title"),
        heading=record.optional("heading"),
        theme=record.one_of("theme", Theme),
        door=record.one_of("door", Door),
        author=record.text("author"),
        section_1=render_markdown(texts["section_1"]).html,
        section_2=render_markdown(texts["section_2"]).html,
        calculators=validated_record.read_calculators(record),
        faqs=validated_record.read_questions(record, texts["faqs"]),
        footer_disclaimer=render_markdown(texts["footer_disclaimer"]).html,
        order=record.number("order"),
        customers=validated_record.read_customers(record),
        guides=record.texts("guides"),
    )


def read_page(record: Record, body: str) -> ContentPage:
    """Read a page; the section faqs is optional."""
    record.allow(*validated_record.META, "path", "kind", "draft", "calculators")
    before, _, faqs = body.partition("\n# faqs\n")
    text = validated_record.read_body(record, before)
    return ContentPage(
        **validated_record.read_meta(record, body),
        path=validated_record.matching_text(record, "path", pattern=validated_record.PATH),
        kind=record.one_of("kind", PageKind),
        html=text.html,
        headings=text.headings,
        faqs=validated_record.read_questions(record, faqs) if faqs else (),
        draft=record.boolean("draft"),
        calculators=validated_record.read_calculators(record),
    )


def read_faq_document(record: Record, body: str) -> tuple[Faq, ...]:
    """Read a document of questions only."""
    record.allow("updated")
    record.day("updated")
    if not body.strip():
        record.refuse("the body is empty", None)
    return validated_record.read_questions(record, body)


def read_deal_page(record: Record, body: str) -> DealPage:
    record.allow(*validated_record.META, "path", "customer", "author")
    text = validated_record.read_body(record, body)
    return DealPage(
        **validated_record.read_meta(record, body),
        path=validated_record.matching_text(record, "path", pattern=validated_record.PATH),
        customer=record.one_of("customer", Customer).value,
        author=record.text("author"),
        html=text.html,
        headings=text.headings,
    )


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
        services=reader.documents("services", read_service, facts=facts),
        front_pages=reader.documents(FRONT, read_front_page, facts=facts),
        pages=reader.documents("pages", read_page, facts=facts),
        deals=reader.documents("deals", read_deal_page, facts=facts),
        guides=reader.documents("guides", read_guide, facts=facts),
        towns=reader.documents("towns", read_town, facts=facts),
        lenders=reader.documents(LENDERS, read_lender_text, facts=facts),
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
