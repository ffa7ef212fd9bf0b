"""Lenders by id: their names, and the addresses of their logos."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from broker.content.models.lenders import LenderText
from broker.domain.rates.lenders import KnownLender

MARK, MARK_ENDING = "/art/lender-", ".svg"
"""The address of a lender's drawn mark is MARK, its slug, and MARK_ENDING."""


def lenders_with_words(texts: Mapping[str, LenderText], *, beside: Iterable[KnownLender]) -> tuple[KnownLender, ...]:
    """Return the lenders that only the content knows, with a name and a feed id; each has a page too."""
    known = tuple(beside)
    slugs, ids = {lender.slug for lender in known}, {lender.lender_id for lender in known}
    return tuple(
        KnownLender(lender_id=text.lender_id, name=text.name, slug=slug, kind="")
        for slug, text in texts.items()
        if text.name and text.lender_id and slug not in slugs and text.lender_id not in ids
    )


class LenderDirectory:
    """The lenders, joined by id and never by name.

    `lenders` are ours; a live feed adds names and logos while the server runs. `marks` are the addresses of drawn
    marks, at which the edge serves a lender's logo if it has one, so that built pages never need to change
    (broker.web.serving.logo_files).
    """

    def __init__(self, lenders: Iterable[KnownLender]) -> None:
        self.lenders = tuple(sorted(lenders, key=lambda lender: lender.name.casefold()))
        self.marks: Mapping[int, str] = MappingProxyType(
            {lender.lender_id: f"{MARK}{lender.slug}{MARK_ENDING}" for lender in self.lenders}
        )
        self._known = {lender.lender_id: lender.name for lender in self.lenders}
        self._logos = self.marks
        self._in_feed: dict[int, str] = {}

    def by_slug(self, slug: str) -> KnownLender | None:
        return next((lender for lender in self.lenders if lender.slug == slug), None)

    @property
    def ids(self) -> tuple[int, ...]:
        """Return the ids of all lenders, ours and the feed's, in ascending order."""
        return tuple(sorted(self._known.keys() | self._in_feed.keys()))

    @property
    def told(self) -> frozenset[int]:
        return frozenset(self._in_feed)

    def name(self, lender_id: int) -> str:
        """Return our name for a lender, else the feed's, else an empty text."""
        return self._known.get(lender_id) or self._in_feed.get(lender_id, "")

    def logos(self) -> Mapping[int, str]:
        """Return the current address of each lender's logo, else of its drawn mark, by lender id.

        A lender of the feed alone without a logo is missing: its initials are drawn. Built pages use `marks`.
        """
        return self._logos

    def learn_names(self, names: Mapping[int, str]) -> None:
        self._in_feed = dict(names)

    def learn_logos(self, addresses: Mapping[int, str]) -> None:
        self._logos = MappingProxyType({**self.marks, **addresses})
