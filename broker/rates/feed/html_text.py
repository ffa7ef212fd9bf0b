"""Text and HTML of the feed, sanitised with nh3 where they enter."""

import html
import re
from functools import lru_cache

import nh3

MAX_HTML = 20_000
"""Characters of HTML; the rest is cut off before sanitising."""

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
_SPACES = re.compile(r"[\s\x00-\x1f\x7f-\x9f\u200b\u2028\u2029\u202a-\u202e\u2066-\u2069]+")
_MAX_UNESCAPES = 4
"""Passes over a text that was escaped more than once."""

_MAX_CACHED = 1_000
"""Characters of a text whose result is cached: this bounds the cache to a few megabytes."""


def safe_html(text: str | None) -> str:
    """Return HTML without scripts, styles, images, forms and event handlers; links only to https, mailto and tel."""
    if not text:
        return ""
    return _short_html(text) if len(text) <= _MAX_CACHED else _clean_html(text[:MAX_HTML])


def plain_text(text: str | None, max_length: int) -> str:
    """Return text without tags, entities decoded, in one line of at most `max_length` characters."""
    return _plain(text[: max_length * 8], max_length) if text else ""


def _clean_html(text: str) -> str:
    return _CLEANER.clean(text).strip()


_short_html = lru_cache(maxsize=1_024)(_clean_html)


@lru_cache(maxsize=4_096)
def _plain(text: str, max_length: int) -> str:
    """Return plain text from a cache: names and titles are short and repeat in a list."""
    for _ in range(_MAX_UNESCAPES):
        if "<" not in text and "&" not in text:
            break
        cleaned = html.unescape(_NO_TAGS.clean(text))
        if cleaned == text:
            break
        text = cleaned
    else:
        text = text.replace("<", "")
    line = _SPACES.sub(" ", text).strip()
    return line if len(line) <= max_length else line[: max_length - 1].rstrip() + "…"
