"""Leaving out of a page what neither a visitor nor React needs.

React looks for the elements that it wrote and compares their text; attributes it takes as they are. So no element of
its own goes, only an attribute, and the styles that Chakra wrote twice: Chakra moves those into the head before React
looks.
"""

from __future__ import annotations

from broker.web.markup import Element, rewrite

DISCOVERED = ' data-discover="true"'
"""React Router's mark of a link whose page it may look up later; it knows every page from the start."""


def slim(html: str) -> str:
    """Return a page without the mark of DISCOVERED and without a second copy of any of Chakra's styles."""
    styles: set[str] = set()

    def change(element: Element) -> str:
        if element.name == "style" and "data-emotion" in element.attribute_text:
            is_new = element.written not in styles
            styles.add(element.written)
            return element.written if is_new else ""
        return element.written.replace(DISCOVERED, "", 1) if element.name == "a" else element.written

    return rewrite(html, change)
