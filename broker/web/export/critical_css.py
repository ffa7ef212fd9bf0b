"""Rewriting one exported page so that its first paint waits for nothing but the page itself.

The page carries the styles that it can use (`used_styles`). The whole stylesheet comes after the first frame, and
before React takes the page over: only then can a script add what the page had not, or lead to another page.

A page that would weigh more than `MOST` carries the styles of its beginning, where that is enough (`in_two`).

What may change is bounded by React's hydration: it looks for the elements it wrote, in order, and compares the text
of some. So nothing it wrote is moved, and what it looks for stays: the stylesheet's link is `disabled` (it is then
not fetched). What is added comes before that link, so that the whole stylesheet overrules its part.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from posixpath import dirname, join, normpath

from broker.web.export.css_subset import Sheet, css_subset, for_first_sight, names_of
from broker.web.export.deferred_boot import START, STYLED, deferred_boot
from broker.web.export.head_script import HEAD_SCRIPT
from broker.web.export.in_two import LATER, MIDDLE, in_two
from broker.web.export.resolve_suspense import resolve_suspense
from broker.web.export.strip_markup import strip_markup
from broker.web.export.stylesheet import Names
from broker.web.markup import Element, elements, rewrite

MARKER = "data-head"
"""Attribute of the head script; a page that has it has been rewritten before."""

URL = re.compile(r"""url\((['"]?)([^'")]+)\1\)""")
FONT = re.compile(r"@font-face\s*\{[^}]*\}")

MOST = 60_000
"""Bytes of HTML, before compression, that a page with all its styles weighs at the most."""


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
    """Return a stylesheet without its fonts, which every page carries: said twice, all text would be laid out twice."""
    return FONT.sub("", css)


def _head_addition(styles: Mapping[str, str]) -> str:
    """Return what is added to every head: the script, the fonts, and the styles."""
    preloads = "".join(
        f'<link rel="preload" as="font" type="font/woff2" href="{font}" crossorigin>'
        for css in styles.values()
        for font in fonts(css)
    )
    written = "".join(f'<style data-from="{address}">{css}</style>' for address, css in styles.items())
    return f"<script {MARKER}>{HEAD_SCRIPT}</script>{preloads}{written}"


def stylesheets(html: str) -> tuple[str, ...]:
    """Return the addresses of the stylesheets that a page waits for."""
    links = (link for link in elements(html, "link") if link.has(rel="stylesheet"))
    return tuple(link.attributes["href"] for link in links if "disabled" not in link.attributes)


def inline_critical_css(html: str, sheets: Mapping[str, Sheet]) -> str:
    """Return a page with the styles it needs inside and its scripts started after the first frame.

    `sheets` has the stylesheets that the page waits for, by address. A page rewritten before, or whose start script has
    another form than START, is returned as it is.
    """
    if f"<script {MARKER}>" in html or not _starts(html):
        return html
    plain = strip_markup(resolve_suspense(html))
    page = _painted_first(plain, _used(sheets, names_of(plain)))
    if _fits(page) or not (two := in_two(plain, sheets)):
        return page
    first = {address: for_first_sight(sheet) for address, sheet in sheets.items()}
    lighter = _painted_first(two.html, _used(first, names_of(two.above)))
    return lighter if _fits(lighter) else page


def _fits(page: str) -> bool:
    return len(page.encode()) <= MOST


def _starts(html: str) -> bool:
    """Say whether a page has a start script that can be put off."""
    return any(START.fullmatch(script.text.strip()) for script in elements(html, "script"))


def _used(sheets: Mapping[str, Sheet], names: Names) -> dict[str, str]:
    return {address: css_subset(sheet, names) for address, sheet in sheets.items()}


def _painted_first(html: str, styles: Mapping[str, str]) -> str:
    """Return a page that carries these styles."""
    modules = tuple(link.attributes["href"] for link in elements(html, "link") if link.has(rel="modulepreload"))
    styled = "self.styled" if MIDDLE in html else STYLED
    pending = [_head_addition(styles)]

    def change(element: Element) -> str:
        if element.name == "link":
            written = _link(element, styles)
            return pending.pop() + written if pending and written.startswith("<link disabled") else written
        if element.name == "script" and element.has(type="module") and "src" not in element.attributes:
            return element.written.replace(element.text, deferred_boot(element.text, modules, styled=styled))
        return element.written

    changed = rewrite(html, change)
    return changed.replace("</head>", f"{pending.pop()}</head>", 1) if pending else changed


def _link(link: Element, styles: Mapping[str, str]) -> str:
    """Return a link that fetches nothing before the first frame: no module, and no style that is on the page."""
    if link.has(rel="modulepreload"):
        return ""
    if link.attributes.get("href") not in styles or LATER in link.attributes:
        return link.written
    idle = "disabled" if link.has(rel="stylesheet") else 'media="not all"'
    return link.written.replace("<link ", f"<link {idle} ", 1)


def without_scripts(html: str, sheets: Mapping[str, Sheet], *, filled_with: Names = frozenset()) -> str:
    """Return a page as plain HTML that is right at any address: of its scripts only the head script stays.

    `filled_with` names what the page comes to have later.
    """
    if f"<script {MARKER}>" in html:
        return html
    styles = _used(sheets, names_of(html) | filled_with)

    def change(element: Element) -> str:
        if element.name == "script" and not element.has(type="application/ld+json"):
            return ""
        if element.name == "link" and _link(element, styles) != element.written:
            return ""
        return element.written

    plain = strip_markup(resolve_suspense(html))
    return rewrite(plain, change).replace("</head>", f"{_head_addition(styles)}</head>", 1)
