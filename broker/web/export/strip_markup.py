"""Removal of markup that neither a visitor nor React needs.

Hydration compares elements and their text, not attributes. So no element that React looks for is removed: only an
attribute, indentation in scripts, and styles that Chakra moves into the head before hydration (second copies, and
global styles, which it writes again with its widgets).
"""

import re

from broker.web.export.critical_css import inlined_stylesheets
from broker.web.export.head_script import MARKER
from broker.web.markup import EXECUTED, Element, rewrite

GLOBAL = 'data-emotion="css-global'
"""Mark of Chakra's global styles."""

DISCOVERED = ' data-discover="true"'
"""Mark of a link whose route React Router may discover later; here it knows every route from the start."""

INDENT = re.compile(r"\n\s+")


def strip_markup(html: str) -> str:
    """Return a page without DISCOVERED, indentation in scripts, and Chakra's redundant styles."""
    styles: set[str] = set()

    def change(element: Element) -> str:
        if element.name == "style" and "data-emotion" in element.attribute_text:
            is_new = element.written not in styles and GLOBAL not in element.attribute_text
            styles.add(element.written)
            return element.written if is_new else ""
        if element.name == "script" and element.attributes.get("type", "") in EXECUTED:
            return INDENT.sub("\n", element.written)
        return element.written.replace(DISCOVERED, "", 1) if element.name == "a" else element.written

    return rewrite(html, change)


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
