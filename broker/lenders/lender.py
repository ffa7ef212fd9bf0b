"""A lender, and joining those of a live feed with ours by id and name."""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from broker.rates.query import RatesQuery

MARK, MARK_SUFFIX = "/art/lender-", ".svg"
"""The address of a lender's drawn mark is MARK, its slug, and MARK_SUFFIX."""

_CONNECTIVES = frozenset({"for", "the", "of", "and"})

_FIRM_WORDS = frozenset(
    (
        *("the", "of", "and", "for", "uk", "group", "plc", "ltd", "limited"),
        *("bank", "building", "society", "bs", "mortgage", "mortgages", "intermediary", "intermediaries"),
    )
)
"""Words of a lender's name that feeds write or leave out."""

_WORD = re.compile(r"[a-z0-9]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownLender:
    """A lender: its id in the feed, the displayed name, and the last part of its pages' addresses.

    `lender_id` is 0 for one that the feed does not have: it has a page, and no rates. `slug` is empty for one of the
    feed alone: it has rates, and no page. `kind` is bank, building-society or specialist, or empty if unknown;
    `residential` and `buy_to_let` are what it lends on.
    """

    lender_id: int
    name: str
    slug: str
    kind: str = "bank"
    residential: bool = True
    buy_to_let: bool = True

    @property
    def mark(self) -> str:
        """Return the address of the lender's drawn mark; empty without a page."""
        return f"{MARK}{self.slug}{MARK_SUFFIX}" if self.slug else ""

    @property
    def query(self) -> RatesQuery:
        """Return the search for its products: for homes, or for let property if it lends only on that."""
        return RatesQuery(lender_id=self.lender_id, residential=self.residential)


def initial_words(name: str) -> list[str]:
    """Return the words of a name that begin with a letter or a digit, without connectives."""
    return [word for word in name.split() if word[0].isalnum() and word.lower() not in _CONNECTIVES]


def has_same_name(name: str, other: str) -> bool:
    """Return whether two names have the same distinctive words: `Halifax` and `HALIFAX Bank plc`."""
    return _distinctive_words(name) == _distinctive_words(other)


def is_compatible(name: str, other: str) -> bool:
    """Return whether every distinctive word of one name is in the other, so that an id may have both."""
    one, two = _distinctive_words(name), _distinctive_words(other)
    return one <= two or two <= one


def lenders_of_feed(names: Mapping[int, str], ours: Iterable[KnownLender]) -> tuple[KnownLender, ...]:
    """Return the lenders of a feed (`names` by id), each with the page of ours of a compatible name, if any.

    A lender of ours with the same id comes first, then one of the same name with another id; an id alone does not join.
    """
    known = {lender.lender_id: lender for lender in ours}
    by_words = {_distinctive_words(lender.name): lender for lender in reversed(known.values())}
    joined: dict[int, KnownLender] = {
        lender_id: known[lender_id]
        for lender_id, name in names.items()
        if lender_id in known and is_compatible(known[lender_id].name, name)
    }
    taken = {lender.slug for lender in joined.values()}
    for lender_id, name in names.items():
        same = by_words.get(_distinctive_words(name))
        if lender_id not in joined and same and same.slug not in taken:
            joined[lender_id] = same
            taken.add(same.slug)
    return tuple(
        replace(joined[lender_id], lender_id=lender_id, name=name)
        if lender_id in joined
        else KnownLender(lender_id=lender_id, name=name, slug="", kind="")
        for lender_id, name in names.items()
    )


def _distinctive_words(name: str) -> frozenset[str]:
    """Return the words of a name that distinguish lenders; all words if none does."""
    plain = unicodedata.normalize("NFKD", name.casefold()).encode("ascii", "ignore").decode()
    words = frozenset(_WORD.findall(plain.replace("'", "").replace(".", "")))
    return words - _FIRM_WORDS or words
