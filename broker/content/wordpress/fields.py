"""Tolerant access to fields of WordPress answers, which may be missing, null, false, empty or a list of one."""

import re
import unicodedata
from collections.abc import Mapping
from contextlib import suppress
from datetime import date, datetime
from urllib.parse import unquote

from broker import routes
from broker.content.text.sanitise import plain_text, single_line
from broker.content.wordpress.client import Json
from broker.rates.customers import Customer

PROMOTION = "/promotion"
"""A path prefix that is removed (decision 2), like the path of the API URL."""

CODED_PAGES = {
    *routes.PAGES_IN_CODE,
    *(routes.THANK_YOU, routes.TEST, routes.HOME2, routes.NOT_FOUND, routes.UPDATE_LENDERS),
    *(routes.deals(customer) for customer in Customer),
}
"""Pages that are coded; WordPress's text for them is not used."""

GUIDE, TOWN, TYPE_GUIDE = "/mortgage-guides/", "mortgage-broker-", "-guide"
"""Path of the guides, prefix of town slugs, and suffix of the slugs of service type guides."""

NEAR_ME = "/mortgage-broker-near-me/"

CALCULATORS = {
    "monthly": "repayment",
    "monthly-payment": "repayment",
    "mortgage-repayment": "repayment",
    "buy-to-let": "buy-to-let-borrowing",
    "buy-to-let-borrow": "buy-to-let-borrowing",
    "buy-to-let-rental": "buy-to-let-rent",
    "rental": "buy-to-let-rent",
    "contractor-mortgage": "contractor",
}
"""Our calculator slugs by WordPress's names; any other name must be one of our slugs."""

LENDER_ENDINGS = ("-mortgage-rates", "-mortgages", "-rates")
"""Suffixes of lender page slugs after the lender's own slug."""

_PLAIN = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "ß": "ss", "æ": "ae", "œ": "oe", "ı": "i"})
"""Letters that Unicode does not decompose."""

_NUMBER = re.compile(r"\s*-?\d{1,12}(?:\.\d{1,12})?\s*")
_ORDINAL = re.compile(r"\b(\d{1,2})(?:st|nd|rd|th)\b", re.IGNORECASE)
_DATE_FORMS = ("%d %m %Y", "%d %B %Y", "%d %b %Y", "%B %d %Y", "%b %d %Y", "%A %d %B %Y", "%a %d %b %Y", "%Y %m %d")
"""Forms of a date whose parts are separated by single spaces; the day is before the month, as in Britain."""


class DateError(ValueError):
    """A date in an unknown format."""


def at(tree: Json, *names: str) -> Json:
    """Return the value at a path of names; None if a step is no object, `acf: []` for example."""
    for name in names:
        if not isinstance(tree, dict):
            return None
        tree = tree.get(name)
    return tree


def rows(tree: Json) -> list[dict[str, Json]]:
    """Return the objects of a connection (nodes or edges), a list, or an object with numeric keys."""
    if isinstance(tree, dict):
        if "edges" in tree:
            return [node for edge in rows(tree["edges"]) if isinstance(node := edge.get("node"), dict)]
        if "nodes" in tree:
            return rows(tree["nodes"])
        if tree and all(key.isdigit() for key in tree):
            return rows([tree[key] for key in sorted(tree, key=int)])
        return [tree] if tree else []
    return [row for row in tree if isinstance(row, dict)] if isinstance(tree, list) else []


def text(tree: Json) -> str:
    """Return a string or number as plain text with entities decoded once; empty for anything else."""
    return plain_text(raw(tree))


def plain_letters(path: str) -> str:
    """Return a slug or path with its percent signs decoded and its accents removed; other letters stay."""
    spread = unicodedata.normalize("NFKD", unquote(path))
    return "".join(sign for sign in spread if not unicodedata.combining(sign)).translate(_PLAIN)


def title(tree: Json) -> str:
    """Return a title; GraphQL decodes its entities, REST (`rendered`) does not."""
    return text(tree.get("rendered")) if isinstance(tree, dict) else single_line(raw(tree))


def raw(tree: Json) -> str:
    """Return a string as it is, a number as its digits; empty for anything else."""
    if isinstance(tree, str):
        return tree
    return str(tree) if isinstance(tree, int | float) and not isinstance(tree, bool) else ""


def choice(tree: Json) -> str:
    """Return the value of a choice field: a string, an object of value and label, or a list of one."""
    return next(iter(choices(tree)), "")


def choices(tree: Json) -> tuple[str, ...]:
    """Return the values of a multiple choice field, without empty ones."""
    entries = tree if isinstance(tree, list) else [tree]
    values = (text(entry.get("value") if isinstance(entry, dict) else entry) for entry in entries)
    return tuple(dict.fromkeys(value for value in values if value))


def labels(tree: Json) -> dict[str, str]:
    """Return the label of each value of a choice field, where the field has labels."""
    entries = [entry for entry in tree if isinstance(entry, dict)] if isinstance(tree, list) else []
    found = {text(entry.get("value")): text(entry.get("label")) for entry in entries}
    return {value: words for value, words in found.items() if value and words}


def number(tree: Json) -> float | None:
    """Return a number or a numeric string as a number; None for anything else."""
    written = raw(tree)
    return float(written) if _NUMBER.fullmatch(written) else None


def parse_switch(tree: Json) -> bool:
    """Return a boolean, also one written as a PHP string."""
    return tree is True or raw(tree).strip().lower() in ("1", "true", "yes")


def day(tree: Json) -> date | None:
    """Return a date in ISO 8601, with or without a time, or as people in Britain write one; None if unset.

    Raises DateError for anything else.
    """
    written = text(tree)
    if not written or written.startswith("0000-"):
        return None
    with suppress(ValueError):
        return datetime.fromisoformat(written).date()
    plain = _ORDINAL.sub(r"\1", re.sub(r"[\s,./-]+", " ", written))
    for form in _DATE_FORMS:
        with suppress(ValueError):
            return datetime.strptime(plain, form).date()
    raise DateError(f"{written[:40]!r} is no date; write dd/mm/yyyy")


def image_address(tree: Json, *, large: bool = False) -> str:
    """Return the address of an image: GraphQL's node, REST's object or a URL; empty for an id, false and null.

    `large` prefers the large size if there is one.
    """
    if isinstance(tree, list):
        return image_address(tree[0], large=large) if tree else ""
    if isinstance(tree, dict):
        node = tree.get("node") if "node" in tree else tree
        size = at(node, "sizes", "large") if large else ""
        return raw(size) or raw(at(node, "sourceUrl")) or raw(at(node, "url")) or raw(at(node, "source_url"))
    return tree if isinstance(tree, str) and tree.startswith(("http://", "https://")) else ""


def image_alt(tree: Json) -> str:
    """Return the alternative text of an image, empty for decoration."""
    if isinstance(tree, list):
        return image_alt(tree[0]) if tree else ""
    node = at(tree, "node") or tree
    return text(at(node, "altText") or at(node, "alt") or at(node, "alt_text"))


def guide_url(row: Mapping[str, Json]) -> str:
    """Return the last part of a guide's path; empty for a page that is not yet a guide."""
    return plain_letters(text(at(row, "seoGuides", "url"))).strip("/").rpartition("/")[2]
