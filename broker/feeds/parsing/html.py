"""Text and HTML of a feed, made safe: sanitised with nh3 before anything reaches a page (facts on CMS HTML)."""

from __future__ import annotations

import html
import re
from functools import lru_cache

import nh3

MAX_HTML = 20_000
"""Characters of HTML that are read; what is beyond is cut off before it is cleaned."""

_INLINE = {"a", "b", "strong", "i", "em", "u", "br", "span"}
_BLOCKS = {"p", "hr", "ul", "ol", "li", "dl", "dt", "dd", "h2", "h3", "h4", "h5", "h6"}
_TABLES = {"table", "thead", "tbody", "tr", "th", "td"}
_CLEANER = nh3.Cleaner(
    tags=_INLINE | _BLOCKS | _TABLES,
    attributes={"a": {"href", "title"}, "th": {"colspan", "rowspan", "scope"}, "td": {"colspan", "rowspan"}},
    url_schemes={"https", "mailto", "tel"},
    url_relative="deny",
    link_rel="noopener noreferrer",
)
_NO_TAGS = nh3.Cleaner(tags=set(), attributes={})
_TAG_START = re.compile(r"<(?=[A-Za-z/!?])")
_SPACES = re.compile(r"[\s\x00-\x1f\x7f-\x9f\u200b\u2028\u2029\u202a-\u202e\u2066-\u2069]+")
_UNWRAPS = 4
"""How often a text that was escaped again and again is unescaped."""


_SHORT = 1_000
"""Characters up to which a cleaned text is kept for the next row that has it: the cache stays below a few megabytes."""


def safe_html(text: str | None) -> str:
    """Return HTML without scripts, styles, images, forms and handlers; links only to https, mailto and tel."""
    if not text:
        return ""
    return _short_html(text) if len(text) <= _SHORT else _clean_html(text[:MAX_HTML])


def plain(text: str | None, most: int) -> str:
    """Return text without tags, entities decoded, in one line of at most `most` characters.

    For places that escape what they show; even there nothing that starts like a tag is left.
    """
    return _plain(text[: most * 8], most) if text else ""


def _clean_html(text: str) -> str:
    return _CLEANER.clean(text).strip()


_short_html = lru_cache(maxsize=1_024)(_clean_html)


@lru_cache(maxsize=4_096)
def _plain(text: str, most: int) -> str:
    """Clean a text once: the names and titles of a list are the same again and again, and short (`most` x 8)."""
    for _ in range(_UNWRAPS):
        if "<" not in text and "&" not in text:
            break
        cleaned = html.unescape(_NO_TAGS.clean(text))
        if cleaned == text:
            break
        text = cleaned
    line = _SPACES.sub(" ", _TAG_START.sub("", text)).strip()
    return line if len(line) <= most else line[: most - 1].rstrip() + "…"
