"""Readers of the Markdown documents of the content: front pages, services, pages, deals, guides, towns and lenders."""

import re
from datetime import date, datetime

from broker.content.files.validated_record import (
    META,
    PATH,
    SLUG,
    Record,
    matching_text,
    read_body,
    read_calculators,
    read_customers,
    read_meta,
    read_questions,
    read_sections,
)
from broker.content.guides import ALL, GuideCategory, GuideSubject
from broker.content.models.lenders import NAME, VIEW_ALL, LenderKind, LenderSection, LenderText, LtvText, RateDisplay
from broker.content.models.pages import (
    DESCRIPTION_LIMIT,
    FRONT_PAGES,
    SECTIONS,
    ContentPage,
    DealPage,
    Door,
    Faq,
    FrontPage,
    Guide,
    PageKind,
    SectionWords,
    Service,
    Step,
    Theme,
    Town,
)
from broker.content.text.markdown import heading_id, render_markdown
from broker.rates.customers import Customer


def read_front_page(record: Record, body: str) -> FrontPage:
    """Read a front page; its body, a text for the end of the page, is optional."""
    record.allow(*META, "path", "points", "calculators", "sections")
    text = read_body(record, body) if body.strip() else render_markdown("")
    path = record.text("path")
    if path and path not in FRONT_PAGES:
        record.refuse(f"unknown path {path!r}; known are {', '.join(FRONT_PAGES)}", None)
    return FrontPage(
        **read_meta(record, body),
        path=path,
        html=text.html,
        headings=text.headings,
        points=record.texts("points"),
        calculators=read_calculators(record),
        sections=_front_sections(record, SECTIONS.get(path, ())),
    )


def _front_sections(record: Record, names: tuple[str, ...]) -> dict[str, SectionWords]:
    """Return the sections of a page, which are all required."""
    if not names:
        if "sections" in record.values:
            record.refuse(f"sections are for {', '.join(SECTIONS)} alone", None)
        return {}
    sections = record.record("sections")
    sections.allow(*names)
    return {name: _front_section(sections.record(name)) for name in names}


def _front_section(record: Record) -> SectionWords:
    record.allow("heading", "lead", "steps")
    return SectionWords(
        heading=record.text("heading"),
        lead=record.optional("lead"),
        steps=tuple(_step(step) for step in record.records("steps")),
    )


def _step(record: Record) -> Step:
    record.allow("title", "text")
    return Step(title=record.text("title"), text=record.text("text"))


_SERVICE = ("slug", "short_title", "heading", "theme", "door", "author", "calculators", "customers", "order", "guides")
_PARTS = ("section_1", "section_2", "faqs")


def read_service(record: Record, body: str) -> Service:
    """Read a service from the sections section_1, section_2, faqs and footer_disclaimer."""
    record.allow(*META, *_SERVICE)
    texts = read_sections(record, body, names=_PARTS, optional=("footer_disclaimer",))
    return Service(
        **read_meta(record, body),
        slug=matching_text(record, "slug", pattern=SLUG),
        short_title=record.text("short_title"),
        heading=record.optional("heading"),
        theme=record.one_of("theme", Theme),
        door=record.one_of("door", Door),
        author=record.text("author"),
        section_1=render_markdown(texts["section_1"]).html,
        section_2=render_markdown(texts["section_2"]).html,
        calculators=read_calculators(record),
        faqs=read_questions(record, texts["faqs"]),
        footer_disclaimer=render_markdown(texts["footer_disclaimer"]).html,
        order=record.number("order"),
        customers=read_customers(record),
        guides=record.texts("guides"),
    )


def read_page(record: Record, body: str) -> ContentPage:
    """Read a page; the section faqs is optional."""
    record.allow(*META, "path", "kind", "draft", "calculators")
    before, _, faqs = body.partition("\n# faqs\n")
    text = read_body(record, before)
    return ContentPage(
        **read_meta(record, body),
        path=matching_text(record, "path", pattern=PATH),
        kind=record.one_of("kind", PageKind),
        html=text.html,
        headings=text.headings,
        faqs=read_questions(record, faqs) if faqs else (),
        draft=record.boolean("draft"),
        calculators=read_calculators(record),
    )


def read_faq_document(record: Record, body: str) -> tuple[Faq, ...]:
    record.allow("updated")
    record.day("updated")
    if not body.strip():
        record.refuse("the body is empty", None)
    return read_questions(record, body)


def read_deal_page(record: Record, body: str) -> DealPage:
    record.allow(*META, "path", "customer", "author")
    text = read_body(record, body)
    return DealPage(
        **read_meta(record, body),
        path=matching_text(record, "path", pattern=PATH),
        customer=record.one_of("customer", Customer).value,
        author=record.text("author"),
        html=text.html,
        headings=text.headings,
    )


_QUESTIONS = re.compile(r"^## Questions people ask.*\n(?P<questions>(?:(?!^## ).*\n?)*)", re.MULTILINE)


def read_guide(record: Record, body: str) -> Guide:
    record.allow(*META, "slug", "categories", "order", "created", "author", "related", "show_on_homepage", "picture")
    text = read_body(record, body)
    return Guide(
        **read_meta(record, body),
        url=matching_text(record, "slug", pattern=SLUG),
        categories=_categories(record),
        created=_created(record),
        author=record.text("author"),
        html=text.html,
        headings=text.headings,
        related=record.texts("related"),
        words=text.word_count,
        order=record.number("order"),
        categories_complete=True,
        show_on_homepage=record.boolean("show_on_homepage"),
        subject=record.one_of("picture", GuideSubject) if "picture" in record.values else None,
    )


def read_town(record: Record, body: str) -> Town:
    """Read a town; the questions in the body become its FAQs."""
    record.allow(*META, "slug", "name", "near", "checks", "centre")
    text = read_body(record, _QUESTIONS.sub("", body))
    return Town(
        **read_meta(record, body),
        slug=matching_text(record, "slug", pattern=SLUG),
        name=record.text("name"),
        near=record.texts("near"),
        checks=record.texts("checks"),
        html=text.html,
        headings=text.headings,
        faqs=_local_questions(record, body),
        centre=_centre(record),
    )


def _categories(record: Record) -> tuple[GuideCategory, ...]:
    """Return the categories, the main one first; none for a guide for all readers, written `[all]`."""
    given = record.texts("categories")
    if given == (ALL,):
        return ()
    if not given or set(given) - set(GuideCategory):
        words = f"categories must be some of {', '.join(GuideCategory)}, or {ALL}, not {', '.join(given) or 'none'}"
        return record.refuse(words, ())
    return tuple(GuideCategory(name) for name in given)


def _created(record: Record) -> date:
    """Return the creation date, written dd/mm/yyyy as by the content service (specification 3)."""
    written = record.text("created")
    try:
        return datetime.strptime(written, "%d/%m/%Y").date()
    except ValueError:
        if written:
            record.refuse(f"created must be a day such as 05/03/2026, not {written!r}", None)
        return date.min


def _local_questions(record: Record, body: str) -> tuple[Faq, ...]:
    found = _QUESTIONS.search(body)
    if not found or not found["questions"].strip():
        return record.refuse("no questions; they stand under ## Questions people ask in the town", ())
    return read_questions(record, found["questions"])


def _centre(record: Record) -> tuple[float, float] | None:
    given = record.values.get("centre")
    if given is None:
        return None
    if not (isinstance(given, list) and len(given) == 2 and all(_is_degrees(each) for each in given)):
        return record.refuse(f"centre must be a latitude and a longitude, not {given!r}", None)
    return float(given[0]), float(given[1])


def _is_degrees(given: object) -> bool:
    return isinstance(given, int | float) and not isinstance(given, bool) and abs(given) <= 90


_DISPLAY = ("rate_display_preference", "calculators", "rates_tables", "view_all_link")
_LENDER_SECTION = re.compile(r"^## (.+)$", re.MULTILINE)
_CTA = re.compile(r"^cta_text: (.+)$", re.MULTILINE)
_NAME_PLACEHOLDER = re.compile(r"\{\w*\}")


def read_lender_text(record: Record, body: str) -> tuple[str, LenderText]:
    """Read a lender text, with the lender not yet named, and its key: a kind of lender or a lender's slug.

    The body has `# name` sections; in `# details_sections` each section is `## heading`, its text, and a line
    `cta_text: words`.
    """
    record.allow("kind", "slug", "updated", "small_desc", *_DISPLAY)
    names, optional = ("banner_content",), ("details_sections", "fixed_section_content")
    texts = read_sections(record, body, names=names, optional=optional)
    _refuse_other_placeholders(record, body)
    return _lender_key(record), LenderText(
        updated=record.day("updated"),
        banner_content=render_markdown(texts["banner_content"]).html,
        small_desc=record.short("small_desc", DESCRIPTION_LIMIT),
        rate_display_preference=record.one_of("rate_display_preference", RateDisplay),
        calculators=read_calculators(record),
        fixed_section_content=render_markdown(texts["fixed_section_content"]).html,
        details=_lender_sections(record, texts["details_sections"]),
        rates_tables=_rate_tables(record),
        view_all_link=matching_text(record, "view_all_link", pattern=PATH)
        if record.optional("view_all_link")
        else VIEW_ALL,
    )


def _lender_key(record: Record) -> str:
    if ("kind" in record.values) == ("slug" in record.values):
        return record.refuse("needs a kind or a slug, and not both", "")
    if "kind" in record.values:
        return record.one_of("kind", LenderKind).value
    slug = matching_text(record, "slug", pattern=SLUG)
    if slug in set(LenderKind):
        record.refuse(f"slug {slug!r} is a kind of lender", None)
    return slug


def _lender_sections(record: Record, text: str) -> tuple[LenderSection, ...]:
    pieces = _LENDER_SECTION.split(text)
    if not text.strip():
        return ()
    if pieces[0].strip() or len(pieces) < 3:
        return record.refuse("details_sections must be sections that each begin with ## and a heading", ())
    return tuple(
        _lender_section(record, heading.strip(), text) for heading, text in zip(pieces[1::2], pieces[2::2], strict=True)
    )


def _lender_section(record: Record, heading: str, text: str) -> LenderSection:
    calls = _CTA.findall(text)
    html = render_markdown(_CTA.sub("", text)).html
    if len(calls) != 1 or not html:
        record.refuse(f"section {heading!r} must have a text and one line that begins with cta_text:", None)
    return LenderSection(
        heading=heading, anchor=heading_id(heading.replace(NAME, "")), html=html, cta_text="".join(calls).strip()
    )


def _rate_tables(record: Record) -> tuple[LtvText, ...]:
    tables = tuple(_rate_table(entry) for entry in record.records("rates_tables"))
    if len({table.ltv for table in tables}) != len(tables):
        record.refuse("rates_tables has a loan to value twice", None)
    return tables


def _rate_table(record: Record) -> LtvText:
    record.allow("ltv", "description", "cta_text")
    ltv = record.number("ltv")
    if ltv != int(ltv) or not 1 <= ltv <= 100:
        record.refuse(f"ltv must be a whole number of percent, not {ltv}", None)
    return LtvText(ltv=int(ltv), description=record.text("description"), cta_text=record.text("cta_text"))


def _refuse_other_placeholders(record: Record, body: str) -> None:
    """Refuse `{Lender}` and the like, which would appear on the page."""
    written_down = f"{body} {dict(record.values)}"
    if unknown := sorted(set(_NAME_PLACEHOLDER.findall(written_down)) - {NAME}):
        record.refuse(f"unknown placeholder {', '.join(unknown)}; {NAME} is the only one", None)
