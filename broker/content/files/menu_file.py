"""Reader for `menus.json`: nested menu entries."""

from broker.content.files.validated_record import Record
from broker.content.models.menu import NEW_TAB, Menu, MenuItem, Menus, class_names


def read_menus(record: Record) -> Menus:
    """Read the menus; faults are repeated ids, missing labels, and entries without path or children."""
    names = ("services", "footer", "promotion_services", "sitemap")
    record.allow("main", *names)
    main = _menu(record, "main") if "main" in record.values else None
    return Menus(main=main, **{name: _menu(record, name) for name in names})


def _menu(record: Record, name: str) -> Menu:
    seen: set[str] = set()
    items = tuple(_item(entry, parent="", seen=seen) for entry in record.records(name))
    if not items:
        record.refuse(f"menu {name} is empty", None)
    return Menu(id=name, items=items)


def _item(record: Record, *, parent: str, seen: set[str]) -> MenuItem:
    record.allow("id", "label", "path", "title", "target", "css_classes", "children")
    key, path, target = record.text("id"), record.optional("path"), record.optional("target")
    if key in seen:
        record.refuse(f"duplicate id {key!r}", None)
    seen.add(key)
    if path and not path.startswith(("/", "https://")):
        record.refuse(f"path must begin with / or https://, not {path!r}", None)
    if target not in ("", NEW_TAB):
        record.refuse(f"target must be {NEW_TAB} or absent, not {target!r}", None)
    children = tuple(_item(entry, parent=key, seen=seen) for entry in record.records("children"))
    if not path and not children:
        record.refuse(f"{key!r} has neither a path nor children", None)
    return MenuItem(
        id=key,
        label=record.text("label"),
        path=path,
        parent=parent,
        title=record.optional("title"),
        target=target,
        css_classes=class_names(record.texts("css_classes")),
        children=children,
    )
