"""Filters and order of the lists of guides, and shortened descriptions (specification 2 and 4, decisions 26 and 43).

Two rules say which guides a filter lists. Specification 4 gives each filter a set of categories, wider than its name:
"First Time Buyer Guides" shows guides on property and mortgages too. It holds for guides of a content service, whose
editors name few categories. Decision 43 is newer: our own guides name every category that they belong to
(`categories_complete`), so the filter of a category lists those of that category alone. By either rule the guides whose
main category it is come first. The filters of a service that is no category go by specification 4.
"""

from collections.abc import Iterable
from enum import StrEnum
from typing import Protocol, TypeVar

ALL = "all"
"""The filter that shows every guide (decision 26)."""

_MAX_DESCRIPTION_LENGTH = 100
"""Characters of a description on a slide; a longer one is cut and ends in three dots."""


class GuideCategory(StrEnum):
    PROPERTY = "property"
    FIRST_TIME_BUYER = "first-time-buyer"
    REMORTGAGING = "remortgaging"
    MORTGAGING = "mortgaging"


_PROPERTY, _FIRST, _REMORTGAGING, _MORTGAGING = GuideCategory
_OWNERS = frozenset({_PROPERTY, _REMORTGAGING, _MORTGAGING})
_FILTERS: dict[str, frozenset[GuideCategory]] = {
    _FIRST: frozenset({_PROPERTY, _FIRST, _MORTGAGING}),
    _REMORTGAGING: _OWNERS,
    "buy-to-let": _OWNERS,
    "home-mover": _OWNERS,
    _PROPERTY: frozenset({_PROPERTY}),
    _MORTGAGING: frozenset({_MORTGAGING}),
}

KNOWN_FILTERS = (ALL, *_FILTERS)
"""Every known filter; any other shows what `ALL` shows (specification 4)."""


class Categorised(Protocol):
    """A guide, or the card of one."""

    @property
    def categories(self) -> tuple[str, ...]:
        """The categories, the main one first; none for a guide for all readers or with unknown ones."""
        ...

    @property
    def categories_complete(self) -> bool:
        """Whether `categories` name every category whose filter lists the guide (decision 43)."""
        ...


Listed = TypeVar("Listed", bound=Categorised)


def is_listed(guide: Categorised, chosen: str) -> bool:
    """Return whether a filter lists a guide; `ALL` lists every guide.

    An unknown filter lists every category, and guides without any (specification 4, "plus an empty category").
    """
    if chosen == ALL:
        return True
    if guide.categories_complete and chosen in set(GuideCategory):
        return chosen in guide.categories
    if chosen not in _FILTERS and not guide.categories:
        return True
    return bool(_FILTERS.get(chosen, frozenset(GuideCategory)) & set(guide.categories))


def filter_guides(guides: Iterable[Listed], chosen: str) -> tuple[Listed, ...]:
    """Return the guides that a filter lists, in order, those whose main category it is first."""
    shown = (guide for guide in guides if is_listed(guide, chosen))
    return tuple(sorted(shown, key=lambda guide: guide.categories[:1] != (chosen,)))


def filters_of(guide: Categorised) -> tuple[str, ...]:
    """Return the known filters that list a guide, but for `ALL`."""
    return tuple(str(chosen) for chosen in _FILTERS if is_listed(guide, chosen))


def truncate(description: str) -> str:
    """Return the first 100 characters of a description, with dots if there are more."""
    return description if len(description) <= _MAX_DESCRIPTION_LENGTH else f"{description[:_MAX_DESCRIPTION_LENGTH]}..."


class GuideSubject(StrEnum):
    """The subject of a guide's picture; `assets/art/guides/` has a drawing of each."""

    BALANCE = "balance"
    CALENDAR = "calendar"
    CASE = "case"
    DOORS = "doors"
    FANLIGHT = "fanlight"
    FEES = "fees"
    FLATS = "flats"
    GIFT = "gift"
    KEY = "key"
    LEAF = "leaf"
    LEASE = "lease"
    LETTING = "letting"
    LIFEBUOY = "lifebuoy"
    NEWBUILD = "newbuild"
    NOTES = "notes"
    PAPERS = "papers"
    PERCENT = "percent"
    SAVINGS = "savings"
    STEPS = "steps"
    SURVEY = "survey"
    SWITCH = "switch"
    TICK = "tick"
    TOOLS = "tools"
    UMBRELLA = "umbrella"
    VAN = "van"


USUAL_SUBJECTS = {
    GuideCategory.PROPERTY: GuideSubject.VAN,
    GuideCategory.FIRST_TIME_BUYER: GuideSubject.KEY,
    GuideCategory.REMORTGAGING: GuideSubject.SWITCH,
    GuideCategory.MORTGAGING: GuideSubject.FANLIGHT,
}
"""Subject of a guide that names none, by its main category."""
