"""Removal of a page's scripts, for a page that the edge answers with at any address."""

from broker.web.export.critical_css import inlined_stylesheets
from broker.web.export.head_script import MARKER
from broker.web.markup import Element, rewrite


def remove_scripts(html: str) -> str:
    """Return a page whose only scripts are the head script and data, so that it can answer at any address."""
    styles = inlined_stylesheets(html)

    def change(element: Element) -> str:
        is_script = element.name == "script" and not element.has(type="application/ld+json")
        is_link = element.name == "link" and (
            element.has(rel="modulepreload") or element.attributes.get("href") in styles
        )
        return "" if is_link or (is_script and MARKER not in element.attributes) else element.written

    return rewrite(html, change)
