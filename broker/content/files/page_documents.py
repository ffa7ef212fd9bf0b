"""Readers for documents of services, pages, deals and questions. Bodies have `# name` sections."""

from broker.content.files import field_checks
from broker.content.files.validated_record import Record
from broker.content.models.pages import ContentPage, DealPage, Door, Faq, PageKind, Service, Theme
from broker.content.text.markdown import render_markdown
from broker.domain.rates.customers import Customer

_SERVICE = ("slug", "short_title", "heading", "theme", "door", "author", "calculators", "customers", "order", "guides")
_PARTS = ("section_1", "section_2", "faqs")


def read_service(record: Record, body: str) -> Service:
    """Read a service from the sections section_1, section_2, faqs and footer_disclaimer."""
    record.allow(*field_checks.META, *_SERVICE)
    texts = field_checks.read_sections(record, body, names=_PARTS, optional=("footer_disclaimer",))
    return Service(
        **field_checks.read_meta(record, body),
        slug=field_checks.matching_text(record, "slug", pattern=field_checks.SLUG),
        short_title=record.text("short_title"),
        heading=record.optional("heading"),
        theme=record.one_of("theme", Theme),
        door=record.one_of("door", Door),
        author=record.text("author"),
        section_1=render_markdown(texts["section_1"]).html,
        section_2=render_markdown(texts["section_2"]).html,
        calculators=field_checks.read_calculators(record),
        faqs=field_checks.read_questions(record, texts["faqs"]),
        footer_disclaimer=render_markdown(texts["footer_disclaimer"]).html,
        order=record.number("order"),
        customers=field_checks.read_customers(record),
        guides=record.texts("guides"),
    )


def read_page(record: Record, body: str) -> ContentPage:
    """Read a page; the section faqs is optional."""
    record.allow(*field_checks.META, "path", "kind", "draft", "calculators")
    before, _, faqs = body.partition("\n# faqs\n")
    text = field_checks.read_body(record, before)
    return ContentPage(
        **field_checks.read_meta(record, body),
        path=field_checks.matching_text(record, "path", pattern=field_checks.PATH),
        kind=record.one_of("kind", PageKind),
        html=text.html,
        headings=text.headings,
        faqs=field_checks.read_questions(record, faqs) if faqs else (),
        draft=record.boolean("draft"),
        calculators=field_checks.read_calculators(record),
    )


def read_faq_document(record: Record, body: str) -> tuple[Faq, ...]:
    """Read a document of questions only."""
    record.allow("updated")
    record.day("updated")
    if not body.strip():
        record.refuse("the body is empty", None)
    return field_checks.read_questions(record, body)


def read_deal_page(record: Record, body: str) -> DealPage:
    record.allow(*field_checks.META, "path", "customer", "author")
    text = field_checks.read_body(record, body)
    return DealPage(
        **field_checks.read_meta(record, body),
        path=field_checks.matching_text(record, "path", pattern=field_checks.PATH),
        customer=record.one_of("customer", Customer).value,
        author=record.text("author"),
        html=text.html,
        headings=text.headings,
    )
