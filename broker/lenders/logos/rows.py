"""The list of all lenders for staff, with the use, logo and logo source of each."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from broker.lenders.logos.logo import LogoKind, LogoSource
from broker.lenders.logos.logo_cache import LogoCache
from broker.lenders.logos.reports import LenderRow
from broker.site_search.index import without_accents

NOBODY_KNOWS = "Lender {number}"
"""What a lender is called that has a logo here, and that neither we nor the feed know any longer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LogoFilter:
    """What staff look for: a part of a name, or a lender's number; and only lenders whose monogram stands."""

    name: str = ""
    without_logo: bool = False


def known_ids(logo_cache: LogoCache) -> frozenset[int]:
    """Return every lender that we or the feed know, or that has had a logo here."""
    return frozenset(logo_cache.directory.ids) | frozenset(logo_cache.logos)


def lender_name(logo_cache: LogoCache, lender_id: int) -> str:
    return logo_cache.directory.name(lender_id) or NOBODY_KNOWS.replace("{number}", str(lender_id))


def rows(logo_cache: LogoCache, products: Mapping[int, int] | None, *, wanted: LogoFilter) -> tuple[LenderRow, ...]:
    """Return the lenders that a filter wants, by name; `products` counts those of the sample market."""
    found = (row for row in _all(logo_cache, products) if _is_wanted(row, wanted))
    return tuple(sorted(found, key=lambda row: (row.name.casefold(), row.lender_id)))


def _all(logo_cache: LogoCache, products: Mapping[int, int] | None) -> Iterator[LenderRow]:
    directory = logo_cache.directory
    ours = {lender.lender_id: lender for lender in directory.lenders}
    for lender_id in known_ids(logo_cache):
        lender, logo = ours.get(lender_id), logo_cache.logo(lender_id)
        staff = logo.staff
        yield LenderRow(
            lender_id=lender_id,
            name=lender_name(logo_cache, lender_id),
            slug=lender.slug if lender else "",
            residential=bool(lender and lender.residential),
            buy_to_let=bool(lender and lender.buy_to_let),
            in_feed=lender_id in directory.in_feed,
            products=None if products is None else products.get(lender_id, 0),
            logo=logo_cache.address(lender_id),
            mark=directory.marks.get(lender_id, ""),
            source=logo.source,
            is_hidden=bool(staff and staff.kind is LogoKind.HIDDEN),
            number=logo.number,
            who=staff.who if staff else "",
            at=staff.at if staff else None,
            file_name=staff.file_name if staff else "",
        )


def _is_wanted(row: LenderRow, wanted: LogoFilter) -> bool:
    text = without_accents(" ".join(wanted.name.split()))
    named = text in without_accents(row.name) or text == str(row.lender_id)
    return named and (not wanted.without_logo or row.source is LogoSource.MONOGRAM)
