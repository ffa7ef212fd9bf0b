"""Reader for documents of lenders: one per kind of lender, and one per lender with a text of its own.

Front matter has the `kind`, or the `slug` of a single lender. The body has `# name` sections; in `# details_sections`
each section is `## heading`, its text, and a line `cta_text: words`.
"""

import re

from broker.content.files.validated_record import PATH, SLUG, Record, matching_text, read_calculators, read_sections
from broker.content.models.lenders import NAME, LenderKind, LenderSection, LenderText, LtvText, RateDisplay
from broker.content.models.pages import DESCRIPTION_LIMIT
from broker.content.text.markdown import heading_id, render_markdown

VIEW_ALL = "/tools/rates/"
"""Default target of the "view all" link (specification 2)."""

_DISPLAY = ("rate_display_preference", "calculators", "rates_tables", "view_all_link")
_SECTION = re.compile(r"^## (.+)$", re.MULTILINE)
_CTA = re.compile(r"^cta_text: (.+)$", re.MULTILINE)
_PLACEHOLDER = re.compile(r"\{\w*\}")


def read_lender_text(record: Record, body: str) -> tuple[str, LenderText]:
    """Read a lender text, with the lender not yet named, and its key: a kind of lender or a slug."""
    record.allow("kind", "slug", "updated", "small_desc", *_DISPLAY)
    names, optional = ("banner_content",), ("details_sections", "fixed_section_content")
    texts = read_sections(record, body, names=names, optional=optional)
    _refuse_other_placeholders(record, body)
    return _key(record), LenderText(
        updated=record.day("updated"),
        banner_content=render_markdown(texts["banner_content"]).html,
        small_desc=record.short("small_desc", DESCRIPTION_LIMIT),
        rate_display_preference=record.one_of("rate_display_preference", RateDisplay),
        calculators=read_calculators(record),
        fixed_section_content=render_markdown(texts["fixed_section_content"]).html,
        details=_sections(record, texts["details_sections"]),
        rates_tables=_tables(record),
        view_all_link=matching_text(record, "view_all_link", pattern=PATH)
        if record.optional("view_all_link")
        else VIEW_ALL,
    )


def _key(record: Record) -> str:
    if ("kind" in record.values) == ("slug" in record.values):
        return record.refuse("needs a kind or a slug, and not both", "")
    if "kind" in record.values:
        return record.one_of("kind", LenderKind).value
    slug = matching_text(record, "slug", pattern=SLUG)
    if slug in set(LenderKind):
        record.refuse(f"slug {slug!r} is a kind of lender", None)
    return slug


def _sections(record: Record, text: str) -> tuple[LenderSection, ...]:
    pieces = _SECTION.split(text)
    if not text.strip():
        return ()
    if pieces[0].strip() or len(pieces) < 3:
        return record.refuse("details_sections must be sections that each begin with ## and a heading", ())
    return tuple(
        _section(record, heading.strip(), text) for heading, text in zip(pieces[1::2], pieces[2::2], strict=True)
    )


def _section(record: Record, heading: str, text: str) -> LenderSection:
    calls = _CTA.findall(text)
    html = render_markdown(_CTA.sub("", text)).html
    if len(calls) != 1 or not html:
        record.refuse(f"section {heading!r} must have a text and one line that begins with cta_text:", None)
    return LenderSection(
        heading=heading, anchor=heading_id(heading.replace(NAME, "")), html=html, cta_text="".join(calls).strip()
    )


def _tables(record: Record) -> tuple[LtvText, ...]:
    tables = tuple(_table(entry) for entry in record.records("rates_tables"))
    if len({table.ltv for table in tables}) != len(tables):
        record.refuse("rates_tables has a loan to value twice", None)
    return tables


def _table(record: Record) -> LtvText:
    record.allow("ltv", "description", "cta_text")
    ltv = record.number("ltv")
    if ltv != int(ltv) or not 1 <= ltv <= 100:
        record.refuse(f"ltv must be a whole number of percent, not {ltv}", None)
    return LtvText(ltv=int(ltv), description=record.text("description"), cta_text=record.text("cta_text"))


def _refuse_other_placeholders(record: Record, body: str) -> None:
    """Refuse `{Lender}` and the like, which would appear on the page."""
    written_down = f"{body} {dict(record.values)}"
    if unknown := sorted(set(_PLACEHOLDER.findall(written_down)) - {NAME}):
        record.refuse(f"unknown placeholder {', '.join(unknown)}; {NAME} is the only one", None)
