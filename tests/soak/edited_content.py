"""The content of the stand-in as an editor leaves it, and the answers of the stand-in with it.

A `Content` is one state: what each item says, where it stands, and which ones are gone. It never changes, so that a
test may hold the states that a page can show.
"""

from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import urlsplit

from broker import routes
from broker.content.wordpress.entities.lenders import lender_slug
from tests.standin import Published
from tests.standin.soap import Soap
from tests.standin.wordpress import lender_pages, published_pages

PAGE, GUIDE, TOWN, LENDER = "page", "guide", "town", "lender"
FEES = 1_000
"""Fees of every product, in pounds, to which the number of the rates is added: so a page tells which rates it shows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One page: `key` is the path that it had first; `added` is its id where the editor made it, else 0.

    `url` is the slug that a guide's field has, where the editor left that as it was.
    """

    kind: str
    key: str
    slug: str
    title: str = ""
    words: str = ""
    url: str = ""
    added: int = 0
    lender: int = 0
    is_gone: bool = False
    was_gone: bool = False

    @property
    def folder(self) -> str:
        return "/mortgage-guides/" if self.kind == GUIDE else "/"

    @property
    def path(self) -> str:
        """Return the address on our site."""
        return routes.lender(lender_slug(self.slug)) if self.kind == LENDER else f"{self.folder}{self.slug}/"


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """A state of the content: items by key, the words added to a question and a review, and the number of the rates."""

    items: Mapping[str, Item] = field(default_factory=dict)
    question: str = ""
    review: str = ""
    version: int = 0

    def having(self, item: Item) -> "Content":
        return replace(self, items={**self.items, item.key: item})

    def live(self) -> dict[str, Item]:
        """Return the items that have a page, by its address."""
        return {item.path: item for item in self.items.values() if not item.is_gone}

    def added(self, kind: str) -> Iterator[Item]:
        return (each for each in self.items.values() if each.kind == kind and each.added and not each.is_gone)

    def edit(self, call: str, tree: Any) -> Any:
        """Return the good answer of a call in this state, as `Standin.edit` wants it."""
        match call:
            case "pages":
                new = (self._new_page(item) for kind in (PAGE, GUIDE, TOWN) for item in self.added(kind))
                return [*self._rows(tree), *new]
            case "lender_pages":
                return [*tree, *map(_new_lender, self.added(LENDER))]
            case "graphql" if isinstance(data := tree.get("data"), dict):
                return tree | {"data": {name: self._listed(name, value) for name, value in data.items()}}
            case "faqs":
                return {kind: [self._asked(post) for post in posts] for kind, posts in tree.items()}
            case "get_rates" | "get_saved_rates" | "get_saved_ltv_rates":
                return self._priced(tree)
        return tree

    def _rows(self, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
        found = ((row, self.items.get(_key(row))) for row in rows)
        return [_page(row, item) if item else row for row, item in found if not (item and item.is_gone)]

    def _new_page(self, item: Item) -> dict[str, Any]:
        (page,) = published_pages([Published(slug=item.slug, title=item.title)])
        path = f"{item.folder}{item.slug}/"
        page |= {"id": item.added, "link": f"/api{path}", "_embedded": {}, "acf": page["acf"] | {"banner_image": False}}
        return _page(page, replace(item, key=path))

    def _listed(self, name: str, value: Any) -> Any:
        """Return a list of the site data as the editor's changes make it."""
        if name == "seoGuidePages":
            new = (Published(slug=item.slug, title=item.title).row(item.added) for item in self.added(GUIDE))
            return value | {"edges": [*new, *(row for edge in value["edges"] if (row := self._guide(edge)))]}
        if name in ("localPages", "additionalBranchPages"):
            return value | {"nodes": [node for each in value["nodes"] if (node := self._town(each))]}
        if name.endswith("Menu"):
            entries = [node for each in value["nodes"] if (node := self._entry(each))]
            is_last = name == "sitemapMenu" and not value["pageInfo"]["hasNextPage"]
            new = map(_new_entry, self.added(PAGE) if is_last else ())
            return value | {"nodes": [*entries, *new]}
        if name == "reviews" and value["nodes"] and self.review:
            return value | {"nodes": [_reviewed(value["nodes"][0], self.review), *value["nodes"][1:]]}
        return value

    def _guide(self, edge: dict[str, Any]) -> dict[str, Any] | None:
        node = edge["node"]
        item = self.items.get(f"/{node['seoGuides']['url']}/")
        if item is None:
            return edge
        fields = node["seoGuides"] | {"url": f"mortgage-guides/{item.url or item.slug}"}
        return None if item.is_gone else {"node": node | {"seoGuides": fields}}

    def _town(self, node: dict[str, Any]) -> dict[str, Any] | None:
        item = self.items.get(f"/{node['slug']}/")
        return node if item is None else None if item.is_gone else node | {"slug": item.slug}

    def _entry(self, node: dict[str, Any]) -> dict[str, Any] | None:
        """Return an entry of a menu, which follows its page in WordPress; None for that of a page that is gone."""
        connected = node.get("connectedNode") or {"node": {"uri": ""}}
        item = self.items.get(connected["node"]["uri"])
        if item is None or item.added:
            return node
        path, uri = node["path"].replace(item.key, item.path), item.path
        moved = {"path": path, "url": path, "connectedNode": {"node": connected["node"] | {"uri": uri}}}
        return None if item.is_gone else node | moved

    def _asked(self, post: dict[str, Any]) -> dict[str, Any]:
        return post | {"post_content": f"{post['post_content']}\n\n{self.question}"}

    def _priced(self, tree: Any) -> Any:
        """Return rates of this state's number: their fees say which."""
        if isinstance(tree, Soap):
            return replace(tree, rows=[{**row, "TotalFees": f"{FEES + self.version}.00"} for row in tree.rows])
        return {key: self._priced(value) for key, value in tree.items()} if isinstance(tree, dict) else tree


def _key(row: Mapping[str, Any]) -> str:
    """Return the path by which a row of REST was known first."""
    path = urlsplit(row["link"]).path
    return path.removeprefix("/api")


def _page(row: dict[str, Any], item: Item) -> dict[str, Any]:
    link = row["link"].replace(f"/{row['slug']}/", f"/{item.slug}/")
    changed = row | {"slug": item.slug, "link": link}
    content = row["content"] | {"rendered": f"{row['content']['rendered']}<p>{item.words}</p>"}
    return changed | {"content": content}


def _new_lender(item: Item) -> dict[str, Any]:
    row = deepcopy(lender_pages()[0]) | {"id": item.added, "slug": item.slug, "link": f"/api/lender_pages/{item.slug}/"}
    row["title"] = {"rendered": f"{item.title} mortgage rates"}
    details = [{"content": f"<h2>About</h2><p>{item.words}</p>", "cta_text": ""}]
    given = {"lender": str(item.lender), "lender_banner": False, "details_sections": details}
    row["acf"]["lender_pages_section"] |= given
    return row


def _new_entry(item: Item) -> dict[str, Any]:
    node = {"__typename": "Page", "uri": item.path}
    entry = {"key": f"new-{item.added}", "parentId": None, "databaseId": item.added, "label": item.title, "title": None}
    path = f"/api{item.path}"
    return entry | {"path": path, "url": path, "target": None, "cssClasses": [], "connectedNode": {"node": node}}


def _reviewed(row: dict[str, Any], words: str) -> dict[str, Any]:
    fields = row["reviewFields"]
    return row | {"reviewFields": fields | {"reviewDescription": f"{fields['reviewDescription']} {words}"}}
