"""Parse, write and query HTML with lxml."""

import re
from base64 import b64encode
from collections.abc import Iterable
from hashlib import sha256
from html import escape

from lxml import etree  # pyright: ignore[reportAttributeAccessIssue] - lxml ships no types
from lxml.html import HtmlElement, HTMLParser, document_fromstring, fragment_fromstring
from markupsafe import Markup

EXECUTED = frozenset({"", "module", "text/javascript"})
"""Types of script that a browser runs; others (JSON-LD) are data and need no hash."""

_PARSER = HTMLParser(encoding="utf-8", huge_tree=True)
_TEXT_PARSER = HTMLParser(huge_tree=True)
_ADDRESSES = etree.XPath("descendant-or-self::*/@*[name()='href' or name()='src' or name()='action' or name()='name']")
_KEPT = "kept-address-{}-"

HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_BLOCKS = (
    *(*HEADINGS, "p", "ul", "ol", "table", "div", "figure", "blockquote", "section", "hr", "details", "dl", "pre"),
    etree.Comment,  # the block editor writes one around each block
)
_INLINE = frozenset({"a", "abbr", "b", "code", "em", "i", "q", "small", "span", "strong", "sub", "sup", "u"})
_BLANK_LINES = re.compile(r"\r?\n\s*\r?\n")


def parse_page(html: str) -> HtmlElement:
    """Parse a whole page; raises lxml.etree.ParserError for an empty one."""
    return document_fromstring(html.encode("utf-8", "replace"), parser=_PARSER)


def page_html(page: HtmlElement) -> str:
    """Return the HTML of a page, with its doctype."""
    return _write(page, page.getroottree())


def parse_fragment(html: str) -> HtmlElement:
    """Parse a fragment of HTML into a `div`."""
    return fragment_fromstring(html, create_parent="div", parser=_TEXT_PARSER)  # pyright: ignore[reportArgumentType]


def fragment_html(root: HtmlElement) -> str:
    """Return the HTML inside the `div` of `parse_fragment`."""
    return _write(root, root).removeprefix("<div>").removesuffix("</div>")


def _write(root: HtmlElement, written: object) -> str:
    """Return HTML with addresses as they are: libxml2 would escape letters and Jinja2 code in them."""
    addresses = [each for each in _ADDRESSES(root) if not (each.isascii() and each.isprintable() and " " not in each)]
    for number, address in enumerate(addresses):
        address.getparent().set(address.attrname, _KEPT.format(number))
    html = etree.tostring(written, method="html", encoding="unicode", with_tail=False)
    for number, address in enumerate(addresses):
        address.getparent().set(address.attrname, str(address))
        html = html.replace(_KEPT.format(number), escape(address), 1)
    return html


def add_paragraphs(html: str) -> str:
    """Split a text without block elements into paragraphs at its blank lines, as WordPress does."""
    if not html.strip() or next(parse_fragment(html).iterdescendants(*_BLOCKS), None) is not None:
        return html
    return "".join(Markup("<p>{}</p>").format(Markup(part)) for part in _BLANK_LINES.split(html.strip()))


def words_of(html: str) -> str:
    """Return the text of a fragment in one line, with a space wherever an element begins or ends."""
    text = " ".join(parse_fragment(html).itertext()) if "<" in html or "&" in html else html
    return " ".join(text.split())


def lines_of(html: str) -> list[str]:
    """Return the text of a fragment by line; blocks, line breaks and line feeds end one."""
    if "<" not in html and "&" not in html:
        return html.splitlines()
    return lines_within(parse_fragment(html))


def lines_within(root: HtmlElement) -> list[str]:
    """Return the text of an element by line, as `lines_of`; the element is changed."""
    for element in root.iter("*"):
        if element.tag not in _INLINE and element is not root:
            element.text, element.tail = f"\n{element.text or ''}", f"\n{element.tail or ''}"
    return root.text_content().splitlines()


def replace_element(old: HtmlElement, new: HtmlElement) -> None:
    """Replace an element, but not the text after it."""
    new.tail = old.tail
    old.getparent().replace(old, new)


def add_styles_and_scripts(page: HtmlElement, elements: Iterable[HtmlElement]) -> None:
    """Add elements before the first stylesheet link of a page, or at the end of its head."""
    head = page.find("head")
    link = next(iter(head.xpath("link[@rel='stylesheet']")), None)
    for each in elements:
        if link is None:
            head.append(each)
        else:
            link.addprevious(each)


def canonical(page: HtmlElement) -> str | None:
    """Return the canonical address of a page, or None."""
    return next(iter(page.xpath("head/link[@rel='canonical']/@href")), None)


def meta(page: HtmlElement, name: str) -> str | None:
    """Return the content of a meta tag, by its `name` or `property`, or None."""
    return next(iter(page.xpath("head/meta[@name=$name or @property=$name]/@content", name=name)), None)


def is_indexed(page: HtmlElement) -> bool:
    """Return whether search engines may list a page: its robots meta is not `noindex`."""
    return "noindex" not in (meta(page, "robots") or "")


def script_hashes(page: HtmlElement) -> tuple[str, ...]:
    """Return the source expressions (`'sha256-…'`) that allow the page's inline scripts, each once."""
    run = (each for each in page.iter("script") if "src" not in each.attrib and each.get("type", "") in EXECUTED)
    hashes = (b64encode(sha256((each.text or "").encode()).digest()).decode() for each in run)
    return tuple(dict.fromkeys(f"'sha256-{each}'" for each in hashes))
