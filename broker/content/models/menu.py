"""Menus (specification 2 and 3). Paths are those of the content service; presenters turn them into links."""

from __future__ import annotations

from dataclasses import dataclass

NEW_TAB = "_blank"


@dataclass(frozen=True, slots=True, kw_only=True)
class MenuItem:
    """An entry of a menu: a link, or a group with an empty path; `parent` is the id of its group."""

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
    """All menus; without a `main` menu nothing renders (specification 2)."""

    main: Menu | None
    services: Menu
    footer: Menu
    promotion_services: Menu
    sitemap: Menu
