"""The menus (specification 2 and 3). Paths are as the content service gives them; presenters make links of them."""

from __future__ import annotations

from dataclasses import dataclass

NEW_TAB = "_blank"


@dataclass(frozen=True, slots=True, kw_only=True)
class MenuItem:
    """An entry of a menu: a link, or a group with an empty path; `parent` is the id of the group it stands in."""

    id: str
    label: str
    path: str = ""
    parent: str = ""
    title: str = ""
    target: str = ""
    children: tuple[MenuItem, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Menu:
    """A menu by its id."""

    id: str
    items: tuple[MenuItem, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Menus:
    """All menus; `main` is None where the content has none, and then nothing renders (specification 2)."""

    main: Menu | None
    services: Menu
    footer: Menu
    promotion_services: Menu
    sitemap: Menu
