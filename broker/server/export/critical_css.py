"""Styles inside each page, so that its first paint waits for no other file.

A page carries the rules that it can use (`css_subset`) and preloads their fonts. The deferred boot loads the whole
stylesheet after the first frame and before React hydrates: only then can a script add what the page had not.

React's hydration bounds what may change: it looks for the elements that it wrote, in order, so none of them is moved.
The styles come before the stylesheet's link, so that the whole stylesheet overrides its subset.
"""

import re
from collections.abc import Mapping
from posixpath import dirname, join, normpath

from lxml.html import HtmlElement

from broker.markup import add_styles_and_scripts
from broker.server.export.css_subset import Sheet, css_subset, names_of
from broker.server.export.stylesheet import Names

URL = re.compile(r"""url\((['"]?)([^'")]+)\1\)""")
FONT_FACE = re.compile(r"@font-face\s*\{[^}]*\}")

FROM = "data-from"
"""Attribute of styles inside a page: the address of the stylesheet that they are the subset of."""

PRELOAD = {"rel": "preload", "as": "font", "type": "font/woff2", "crossorigin": ""}
"""Attributes of the link that preloads a font."""


def with_absolute_urls(css: str, address: str) -> str:
    """Return a stylesheet whose relative addresses hold on any page; `address` is where the stylesheet came from."""

    def absolute(found: re.Match[str]) -> str:
        quote, url = found.groups()
        if url.startswith(("/", "#")) or ":" in url.split("/")[0]:
            return found[0]
        return f"url({quote}{normpath(join(dirname(address), url))}{quote})"

    return URL.sub(absolute, css)


def fonts(css: str) -> tuple[str, ...]:
    """Return the addresses of a stylesheet's woff2 fonts, each once."""
    return tuple(dict.fromkeys(url for _, url in URL.findall(css) if url.endswith(".woff2")))


def without_fonts(css: str) -> str:
    """Return a stylesheet without its fonts, which every page carries: declared twice, all text is laid out twice."""
    return FONT_FACE.sub("", css)


def stylesheets(page: HtmlElement) -> tuple[str, ...]:
    """Return the addresses of the stylesheets that a page waits for."""
    return tuple(page.xpath("//link[@rel='stylesheet'][not(@disabled)]/@href"))


def inline_critical_css(page: HtmlElement, sheets: Mapping[str, Sheet], *, more_names: Names = frozenset()) -> None:
    """Put the rules that a page can use into it, and preload its fonts.

    `sheets` has the stylesheets that the page waits for, by address; `more_names` names what is added to it later.
    """
    names = names_of(page) | more_names
    styles = {address: css_subset(sheet, names) for address, sheet in sheets.items()}
    preloads = [page.makeelement("link", PRELOAD | {"href": font}) for css in styles.values() for font in fonts(css)]
    add_styles_and_scripts(page, [*preloads, *(_style(page, address, css) for address, css in styles.items())])


def _style(page: HtmlElement, address: str, css: str) -> HtmlElement:
    style = page.makeelement("style", {FROM: address})
    style.text = css
    return style


def inlined_stylesheets(page: HtmlElement) -> frozenset[str]:
    return frozenset(page.xpath(f"//style/@{FROM}"))
