"""Import of lender pages (specification 3): texts of single lenders."""

import re
from collections.abc import Iterable, Mapping

from broker import routes
from broker.content.models.lenders import NAME, VIEW_ALL, LenderSection, LenderText, LtvText, RateDisplay
from broker.content.models.pages import DESCRIPTION_LIMIT
from broker.content.models.pictures import Picture, SafeHtml
from broker.content.store import PageIdentity
from broker.content.text.markdown import heading_id, render_markdown
from broker.content.text.sanitise import element_ids, first_paragraph, single_line
from broker.content.wordpress.client import Json
from broker.content.wordpress.fields import LENDER_ENDINGS, at, choice, choices, labels, number, raw, rows, text, title
from broker.content.wordpress.images import lender_banner
from broker.content.wordpress.import_context import ImportContext, first, shorten
from broker.markup import HEADINGS, fragment_html, parse_fragment
from broker.rates.customers import Customer

_CALL = "Request a callback"
"""Default label of a call to action (specification 2)."""

_MORE = f"More about {NAME}"
_RATES = re.compile(r"\s+(?:mortgage\s+rates|mortgages|rates)\b.*", re.IGNORECASE)
"""The part of a lender page's title after the lender's name."""
_WRITTEN = ("banner_content", "fixed_section_content", "details_sections", "small_desc", "content", "rates_tables")


def import_lenders(context: ImportContext, pages: Iterable[Mapping[str, Json]]) -> dict[str, LenderText]:
    """Return lender texts by slug; a page that was never filled in is left out."""
    found: dict[str, LenderText] = {}
    for page in pages:
        slug = text(page.get("slug"))
        section = at(page.get("acf"), "lender_pages_section")
        if not slug or text(page.get("status")) not in ("", "publish"):
            continue
        if not any(at(section, name) for name in _WRITTEN):
            context.note(f"lender {slug}", "was never filled in, left out")
            continue
        key = lender_slug(slug)
        if key in found:
            context.note(f"lender {slug}", f"is the second page of {key}, left out")
            continue
        context.pages[routes.lender(key)] = PageIdentity(post_id=int(number(page.get("id")) or 0), slug=slug)
        found[key] = _lender_text(context, page, section)
    return found


def import_banners(context: ImportContext, pages: Iterable[Mapping[str, Json]]) -> dict[str, Picture]:
    """Return the banner pictures of lender pages, in the large size, by the path of the page."""
    found = {routes.lender(lender_slug(text(page.get("slug")))): lender_banner(page) for page in pages}
    return {path: picture for path, image in found.items() if (picture := context.picture(image, large=True))}


def lender_slug(slug: str) -> str:
    """Return the lender's own slug: `halifax-mortgage-rates` is of `halifax`."""
    ending = next((ending for ending in LENDER_ENDINGS if slug.endswith(ending)), "")
    return slug.removesuffix(ending)


def _lender_text(context: ImportContext, page: Mapping[str, Json], section: Json) -> LenderText:
    slug, heading = text(page.get("slug")), title(page.get("title"))
    link = raw(at(section, "view_all_link"))
    banner = _without_heading(context.html(raw(at(section, "banner_content"))).html)
    customers = _customers(context, slug, section)
    named = number(at(section, "lender"))
    given = context.day(f"lender {slug}", page.get("modified"))
    described = first((text(at(section, "small_desc")), first_paragraph(banner), heading))
    display = choice(at(section, "rate_display_preference"))
    return LenderText(
        updated=given or context.day(f"lender {slug}", page.get("date")) or context.today,
        banner_content=banner or render_markdown(f"Mortgage rates of {NAME}.").html,
        small_desc=shorten(described, DESCRIPTION_LIMIT),
        rate_display_preference=RateDisplay.TOP_3 if display == RateDisplay.TOP_3 else RateDisplay.BUTTONS,
        calculators=_calculators(context, slug, section),
        fixed_section_content=context.html(raw(at(section, "fixed_section_content"))).html,
        details=_details(context, section),
        rates_tables=_tables(context, slug, at(section, "rates_tables")),
        view_all_link=context.link(link) if link and context.link(link).startswith("/") else VIEW_ALL,
        customers=tuple(customers),
        labels=tuple((customer, words) for customer, words in customers.items() if words),
        name=_RATES.sub("", heading),
        lender_id=int(named) if named and named > 0 else 0,
    )


def _calculators(context: ImportContext, slug: str, section: Json) -> tuple[str, ...]:
    """Return the listed calculators, none if they are switched off."""
    listed = context.read_calculators(f"lender {slug}", at(section, "calculators"))
    if listed and at(section, "rates_show_calc") is False:
        context.note(f"lender {slug}", "lists calculators and has rates_show_calc switched off: none is shown")
        return ()
    return listed


def _customers(context: ImportContext, slug: str, section: Json) -> dict[str, str]:
    """Return the customer types of both fields of value and label, with their labels; unknown ones are noted."""
    fields = (at(section, "rates_show"), at(section, "show_all_ratetypes"))
    given = dict.fromkeys([value for field in fields for value in choices(field)], "")
    given |= labels([entry for field in fields for entry in rows(field)])
    known = {customer.value for customer in Customer}
    if unknown := sorted(set(given) - known):
        context.note(f"lender {slug}", f"unknown customer type {', '.join(unknown)}, left out")
    return {value: words for value, words in given.items() if value in known}


def _details(context: ImportContext, section: Json) -> tuple[LenderSection, ...]:
    """Return the sections, the page's own content first, each headed by its first heading.

    A first section without a heading gets a default one.
    """
    entries = [(raw(at(section, "content")), "")]
    entries += [(raw(row.get("content")), text(row.get("cta_text"))) for row in rows(at(section, "details_sections"))]
    found: list[LenderSection] = []
    for content, call in entries:
        taken = [entry.anchor for entry in found] + [key for entry in found for key in element_ids(entry.html)]
        if not (html := context.html(content, taken=taken).html):
            continue
        words, place, rest = _split_heading(html)
        if not place and not found:
            words, place = _MORE, heading_id(_MORE)
        found.append(LenderSection(heading=words, anchor=place, html=rest, cta_text=call or _CALL))
    return tuple(found)


def _split_heading(html: SafeHtml) -> tuple[str, str, SafeHtml]:
    """Return the words and the id of the heading that HTML begins with, and the rest; no words where it has none."""
    first = next(iter(parse_fragment(html)), None)
    if first is None or first.tag not in HEADINGS or (first.getparent().text or "").strip():
        return "", "", html
    return single_line(" ".join(first.itertext())), first.get("id", ""), _without_heading(html)


def _without_heading(html: SafeHtml) -> SafeHtml:
    """Return HTML without its first heading."""
    root = parse_fragment(html)
    if (heading := next(root.iter(*HEADINGS), None)) is not None:
        heading.drop_tree()
    return SafeHtml(fragment_html(root).strip())


def _tables(context: ImportContext, slug: str, tree: Json) -> tuple[LtvText, ...]:
    found: dict[int, LtvText] = {}
    for row in rows(tree):
        ltv = number(raw(row.get("ltv")).strip().removesuffix("%"))
        if ltv is None or ltv != int(ltv) or not 1 <= ltv <= 100:
            context.note(f"lender {slug}", f"a rates table has the loan to value {raw(row.get('ltv'))!r}, left out")
            continue
        found[int(ltv)] = LtvText(
            ltv=int(ltv), description=text(row.get("description")), cta_text=text(row.get("cta_text")) or _CALL
        )
    return tuple(found.values())
