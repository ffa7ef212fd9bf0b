"""Menus as links with canonical paths (specification 2, decisions 1 to 3)."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit, urlunsplit

from broker import routes
from broker.content.models.menu import NEW_TAB, MenuItem


@dataclass(frozen=True, slots=True, kw_only=True)
class MenuLink:
    """A menu link, or a group of links with an empty `href`; `title` is its tooltip."""

    label: str
    href: str
    new_tab: bool = False
    title: str = ""
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


def _link(item: MenuItem, *, links: tuple[MenuLink, ...] = ()) -> MenuLink:
    path = item.path or ("" if links else _first_path(item))
    return MenuLink(
        label=item.label,
        href=canonical(path) if path else "",
        new_tab=item.target == NEW_TAB,
        title=item.title,
        links=links,
    )


def _first_path(item: MenuItem) -> str:
    return item.path or _first_path(item.children[0])


def _without_prefixes(path: str) -> str:
    for prefix in routes.STRIPPED_PREFIXES:
        if path.startswith(prefix):
            return _without_prefixes("/" + path.removeprefix(prefix))
    return path
