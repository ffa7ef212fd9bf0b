"""Putting a page's first large drawing into the page: fetched by itself, it is painted a round trip after the text."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from urllib.parse import quote

from broker.web.markup import Element, elements, rewrite

FIRST = {"fetchpriority": "high"}
"""How a page marks the picture that is the largest thing of its first sight."""

_PLAIN = " =:;,/()'"
"""Signs of a drawing that an address within a page may hold as they are."""


def with_first_picture(html: str, read: Callable[[str], str]) -> str:
    """Return a page with its first drawing inside it; `read` gives the text of a drawing by its address, or nothing.

    React takes the address of a picture as it is on the page, and compares it with none of its own.
    """
    address = next((img.attributes["src"] for img in elements(html, "img") if img.has(**FIRST)), "")
    drawing = read(address) if address.endswith(".svg") else ""
    if not drawing:
        return html

    def change(element: Element) -> str:
        if element.name == "link" and element.has(rel="preload", href=address):
            return ""
        if element.name == "img" and element.has(src=address):
            return element.written.replace(f'"{escape(address)}"', f'"{data_address(drawing)}"', 1)
        return element.written

    return rewrite(html, change)


def data_address(drawing: str) -> str:
    """Return an address that holds an SVG drawing itself, fit for an attribute between double quotes."""
    return f"data:image/svg+xml,{quote(drawing.replace(chr(34), chr(39)), safe=_PLAIN)}"
