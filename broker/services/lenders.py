"""Who the lenders are: their names by id, and the pictures that stand for them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from broker.content.lender_texts import LenderText
from broker.domain.lenders import KnownLender
from broker.services.logo_files import LogoFile


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
    """

    def __init__(self, lenders: Iterable[KnownLender]) -> None:
        """Keep the lenders, sorted by name, capital or not."""
        self.lenders = tuple(sorted(lenders, key=lambda lender: lender.name.casefold()))
        self._drawn = {lender.lender_id: f"/art/lender-{lender.slug}.svg" for lender in self.lenders}
        self._known = {lender.lender_id: lender.name for lender in self.lenders}
        self._logos: Mapping[int, str] = MappingProxyType(self._drawn)
        self._files: dict[int, LogoFile] = {}
        self._by_name: dict[str, LogoFile] = {}
        self._told: dict[int, str] = {}

    def by_slug(self, slug: str) -> KnownLender | None:
        """Return the lender whose pages' addresses end so, or None."""
        return next((lender for lender in self.lenders if lender.slug == slug), None)

    @property
    def ids(self) -> tuple[int, ...]:
        """Return the ids of every lender, known to us or to the feed, rising."""
        return tuple(sorted(self._known.keys() | self._told.keys()))

    def name(self, lender_id: int) -> str:
        """Return our name for a lender, else the feed's; empty for one that neither knows."""
        return self._known.get(lender_id) or self._told.get(lender_id, "")

    def logos(self) -> Mapping[int, str]:
        """Return the address of each lender's picture, by lender id: the feed's logo, else the drawn mark.

        A lender that we do not know, and whose logo the feed has not given, is not in it: its initials are drawn.
        """
        return self._logos

    def logo(self, name: str) -> LogoFile | None:
        """Return the logo of a file's name; None for one that there is not, or no longer."""
        return self._by_name.get(name)

    def learn_names(self, names: Mapping[int, str]) -> None:
        """Take over the feed's lenders, in place of those that it told before."""
        self._told = dict(names)

    def learn_logos(self, files: Mapping[int, LogoFile], *, without: Iterable[int] = ()) -> None:
        """Take over the feed's logos of some lenders; those `without` lose theirs, all others keep what they have."""
        kept = {lender_id: file for lender_id, file in self._files.items() if lender_id not in set(without)}
        self._files = kept | dict(files)
        self._by_name = {file.name: file for file in self._files.values()}
        addresses = {lender_id: file.address for lender_id, file in self._files.items()}
        self._logos = MappingProxyType(self._drawn | addresses)
