"""Menus (specification 2 and 3). Paths are those of the content service; presenters turn them into links."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

NEW_TAB = "_blank"

_CSS_CLASS = re.compile(r"-?[A-Za-z_][\w-]{0,59}", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class MenuItem:
    """An entry of a menu: a link, or a group with an empty path; `parent` is the id of its group.

    `css_classes` are the classes of its link, separated by spaces.
    """

    id: str
    label: str
    path: str = ""
    parent: str = ""
    title: str = ""
    target: str = ""
    css_classes: str = ""
    children: tuple[MenuItem, ...] = ()


def class_names(names: Iterable[object], *, prefix: str = "") -> str:
    """Return the valid class names of a list, each after a prefix, separated by spaces."""
    return " ".join(prefix + name for name in names if isinstance(name, str) and _CSS_CLASS.fullmatch(name))


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
