"""The sitemap and robots.txt, made from the metadata of the exported pages."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from xml.sax.saxutils import escape

from broker.web.markup import canonical, is_indexed, meta

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
    if not address or not is_indexed(html) or not _ends_at(address, path):
        return None
    changed = meta(html, MODIFIED)
    return Entry(address=address, changed=date.fromisoformat(changed[:10]) if changed else None)


def _ends_at(address: str, path: str) -> bool:
    """Return whether a full address has exactly this path."""
    return "/" + address.partition("://")[2].partition("/")[2] == path


def sitemap(entries: Iterable[Entry]) -> str:
    """Return the text of sitemap.xml, sorted by address."""
    urls = "".join(
        f"<url><loc>{escape(entry.address)}</loc>"
        + (f"<lastmod>{entry.changed.isoformat()}</lastmod>" if entry.changed else "")
        + "</url>\n"
        for entry in sorted(entries, key=lambda entry: entry.address)
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{urls}</urlset>\n'
    )


def robots(site_url: str) -> str:
    """Return the text of robots.txt, which allows everything: pages that must not be listed say so themselves."""
    return f"User-agent: *\nDisallow:\n\nSitemap: {site_url}/sitemap.xml\n"
