"""The sitemap and robots.txt, made from the metadata of the exported pages."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from broker.web.markup import canonical, is_indexed, meta
from broker.web.templating import OWN_TEMPLATES

MODIFIED = "article:modified_time"
"""Property of the meta tag with the date or time of a page's last change, in ISO 8601."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A page in the sitemap: its full address, and the date of its last change if known."""

    address: str
    changed: date | None = None


def entry(html: str, path: str) -> Entry | None:
    """Return the entry of a page; None if it is not indexed or its canonical address is missing or another's."""
    address = canonical(html)
    if not address or not is_indexed(html) or f"/{address.partition('://')[2].partition('/')[2]}" != path:
        return None
    changed = meta(html, MODIFIED)
    return Entry(address=address, changed=date.fromisoformat(changed[:10]) if changed else None)


def sitemap(entries: Iterable[Entry]) -> str:
    """Return the text of sitemap.xml, sorted by address."""
    pages = sorted(entries, key=lambda entry: entry.address)
    return OWN_TEMPLATES.render("sitemap.xml", {"pages": pages}) + "\n"


def robots(site_url: str) -> str:
    """Return the text of robots.txt, which allows everything: pages that must not be listed say so themselves."""
    return f"User-agent: *\nDisallow:\n\nSitemap: {site_url}/sitemap.xml\n"
