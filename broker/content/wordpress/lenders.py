"""Lender pages (specification 3): words of one lender's own, over those of its kind."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from broker.content.lender_documents import VIEW_ALL
from broker.content.lender_texts import NAME, LenderSection, LenderText, LtvText, RateDisplay
from broker.content.model import DESCRIPTION_LIMIT
from broker.content.sanitise import ids_in, plain
from broker.content.wordpress.answers import Json
from broker.content.wordpress.fields import at, choice, choices, number, raw, rows, text, title
from broker.content.wordpress.names import LENDER_ENDINGS
from broker.content.wordpress.reading import Reading, cut, first
from broker.content.writing import anchor
from broker.domain.rates.customers import Customer

CALL = "Request a callback"
"""What a call to action says where WordPress has no words for it (specification 2)."""

_HEADING = re.compile(r'\s*<h[2-6] id="([^"]*)">(.*?)</h[2-6]>', re.DOTALL)
_MORE = f"More about {NAME}"
_WRITTEN = ("banner_content", "fixed_section_content", "details_sections", "small_desc", "content", "rates_tables")


def lenders_of(reading: Reading, pages: Iterable[Mapping[str, Json]]) -> dict[str, LenderText]:
    """Return lenders' words by the slug of the lender; a page that was never filled in is left out."""
    found: dict[str, LenderText] = {}
    for page in pages:
        slug = text(page.get("slug"))
        section = at(page.get("acf"), "lender_pages_section")
        if not slug or text(page.get("status")) not in ("", "publish"):
            continue
        if not any(at(section, name) for name in _WRITTEN):
            reading.note(f"lender {slug}", "was never filled in, left out")
            continue
        key = lender_slug(slug)
        if key in found:
            reading.refuse(f"lender {slug}", f"is the second page of {key}")
        found[key] = _lender_text(reading, page, section)
    return found


def lender_slug(slug: str) -> str:
    """Return the lender's own slug: `halifax-mortgage-rates` is of `halifax`."""
    ending = next((ending for ending in LENDER_ENDINGS if slug.endswith(ending)), "")
    return slug.removesuffix(ending)


def _lender_text(reading: Reading, page: Mapping[str, Json], section: Json) -> LenderText:
    slug, heading = text(page.get("slug")), title(page.get("title"))
    link = raw(at(section, "view_all_link"))
    banner = reading.html(raw(at(section, "banner_content"))).html
    given = reading.day(f"lender {slug}", page.get("modified"))
    return LenderText(
        updated=given or reading.day(f"lender {slug}", page.get("date")) or reading.today,
        banner_content=banner or f"<p>{NAME}</p>",
        small_desc=cut(first((text(at(section, "small_desc")), plain(_opening(banner)), heading)), DESCRIPTION_LIMIT),
        rate_display_preference=RateDisplay.TOP_3
        if choice(at(section, "rate_display_preference")) == RateDisplay.TOP_3
        else RateDisplay.BUTTONS,
        calculators=reading.calculators(f"lender {slug}", at(section, "calculators")),
        fixed_section_content=reading.html(raw(at(section, "fixed_section_content"))).html,
        details=_details(reading, section),
        rates_tables=_tables(reading, slug, at(section, "rates_tables")),
        view_all_link=reading.link(link) if link and reading.link(link).startswith("/") else VIEW_ALL,
        customers=_customers(reading, slug, section),
    )


def _customers(reading: Reading, slug: str, section: Json) -> tuple[str, ...]:
    """Return the customer types of both fields of value and label; unknown ones are noted."""
    given = dict.fromkeys([*choices(at(section, "rates_show")), *choices(at(section, "show_all_ratetypes"))])
    known = {customer.value for customer in Customer}
    if unknown := sorted(set(given) - known):
        reading.note(f"lender {slug}", f"unknown customer type {', '.join(unknown)}, left out")
    return tuple(name for name in given if name in known)


def _details(reading: Reading, section: Json) -> tuple[LenderSection, ...]:
    """Return the sections, the content of the page itself first; each is headed by its own first heading."""
    entries = [(raw(at(section, "content")), "")]
    entries += [(raw(row.get("content")), text(row.get("cta_text"))) for row in rows(at(section, "details_sections"))]
    found: list[LenderSection] = []
    for content, call in entries:
        taken = [entry.anchor for entry in found] + [key for entry in found for key in ids_in(entry.html)]
        if not (html := reading.html(content, taken=taken).html):
            continue
        own = _HEADING.match(html)
        words, place = (plain(own[2]), own[1]) if own else (_MORE, f"{anchor(_MORE)}-{len(found) + 1}")
        rest = html[own.end() :].strip() if own else html
        found.append(LenderSection(heading=words, anchor=place, html=rest, cta_text=call or CALL))
    return tuple(found)


def _tables(reading: Reading, slug: str, tree: Json) -> tuple[LtvText, ...]:
    found: dict[int, LtvText] = {}
    for row in rows(tree):
        ltv = number(raw(row.get("ltv")).strip().removesuffix("%"))
        if ltv is None or ltv != int(ltv) or not 1 <= ltv <= 100:
            reading.note(f"lender {slug}", f"a rates table has the loan to value {raw(row.get('ltv'))!r}, left out")
            continue
        found[int(ltv)] = LtvText(
            ltv=int(ltv), description=text(row.get("description")), cta_text=text(row.get("cta_text")) or CALL
        )
    return tuple(found.values())


def _opening(html: str) -> str:
    start = html.find("<p>")
    return html[start : html.find("</p>", start)] if start >= 0 else ""
