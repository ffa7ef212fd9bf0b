"""The view of the list of all lenders, from A to Z."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import groupby

from broker import routes
from broker.domain.immutable import Immutable
from broker.domain.rates.customers import default_query
from broker.domain.rates.lenders import KnownLender
from broker.presenters.page_head import HeadView
from broker.presenters.rates.search_params import search_address


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedLender(Immutable):
    """A lender in the list: `logo` is empty without a page, `words` are the values of the filter that it fits."""

    name: str
    href: str
    logo: str
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LetterGroup(Immutable):
    """The lenders whose names begin with a letter."""

    letter: str
    anchor: str
    lenders: tuple[ListedLender, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LendersPage(Immutable):
    """The list: what counts the entries that its filter shows, and the lenders by letter."""

    head: HeadView
    lead: str
    count: str
    groups: tuple[LetterGroup, ...]


def lenders_page(lenders: Iterable[KnownLender], *, head: HeadView) -> LendersPage:
    listed = sorted(lenders, key=lambda each: each.name.casefold())
    count = sum(lender.lender_id > 0 for lender in listed)
    return LendersPage(
        head=head,
        lead=f"Rates from {count} lenders. Choose one to see its deals, with the APRC, fees and true cost of each.",
        count=f"{len(listed)} of {len(listed)} shown",
        groups=tuple(
            LetterGroup(letter=letter, anchor=f"letter-{letter.casefold()}", lenders=tuple(map(_listed, group)))
            for letter, group in groupby(listed, key=lambda each: each.name[:1].upper())
        ),
    )


def _listed(lender: KnownLender) -> ListedLender:
    """Return a lender with its page, or the search for its deals where it has no page."""
    search = search_address(replace(default_query(""), lender_id=lender.lender_id))
    return ListedLender(
        name=lender.name,
        href=routes.lender(lender.slug) if lender.slug else search,
        logo=f"/art/lender-{lender.slug}.svg" if lender.slug else "",
        words=" ".join(_fitting(lender)),
    )


def _fitting(lender: KnownLender) -> Iterable[str]:
    """Yield the values of the choices of the filter that a lender fits."""
    if lender.kind:
        yield f"kind-{lender.kind}"
    if lender.residential:
        yield "on-homes"
    if lender.buy_to_let:
        yield "on-let"
