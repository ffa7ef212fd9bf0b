"""Markdown documents with front matter, made into services, pages and questions; every fault is a ContentError.

A body is cut at its `# name` lines. Questions stand under `# faqs`: `### question`, then its answer; `## words` above
starts a group of them.
"""

from __future__ import annotations

from broker.content.files.field_checks import (
    PATH,
    SLUG,
    calculators,
    customers,
    matching,
    named_parts,
    questions,
    text_under_title,
)
from broker.content.files.validated_record import Record
from broker.content.models.pages import DESCRIPTION_LIMIT, TITLE_LIMIT, ContentPage, Door, Faq, PageKind, Service, Theme
from broker.content.text.markdown import written

_META = ("meta_title", "description", "updated", "summary", "title")
_SERVICE = (*_META, "slug", "short_title", "theme", "door", "author", "calculators", "customers", "order")
_PAGE = (*_META, "path", "kind", "draft", "calculators")


def service_in(record: Record, body: str) -> Service:
    """Return the service of a document with the parts section_1, section_2, faqs and footer_disclaimer."""
    record.allow(*_SERVICE)
    texts = named_parts(record, body, names=("section_1", "section_2", "faqs", "footer_disclaimer"))
    return Service(
        slug=matching(record, "slug", pattern=SLUG),
        title=record.text("title"),
        short_title=record.text("short_title"),
        meta_title=record.short("meta_title", TITLE_LIMIT),
        description=record.short("description", DESCRIPTION_LIMIT),
        theme=record.one_of("theme", Theme),
        door=record.one_of("door", Door),
        summary=record.text("summary"),
        author=record.text("author"),
        updated=record.day("updated"),
        section_1=written(texts["section_1"]).html,
        section_2=written(texts["section_2"]).html,
        calculators=calculators(record),
        faqs=questions(record, texts["faqs"]),
        footer_disclaimer=written(texts["footer_disclaimer"]).html,
        order=record.number("order"),
        customers=customers(record),
    )


def page_in(record: Record, body: str) -> ContentPage:
    """Return the page of a document; its part faqs may be absent."""
    record.allow(*_PAGE)
    before, _, faqs = body.partition("\n# faqs\n")
    text = text_under_title(record, before)
    return ContentPage(
        path=matching(record, "path", pattern=PATH),
        title=record.text("title"),
        meta_title=record.short("meta_title", TITLE_LIMIT),
        description=record.short("description", DESCRIPTION_LIMIT),
        kind=record.one_of("kind", PageKind),
        updated=record.day("updated"),
        summary=record.text("summary"),
        html=text.html,
        headings=text.headings,
        faqs=questions(record, faqs) if faqs else (),
        draft=record.switch("draft"),
        calculators=calculators(record),
    )


def faqs_in(record: Record, body: str) -> tuple[Faq, ...]:
    """Return the questions of a document that holds nothing else."""
    record.allow("updated")
    record.day("updated")
    if not body.strip():
        record.refuse("the body is empty", None)
    return questions(record, body)
