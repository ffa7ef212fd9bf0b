"""Find dead links in the content: to an unknown page, or to an unknown anchor of a page."""

from collections.abc import Iterator
from pathlib import Path

from broker import routes
from broker.content.errors import ContentError
from broker.content.files.content_reader import MENUS, Content
from broker.content.models.menu import MenuItem
from broker.content.models.pages import Faq
from broker.content.text.page_addresses import PageAnchors, is_lender_page, page_anchors
from broker.markup import parse_fragment

_EXTERNAL = ("https://", "mailto:", "tel:")


def find_link_faults(content: Content) -> Iterator[ContentError]:
    """Yield a fault for each dead link of a text, a lender's list or a menu.

    A link to a page whose own document has a fault is no fault: that one is reported already.
    """
    known = page_anchors(
        services=content.services.values(),
        front_pages=content.front_pages.values(),
        pages=(*content.pages.values(), *content.deals.values()),
        guides=content.guides.values(),
        towns=content.towns.values(),
    )
    faulty = frozenset(path.stem for path in content.faulty)
    for path, link in _links(content):
        fault = link_fault(link, known)
        if fault and not faulty & _names(link):
            yield ContentError(path, fault)


def link_fault(link: str, known: PageAnchors) -> str:
    """Return the fault of a link, or an empty string; links to other sites must be secure."""
    if not link.startswith(("/", "#")):
        return "" if link.startswith(_EXTERNAL) else f"link {link!r} is neither of this site nor secure"
    path, _, place = link.partition("#")
    path = path.partition("?")[0]
    if is_lender_page(path):
        return ""
    if path not in known:
        moved = routes.permanent(path) if path else None
        return f"dead link {link!r}: no such page" if not moved else f"link {link!r} is redirected to {moved!r}"
    return f"dead link {link!r}: no such place on that page" if place and place not in known[path] else ""


def _names(link: str) -> frozenset[str]:
    """Return the possible names of the file of a link's page."""
    parts = link.partition("#")[0].split("/")
    return frozenset(parts) | {part.removeprefix(routes.town("").strip("/")) for part in parts}


def _links(content: Content) -> Iterator[tuple[Path, str]]:
    """Yield every link with its file; menu links as the site shows them."""
    for path, html in texts(content):
        yield from ((path, link) for link in parse_fragment(html).xpath("//@href"))
    for path, (_, lender) in content.lenders.items():
        yield path, lender.view_all_link
    menus = content.menus
    for menu in (menus.main, menus.services, menus.footer, menus.promotion_services, menus.sitemap):
        for item in menu.items if menu else ():
            yield from ((content.folder / MENUS, link) for link in _item_links(item))


def texts(content: Content) -> Iterator[tuple[Path, str]]:
    """Yield the HTML of each document with its file."""
    for path, service in content.services.items():
        yield path, service.section_1 + service.section_2 + service.footer_disclaimer + _answers(service.faqs)
    for path, page in content.pages.items():
        yield path, page.html + _answers(page.faqs)
    for path, entry in (*content.front_pages.items(), *content.deals.items(), *content.guides.items()):
        yield path, entry.html
    for path, town in content.towns.items():
        yield path, town.html + _answers(town.faqs)
    for path, (_, text) in content.lenders.items():
        yield path, text.banner_content + text.fixed_section_content + "".join(part.html for part in text.details)
    for path, faqs in content.faqs.items():
        yield path, _answers(faqs)


def _answers(faqs: tuple[Faq, ...]) -> str:
    return "".join(faq.answer for faq in faqs)


def _item_links(item: MenuItem) -> Iterator[str]:
    """Yield the links of an entry and its children, with redirects resolved."""
    if item.path:
        yield routes.permanent(item.path) or item.path
    for child in item.children:
        yield from _item_links(child)
