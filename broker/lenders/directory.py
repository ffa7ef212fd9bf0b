"""All lenders, ours and a live feed's: names, pages and addresses of logos."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType

from broker.content.models.lenders import LenderText
from broker.content.snapshot.snapshot import ACCEPT
from broker.content.source import lacks_too_many, read_lender_list, write_lender_list
from broker.lenders.lender import MARK, MARK_SUFFIX, KnownLender, is_compatible, lenders_of_feed
from broker.lenders.windows import Correction, LenderWindow, find_window, window_of
from broker.lending.transfer_window import TransferWindow
from broker.rates.feed.client import FeedClient
from broker.rates.feed.errors import FeedError
from broker.rates.feed.lenders import fetch_lenders
from broker.rates.market.catalogue import Catalogue, lenders
from broker.settings import Settings


def market_lenders(catalogue: Catalogue) -> tuple[KnownLender, ...]:
    return tuple(
        KnownLender(
            lender_id=lender.lender_id,
            name=lender.name,
            slug=lender.slug,
            kind=lender.kind,
            residential=lender.residential,
            buy_to_let=lender.buy_to_let,
        )
        for lender in lenders(catalogue)
    )


def known_lenders(
    ours: Iterable[KnownLender], texts: Mapping[str, LenderText], *, names: Mapping[int, str]
) -> tuple[KnownLender, ...]:
    """Return all lenders: those of a live feed (`names` by id), or ours without one, and those with a text.

    A lender's text gives it a page at the text's address. A text without a lender's id (`lender_id` 0) gives a page
    without rates.
    """
    known = {lender.lender_id: lender for lender in (lenders_of_feed(names, ours) if names else ours)}
    slugs = {lender.slug for lender in known.values()}
    own = [(slug, text) for slug, text in texts.items() if text.name and slug not in slugs]
    for slug, text in own:
        lender = known.get(text.lender_id)
        if lender and not lender.slug:
            known[text.lender_id] = replace(lender, slug=slug)
        elif text.lender_id and not lender:
            known[text.lender_id] = KnownLender(lender_id=text.lender_id, name=text.name, slug=slug, kind="")
    taken = {lender.slug for lender in known.values()}
    without_rates = (
        KnownLender(lender_id=0, name=text.name, slug=slug, kind="")
        for slug, text in own
        if names and not text.lender_id and slug not in taken
    )
    return (*known.values(), *without_rates)


async def read_lenders(settings: Settings, client: FeedClient, *, accept_removals: bool = False) -> str:
    """Store the feed's list of lenders for the next build; return why the last list is kept instead, else "".

    A list that is empty or lacks many of the last lenders is refused unless `accept_removals` is set. Raises OSError.
    """
    before = read_lender_list(settings)
    try:
        names = {lender.lender_id: lender.name for lender in await fetch_lenders(client)}
    except FeedError as error:
        return f"the feed's list of lenders cannot be read ({error})"
    if not names or (lacks_too_many(names, before=before) and not accept_removals):
        return f"the feed lists {len(names)} lenders, and {len(before)} before: {ACCEPT}"
    if names != before:
        write_lender_list(settings, names)
    return ""


class LenderDirectory:
    """The lenders that pages are built with, and the names and logos that a feed adds.

    `marks` are the addresses of drawn marks, where the edge serves a lender's logo if it has one, so that pages need
    not change (broker.server.pictures). `clashes` has a sentence by id for each page whose id is another lender's in
    the feed.
    """

    def __init__(self, lenders: Iterable[KnownLender], *, windows: Iterable[LenderWindow] = ()) -> None:
        self._windows = tuple(windows)
        self.corrections: Mapping[int, Correction] = {}
        self._names_in_feed: dict[int, str] = {}
        self._logos_by_id: Mapping[int, str] = {}
        self.update(lenders)

    def update(self, lenders: Iterable[KnownLender]) -> None:
        """Replace the lenders after new pages were published."""
        self.lenders = tuple(sorted(lenders, key=lambda lender: lender.name.casefold()))
        self.marks: Mapping[int, str] = MappingProxyType(
            {each.lender_id: each.mark for each in self.lenders if each.mark and each.lender_id}
        )
        self._known = {lender.lender_id: lender for lender in self.lenders if lender.lender_id}
        self._check_names()

    def by_slug(self, slug: str) -> KnownLender | None:
        """Return the lender of a page; None for no page, or if the feed has its id under another name."""
        found = next((lender for lender in self.lenders if slug and lender.slug == slug), None)
        return None if found and (not found.lender_id or found.lender_id in self.clashes) else found

    def by_mark(self, path: str) -> KnownLender | None:
        """Return the lender whose mark has an address, under the same rule as `by_slug`."""
        return self.by_slug(path.removeprefix(MARK).removesuffix(MARK_SUFFIX))

    @property
    def ids(self) -> tuple[int, ...]:
        """Return the ids of all lenders, ours and the feed's, in ascending order."""
        return tuple(sorted(self._known.keys() | self._names_in_feed.keys()))

    @property
    def in_feed(self) -> frozenset[int]:
        return frozenset(self._names_in_feed)

    def name(self, lender_id: int) -> str:
        """Return the name on a lender's page, else in the feed, else an empty text."""
        known = None if lender_id in self.clashes else self._known.get(lender_id)
        return known.name if known else self._names_in_feed.get(lender_id, "")

    def window(self, lender_id: int) -> TransferWindow:
        """Return how early a lender lets its own borrowers book; the usual for one that has no name, and for 0."""
        name, corrected = self.name(lender_id), self.corrections.get(lender_id)
        return corrected.window(name) if corrected and corrected.checked else window_of(name, self._windows)

    def window_in_file(self, lender_id: int) -> LenderWindow | None:
        return find_window(self.name(lender_id), self._windows)

    def logos(self) -> Mapping[int, str]:
        """Return the current address of each lender's logo, else of its drawn mark, by lender id.

        A lender of the feed alone without a logo is missing: its initials are drawn. Built pages use `marks`.
        """
        return self._logos

    def learn_windows(self, corrections: Mapping[int, Correction]) -> None:
        """Take the newest correction of each lender, by its id."""
        self.corrections = corrections

    def learn_names(self, names: Mapping[int, str]) -> None:
        self._names_in_feed = dict(names)
        self._check_names()

    def learn_logos(self, addresses: Mapping[int, str]) -> None:
        self._logos_by_id = dict(addresses)
        self._check_names()

    def _check_names(self) -> None:
        """Find `clashes`, which show no rates and no logo until a build."""
        clashes = {
            lender_id: f"{self._known[lender_id].name} is {name} in the feed"
            for lender_id, name in self._names_in_feed.items()
            if lender_id in self._known and not is_compatible(self._known[lender_id].name, name)
        }
        marks = {lender_id: mark for lender_id, mark in self.marks.items() if lender_id not in clashes}
        self.clashes: Mapping[int, str] = MappingProxyType(clashes)
        self._logos: Mapping[int, str] = MappingProxyType(marks | dict(self._logos_by_id))
