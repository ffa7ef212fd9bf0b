"""Roles of staff accounts, and what each may do: one table for pages, handlers, forms, files and the accounts page."""

from collections.abc import Mapping
from enum import StrEnum

NOT_ALLOWED = "Your account may not do this. Ask an owner if it should"
"""What a handler, a form and an address say to a role that may not use them."""


class Role(StrEnum):
    OWNER = "owner"
    ADVISER = "adviser"
    CONTENT = "content"
    LOGOS = "logos"


class Right(StrEnum):
    """A right; `OWN` is what every signed-in account may do: see and change its own account."""

    CASES = "cases"
    EXPORT = "export"
    DELETE_PERSON = "delete-person"
    COMPLAINTS = "complaints"
    PROMOTIONS = "promotions"
    LOGOS = "logos"
    FIGURES = "figures"
    ACCOUNTS = "accounts"
    OWN = "own"


class Extent(StrEnum):
    """How far a right goes: over everything, or over the account's own cases alone."""

    ALL = "all"
    OWN_CASES = "own cases"


_ADVISER = {
    Right.CASES: Extent.ALL,
    Right.EXPORT: Extent.OWN_CASES,
    Right.DELETE_PERSON: Extent.OWN_CASES,
    Right.COMPLAINTS: Extent.ALL,
    Right.FIGURES: Extent.OWN_CASES,
}
RIGHTS: Mapping[Role, Mapping[Right, Extent]] = {
    Role.OWNER: dict.fromkeys(Right, Extent.ALL),
    Role.ADVISER: {**_ADVISER, Right.OWN: Extent.ALL},
    Role.CONTENT: dict.fromkeys((Right.PROMOTIONS, Right.LOGOS, Right.OWN), Extent.ALL),
    Role.LOGOS: dict.fromkeys((Right.LOGOS, Right.OWN), Extent.ALL),
}
"""What each role may do, and how far; what is not named is refused."""


def may(role: Role, right: Right) -> bool:
    """Return whether a role has a right, over everything or over its own cases."""
    return right in RIGHTS[role]


def own_cases_only(role: Role, right: Right) -> bool:
    """Return whether a role has a right over its own cases alone."""
    return RIGHTS[role].get(right) is Extent.OWN_CASES


def parse_role(text: object) -> Role | None:
    return Role(text) if isinstance(text, str) and text in set(Role) else None
