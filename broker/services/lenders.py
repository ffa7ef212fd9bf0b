"""Who the lenders are: their names by id, and the pictures that stand for them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from broker.content.models.lenders import LenderText
from broker.domain.rates.lenders import KnownLender

MARK, MARK_ENDING = "/art/lender-", ".svg"
"""What the address of a lender's drawn mark begins and ends with; between them stands its slug."""


def lenders_with_words(texts: Mapping[str, LenderText], *, beside: Iterable[KnownLender]) -> tuple[KnownLender, ...]:
    """Return the lenders that only the content knows, by name and by their id in the feed: they have a page too."""
    known = tuple(beside)
    slugs, ids = {lender.slug for lender in known}, {lender.lender_id for lender in known}
    return tuple(
        KnownLender(lender_id=text.lender_id, name=text.name, slug=slug, kind="")
        for slug, text in texts.items()
        if text.name and text.lender_id and slug not in slugs and text.lender_id not in ids
    )


class LenderDirectory:
    """The lenders by id; joined by id, never by name.

    `lenders` are those that we know. What a live feed tells of them, and of others, is learnt while the server runs.
    `marks` are the addresses of drawn marks, under which the edge answers with the logo of a lender that has one: they
    hold in a page, whatever staff or the feed change later (broker.web.serving.logo_files).
    """

    def __init__(self, lenders: Iterable[KnownLender]) -> None:
        """Keep the lenders, sorted by name, capital or not."""
        self.lenders = tuple(sorted(lenders, key=lambda lender: lender.name.casefold()))
        self.marks: Mapping[int, str] = MappingProxyType(
            {lender.lender_id: f"{MARK}{lender.slug}{MARK_ENDING}" for lender in self.lenders}
        )
        self._known = {lender.lender_id: lender.name for lender in self.lenders}
        self._logos = self.marks
        self._told: dict[int, str] = {}

    def by_slug(self, slug: str) -> KnownLender | None:
        """Return the lender whose pages' addresses end so, or None."""
        return next((lender for lender in self.lenders if lender.slug == slug), None)

    @property
    def ids(self) -> tuple[int, ...]:
        """Return the ids of every lender, known to us or to the feed, rising."""
        return tuple(sorted(self._known.keys() | self._told.keys()))

    @property
    def told(self) -> frozenset[int]:
        """Return the ids of the lenders that the feed has told of."""
        return frozenset(self._told)

    def name(self, lender_id: int) -> str:
        """Return our name for a lender, else the feed's; empty for one that neither knows."""
        return self._known.get(lender_id) or self._told.get(lender_id, "")

    def logos(self) -> Mapping[int, str]:
        """Return the address of each lender's picture as it is now, by lender id: the logo, else the drawn mark.

        A lender that we do not know, and that has no logo, is not in it: its initials are drawn. Pages that are built
        name `marks` instead, which hold whatever comes.
        """
        return self._logos

    def learn_names(self, names: Mapping[int, str]) -> None:
        """Take over the feed's lenders, in place of those that it told before."""
        self._told = dict(names)

    def learn_logos(self, addresses: Mapping[int, str]) -> None:
        """Take over the addresses of the logos that stand, in place of those before."""
        self._logos = MappingProxyType({**self.marks, **addresses})
