"""Rewriting one exported page so that its first paint waits for nothing but the page itself.

The page carries the styles that it can use (`used_styles`). The whole stylesheet comes after the first frame, and
before React takes the page over: only then can a script add what the page had not, or lead to another page.

A page that would weigh more than `MOST` carries the styles of its beginning, where that is enough. The whole stylesheet
stands in its middle: a browser paints what is above, and reads on when it is there. That of the head takes its place
then, so that it is gone again when React looks.

What may change is bounded by React's hydration: it looks for the elements it wrote, in order, and compares the text
of some. So nothing it wrote is moved, and what it looks for stays: the stylesheet's link is `disabled` (it is then
not fetched). What is added comes before that link, so that the whole stylesheet overrules its part.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from posixpath import dirname, join, normpath

from broker.web.head_script import HEAD_SCRIPT
from broker.web.markup import Element, elements, rewrite
from broker.web.slim import slim
from broker.web.streamed import in_place
from broker.web.stylesheet import Names
from broker.web.used_styles import Sheet, for_first_sight, names_of, used

MARKER = "data-head"
"""Attribute of the head script; a page that has it has been rewritten before."""

START = re.compile(
    r'import "(?P<manifest>[^"]+)";\s*'
    r'(?P<routes>(?:import \* as route\d+ from "[^"]+";\s*)+)'
    r"window\.__reactRouterRouteModules = (?P<modules>\{[^}]*\});\s*"
    r'import\("(?P<entry>[^"]+)"\);'
)
"""The start script as the renderer writes it."""
ROUTE = re.compile(r'import \* as (route\d+) from "([^"]+)";')
URL = re.compile(r"""url\((['"]?)([^'")]+)\1\)""")
FONT = re.compile(r"@font-face\s*\{[^}]*\}")

_AT_LEISURE = (
    "const late=[...document.querySelectorAll('main section')]"
    ".filter(one=>getComputedStyle(one).contentVisibility==='auto'),"
    "idle=self.requestIdleCallback||setTimeout,"
    "lay=()=>{const one=late.shift();if(one){one.style.contentVisibility='visible';idle(lay)}};"
    "['scroll','keydown','pointermove'].forEach(use=>addEventListener(use,()=>idle(lay),{once:true}));"
)
"""Lays out what the stylesheet lets wait, a part at a time when there is nothing else to do, once a page is used."""

MOST = 60_000
"""Bytes of HTML, before compression, that a page with all its styles weighs at the most."""

LATER = "data-later"
"""Attribute of what stands in the middle of a page for its stylesheet."""

_STYLED = (
    "Promise.all([...document.querySelectorAll('link[disabled]')]"
    ".map(link=>new Promise(done=>{link.onload=link.onerror=done;link.disabled=false})))"
    f".then(()=>document.querySelectorAll('[{LATER}]').forEach(each=>each.remove()))"
)
"""Asks for what was put off, waits until it is there or is known not to come, and takes away what stood for it."""

_BREATH = "await(self.scheduler?.yield?.()??new Promise(done=>setTimeout(done)))"
"""Lets the browser do what else there is to do."""

BEGINNING = 1_600
"""Bytes of a page's main part that more than fill a telephone; a part of the page that begins after them may wait."""

PART = re.compile(r"<(?:section|article)\b")

SLOWEST = 2_000
"""Milliseconds after which the scripts start even where nothing has been painted (a tab in the background)."""


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


def deferred(script: str, modules: tuple[str, ...], *, styled: str = _STYLED) -> str:
    """Return the start script, put off until after the first frame, with its modules asked for all at once.

    They are run one at a time, so that a visitor who does something meanwhile does not wait for all of them. The
    stylesheets that were put off are asked for first, and the page is not taken over before they are there (`styled`).
    A script of another form than START is returned as it is: the page then works as exported.
    """
    if not (found := START.fullmatch(script.strip())):
        return script
    routes = dict(ROUTE.findall(found["routes"]))
    last = dict.fromkeys([found["manifest"], *routes.values(), found["entry"]])
    shared = [address for address in dict.fromkeys(modules) if address not in last]
    every = [*shared, *last]
    at = {address: f"all[{place}]" for place, address in enumerate(every)}
    names, sources = ",".join(routes), ",".join(f"import({at[source]})" for source in routes.values())
    return (
        f"(()=>{{let begun;const all={json.dumps(every, separators=(',', ':'))},begin=async()=>{{"
        "if(begun)return;begun=1;"
        f"const styled={styled};"
        "for(const href of all)"
        'document.head.append(Object.assign(document.createElement("link"),{rel:"modulepreload",href}));'
        f"for(const href of all.slice(0,{len(shared)})){{await import(href);{_BREATH}}}"
        f"await import({at[found['manifest']]});"
        f"const [{names}]=await Promise.all([{sources}]);"
        "await styled;"
        f"window.__reactRouterRouteModules={found['modules']};"
        f"await import({at[found['entry']]});{_AT_LEISURE}"
        "};requestAnimationFrame(()=>setTimeout(begin));"
        f"setTimeout(begin,{SLOWEST})}})()"
    )


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


def paint_first(html: str, sheets: Mapping[str, Sheet]) -> str:
    """Return a page with the styles it needs inside and its scripts started after the first frame.

    `sheets` has the stylesheets that the page waits for, by address. A page rewritten before, or whose start script has
    another form than START, is returned as it is.
    """
    if f"<script {MARKER}>" in html or not _starts(html):
        return html
    plain = slim(in_place(html))
    page = _painted_first(plain, _used(sheets, names_of(plain)))
    if _fits(page) or not _fits(two := _in_two(plain, sheets)):
        return page
    return two


def _fits(page: str) -> bool:
    return 0 < len(page.encode()) <= MOST


def _used(sheets: Mapping[str, Sheet], names: Names) -> dict[str, str]:
    return {address: used(sheet, names) for address, sheet in sheets.items()}


def _in_two(html: str, sheets: Mapping[str, Sheet]) -> str:
    """Return a page that carries the styles of its beginning alone; nothing where no part of it can wait.

    The script makes those browsers wait too that would go on painting past a stylesheet. It has the stylesheet of the
    head take its place at once, from the browser's cache: done later, all that was laid out would be laid out again.
    """
    if not (found := PART.search(html, html.find("<main") + BEGINNING)):
        return ""
    above, below = html[: found.start()], html[found.start() :]
    links = "".join(f'<link {LATER} rel="stylesheet" href="{address}">' for address in sheets)
    first = {address: for_first_sight(sheet) for address, sheet in sheets.items()}
    return _painted_first(
        f"{above}{links}<script {LATER}>self.styled={_STYLED}</script>{below}", _used(first, names_of(above))
    )


def _painted_first(html: str, styles: Mapping[str, str]) -> str:
    """Return a page that carries these styles."""
    modules = tuple(link.attributes["href"] for link in elements(html, "link") if link.has(rel="modulepreload"))
    styled = "self.styled" if f"<script {LATER}>" in html else _STYLED
    pending = [_head_addition(styles)]

    def change(element: Element) -> str:
        if element.name == "link":
            written = _link(element, styles)
            return pending.pop() + written if pending and written.startswith("<link disabled") else written
        if element.name == "script" and element.has(type="module") and "src" not in element.attributes:
            return element.written.replace(element.text, deferred(element.text, modules, styled=styled))
        return element.written

    changed = rewrite(html, change)
    return changed.replace("</head>", f"{pending.pop()}</head>", 1) if pending else changed


def _starts(html: str) -> bool:
    """Say whether a page has a start script that can be put off."""
    return any(START.fullmatch(script.text.strip()) for script in elements(html, "script"))


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

    return rewrite(slim(in_place(html)), change).replace("</head>", f"{_head_addition(styles)}</head>", 1)
