"""Readers for documents of deal pages and of kinds of deal."""

from broker.content.files.field_checks import PATH, matching_text, read_body, read_questions, read_sections
from broker.content.files.validated_record import Record
from broker.content.models.lenders import RateTypeText
from broker.content.models.pages import DESCRIPTION_LIMIT, TITLE_LIMIT, DealPage, Faq
from broker.content.models.safe_html import NO_HTML
from broker.content.text.markdown import render_markdown
from broker.domain.rates.customers import Customer
from broker.domain.rates.deal_types import DEAL_TYPES, deal_type

_DEAL_PAGE = ("path", "customer", "title", "meta_title", "description", "summary", "author", "updated")


def read_deal_page(record: Record, body: str) -> DealPage:
    """Read a deal page; the body is its text."""
    record.allow(*_DEAL_PAGE)
    text = read_body(record, body)
    return DealPage(
        path=matching_text(record, "path", pattern=PATH),
        customer=record.one_of("customer", Customer).value,
        title=record.text("title"),
        meta_title=record.short("meta_title", TITLE_LIMIT),
        description=record.short("description", DESCRIPTION_LIMIT),
        summary=record.text("summary"),
        author=record.text("author"),
        updated=record.day("updated"),
        html=text.html,
        headings=text.headings,
    )


def read_rate_type(record: Record, body: str) -> RateTypeText:
    """Read a kind of deal from the sections text and faqs; its slug is that of a `DealType`."""
    record.allow("slug", "title", "updated")
    slug = record.text("slug")
    if slug and not deal_type(slug):
        known = ", ".join(kind.slug for kind in DEAL_TYPES)
        record.refuse(f"unknown slug {slug!r}; known are {known}", None)
    texts = read_sections(record, body, names=("text", "faqs"))
    faqs = read_questions(record, texts["faqs"])
    if len(faqs) > 1:
        record.refuse(f"{len(faqs)} questions; a kind of deal has one", None)
    return RateTypeText(
        slug=slug,
        title=record.text("title"),
        html=render_markdown(texts["text"]).html,
        faq=faqs[0] if faqs else Faq(question="", answer=NO_HTML),
        updated=record.day("updated"),
    )
