"""Filters of the lists of guides, and their shortened descriptions (specification 2 and 4, decision 26)."""

from collections.abc import Iterable
from enum import StrEnum
from typing import Protocol, TypeVar

ALL = "all"
"""The filter that shows every guide (decision 26)."""

MAX_DESCRIPTION_LENGTH = 100
"""Characters of a description on a slide; a longer one is cut and ends in three dots."""


class GuideCategory(StrEnum):
    """A category of guides; a guide may have several."""

    PROPERTY = "property"
    FIRST_TIME_BUYER = "first-time-buyer"
    REMORTGAGING = "remortgaging"
    MORTGAGING = "mortgaging"


_PROPERTY, _FIRST, _REMORTGAGING, _MORTGAGING = GuideCategory

_OWNERS = frozenset({_PROPERTY, _REMORTGAGING, _MORTGAGING})

_SHOWN: dict[str, frozenset[GuideCategory]] = {
    _FIRST: frozenset({_PROPERTY, _FIRST, _MORTGAGING}),
    _REMORTGAGING: _OWNERS,
    "buy-to-let": _OWNERS,
    "home-mover": _OWNERS,
    _PROPERTY: frozenset({_PROPERTY}),
    _MORTGAGING: frozenset({_MORTGAGING}),
}

KNOWN_FILTERS = (ALL, *_SHOWN)
"""Every known filter; any other shows what `ALL` shows (specification 4)."""


class Categorised(Protocol):
    """A guide, or the card of one."""

    @property
    def categories(self) -> tuple[str, ...]:
        """The categories, none for a guide whose categories are unknown."""
        ...


Listed = TypeVar("Listed", bound=Categorised)


def categories_shown(chosen: str) -> frozenset[GuideCategory]:
    """Return the categories that a filter shows; one that is unknown shows all four (specification 4)."""
    return _SHOWN.get(chosen, frozenset(GuideCategory))


def guides_shown(guides: Iterable[Listed], chosen: str) -> tuple[Listed, ...]:
    """Return the guides whose categories include one that the filter shows; every guide for `ALL`.

    An unknown filter shows guides without any category too (specification 4, "plus an empty category").
    """
    if chosen == ALL:
        return tuple(guides)
    shown, unknown = categories_shown(chosen), chosen not in _SHOWN
    return tuple(guide for guide in guides if shown & set(guide.categories) or (unknown and not guide.categories))


def truncate(description: str) -> str:
    """Return the first 100 characters of a description, with dots if there are more."""
    return description if len(description) <= MAX_DESCRIPTION_LENGTH else f"{description[:MAX_DESCRIPTION_LENGTH]}..."
