"""Readers for documents of services, pages and questions. Bodies have `# name` sections; questions are in `# faqs`."""

from broker.content.files.field_checks import (
    PATH,
    SLUG,
    matching_text,
    read_body,
    read_calculators,
    read_customers,
    read_questions,
    read_sections,
)
from broker.content.files.validated_record import Record
from broker.content.models.pages import DESCRIPTION_LIMIT, TITLE_LIMIT, ContentPage, Door, Faq, PageKind, Service, Theme
from broker.content.text.markdown import render_markdown

_META = ("meta_title", "description", "updated", "summary", "title")
_SERVICE = (*_META, "slug", "short_title", "theme", "door", "author", "calculators", "customers", "order")
_PAGE = (*_META, "path", "kind", "draft", "calculators")


def read_service(record: Record, body: str) -> Service:
    """Read a service from the sections section_1, section_2, faqs and footer_disclaimer."""
    record.allow(*_SERVICE)
    texts = read_sections(record, body, names=("section_1", "section_2", "faqs", "footer_disclaimer"))
    return Service(
        slug=matching_text(record, "slug", pattern=SLUG),
        title=record.text("title"),
        short_title=record.text("short_title"),
        meta_title=record.short("meta_title", TITLE_LIMIT),
        description=record.short("description", DESCRIPTION_LIMIT),
        theme=record.one_of("theme", Theme),
        door=record.one_of("door", Door),
        summary=record.text("summary"),
        author=record.text("author"),
        updated=record.day("updated"),
        section_1=render_markdown(texts["section_1"]).html,
        section_2=render_markdown(texts["section_2"]).html,
        calculators=read_calculators(record),
        faqs=read_questions(record, texts["faqs"]),
        footer_disclaimer=render_markdown(texts["footer_disclaimer"]).html,
        order=record.number("order"),
        customers=read_customers(record),
    )


def read_page(record: Record, body: str) -> ContentPage:
    """Read a page; the section faqs is optional."""
    record.allow(*_PAGE)
    before, _, faqs = body.partition("\n# faqs\n")
    text = read_body(record, before)
    return ContentPage(
        path=matching_text(record, "path", pattern=PATH),
        title=record.text("title"),
        meta_title=record.short("meta_title", TITLE_LIMIT),
        description=record.short("description", DESCRIPTION_LIMIT),
        kind=record.one_of("kind", PageKind),
        updated=record.day("updated"),
        summary=record.text("summary"),
        html=text.html,
        headings=text.headings,
        faqs=read_questions(record, faqs) if faqs else (),
        draft=record.boolean("draft"),
        calculators=read_calculators(record),
    )


def read_faq_document(record: Record, body: str) -> tuple[Faq, ...]:
    """Read a document of questions only."""
    record.allow("updated")
    record.day("updated")
    if not body.strip():
        record.refuse("the body is empty", None)
    return read_questions(record, body)
