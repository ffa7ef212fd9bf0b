"""Menus (specification 2 and 3), and their links with canonical paths (decisions 1 to 3)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import urlsplit, urlunsplit

from broker import routes
from broker.content.models.pages import DealPage
from broker.rates.customers import RULES, Customer

NEW_TAB = "_blank"

_CSS_CLASS = re.compile(r"-?[A-Za-z_][\w-]{0,59}", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class MenuItem:
    """An entry of a menu at the content service: a link, or a group with an empty path; `parent` is its group's id.

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


@dataclass(frozen=True, slots=True, kw_only=True)
class MenuLink:
    """A menu link, or a group of links with an empty `href`; `title` is its tooltip, `css_classes` those of its CSS."""

    label: str
    href: str
    new_tab: bool = False
    title: str = ""
    css_classes: str = ""
    links: tuple[MenuLink, ...] = ()


def canonical(path: str) -> str:
    """Return the canonical path of a menu path; a URL of another site is returned unchanged.

    Strips the api and promotion prefixes, adds the trailing slash and follows `routes.CANONICAL`; keeps query and
    fragment.
    """
    parts = urlsplit(path)
    if parts.scheme or parts.netloc:
        return path
    bare = parts.path if parts.path.endswith("/") else parts.path + "/"
    own = _without_prefixes(bare)
    return urlunsplit(("", "", routes.CANONICAL.get(own, own), parts.query, parts.fragment))


def menu_links(items: tuple[MenuItem, ...]) -> tuple[MenuLink, ...]:
    """Return a menu's links, two levels deep: a nested group becomes a link to its first page."""
    return tuple(_link(item, links=tuple(_link(child) for child in item.children)) for item in items)


def deal_links(pages: Iterable[DealPage]) -> tuple[MenuLink, ...]:
    """Return links to the deal pages, the two rates pages of landlords, and the list of lenders."""
    landlords = (Customer.BUY_TO_LET_PURCHASE, Customer.BUY_TO_LET_REMORTGAGE)
    return (
        *(MenuLink(label=f"{RULES[page.customer].title} Deals", href=page.path) for page in pages),
        *(MenuLink(label=f"{RULES[one].title} Rates", href=routes.deals(one)) for one in landlords),
        MenuLink(label="Mortgage Lenders", href=routes.LENDERS),
    )


def _link(item: MenuItem, *, links: tuple[MenuLink, ...] = ()) -> MenuLink:
    path = item.path or ("" if links else _first_path(item))
    return MenuLink(
        label=item.label,
        href=canonical(path) if path else "",
        new_tab=item.target == NEW_TAB,
        title=item.title,
        css_classes=item.css_classes,
        links=links,
    )


def _first_path(item: MenuItem) -> str:
    return item.path or _first_path(item.children[0])


def _without_prefixes(path: str) -> str:
    for prefix in routes.STRIPPED_PREFIXES:
        if path.startswith(prefix):
            return _without_prefixes("/" + path.removeprefix(prefix))
    return path
