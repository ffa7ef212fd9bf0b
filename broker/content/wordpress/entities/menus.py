"""Import of menus: WordPress's flat lists with parent ids become trees."""

from collections.abc import Sequence
from dataclasses import replace

from broker.content.models.menu import NEW_TAB, Menu, MenuItem, Menus, class_names
from broker.content.wordpress.download import Answers
from broker.content.wordpress.fields import at, raw, title
from broker.content.wordpress.import_context import ImportContext
from broker.content.wordpress.responses import Json

Rows = Sequence[dict[str, Json]]

CLASS_PREFIX = "cms-"
"""Prefix of the CSS classes of WordPress's menus."""


def import_menus(context: ImportContext, answers: Answers) -> Menus:
    """Return all menus; a missing main menu is a fatal issue, any other falls back to ours."""
    rows = {name: answers.site.get(f"{name}Menu") or () for name in ("main", "services", "footer", "sitemap")}
    rows["footer"] = [*rows["footer"], *(answers.site.get("footerLegal") or ())]
    found = {name: menu for name in rows if (menu := _menu(context, name, rows[name])).items}
    if "main" not in found:
        context.refuse("menu main", "is empty or missing; without it no page is drawn")
    for name in ("services", "footer", "sitemap"):
        if name not in found:
            context.note(f"menu {name}", "is empty or missing; ours is used")
    if "services" in found:
        found["promotion_services"] = replace(found["services"], id="promotion_services")
    return replace(context.fallback.menus(), **found)


def _menu(context: ImportContext, name: str, rows: Rows) -> Menu:
    keys = {_key(row) for row in rows}
    by_parent: dict[str, list[dict[str, Json]]] = {}
    seen: set[str] = set()
    for row in rows:
        key, parent = _key(row), raw(row.get("parentId"))
        if not key or key in seen:
            context.note(f"menu {name}", f"has {title(row.get('label'))!r} twice, or without an id: left out")
            continue
        seen.add(key)
        by_parent.setdefault(parent if parent in keys else "", []).append(row)
    return Menu(id=name, items=_items(context, name, by_parent, parent=""))


def _items(
    context: ImportContext, name: str, by_parent: dict[str, list[dict[str, Json]]], *, parent: str
) -> tuple[MenuItem, ...]:
    """Return the entries under a parent, removing them from `by_parent`, so that a cycle ends."""
    found = [_item(context, name, by_parent, row=row, parent=parent) for row in by_parent.pop(parent, ())]
    return tuple(item for item in found if item)


def _item(
    context: ImportContext, name: str, by_parent: dict[str, list[dict[str, Json]]], *, row: dict[str, Json], parent: str
) -> MenuItem | None:
    key, label = _key(row), title(row.get("label"))
    children = _items(context, name, by_parent, parent=key)
    path = _path(context, row)
    if not label or not (path or children):
        context.note(f"menu {name}", f"{label or key!r} leads nowhere, left out")
        return None
    return MenuItem(
        id=key,
        label=label,
        path=path,
        parent=parent,
        title=title(row.get("title")),
        target=NEW_TAB if row.get("target") == NEW_TAB else "",
        css_classes=_class_names(row),
        children=children,
    )


def _class_names(row: dict[str, Json]) -> str:
    """Return the classes of an entry; with their prefix they never meet a rule of our stylesheet (decision 50)."""
    given = row.get("cssClasses")
    return class_names(given, prefix=CLASS_PREFIX) if isinstance(given, list) else ""


def _path(context: ImportContext, row: dict[str, Json]) -> str:
    """Return the path of an entry: that of its connected page, else the typed one; empty for a group.

    An entry of an unpublished page has the root path and no page, which is empty too.
    """
    uri = raw(at(row, "connectedNode", "node", "uri"))
    typed = raw(row.get("path")) or raw(row.get("url"))
    if not uri and (typed.startswith("#") or typed in ("", context.root)):
        return ""
    return context.link(uri or typed)


def _key(row: dict[str, Json]) -> str:
    return raw(row.get("key")) or raw(row.get("id")) or raw(row.get("databaseId"))
