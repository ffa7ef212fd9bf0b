"""The content of the stand-in: the recorded answers of a real WordPress, with the pages that its menus lead to.

Lists go on past a hundred rows, as real ones do. Addresses are those of the stand-in itself.
"""

import json
import re
from collections.abc import Sequence
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

from markupsafe import Markup, escape

from broker.rates.customers import RULES
from tests.standin.forms import Fields, numbers, text
from tests.standin.market import png
from tests.standin.setting import Published
from tests.standin.soap import mapped
from tests.standin.wire import Answer, Request

RECORDED = Path(__file__).parents[1] / "fixtures" / "wordpress"
HOST = "https://example.test"
MAX_ROWS = 100
FIRST_PUBLISHED = 9_000
"""The id of the first guide that is published after the recordings."""
EXTRA_ITEMS = 7
"""Entries that the sitemap menu has beyond the hundred that were recorded."""

HOSTILE_PAGE = "extra-page-6"
HOSTILE = (
    "<h2>What to know</h2><script>alert(1)</script><p onclick='alert(2)'>Kept words.</p><svg onload=alert(3)></svg>"
    "<p><img src=x onerror=alert(4)><a href='javascript:alert(5)'>Run</a> <a href='/no-such-page/'>Nowhere</a>"
    "<iframe src='https://evil.example/'></iframe><form action='/x'><button>Go</button></form></p>"
)
"""A page that an editor should never have written, and what it says."""

_SECTION = Markup('<h2>What to know</h2>\n<p>See <a href="{}/api/contact">our contact page</a>.</p>\n')
_PHOTO_TEXT = Markup('<h2>Photograph</h2><p><img src="{}/api/wp-content/uploads/sample-photo.jpg" alt="A street"></p>')
_PICTURED = Markup('<h2>Next</h2><p><img src="{}/api/wp-content/uploads/sample-face.jpg" alt=""></p>')
_FIRST, _AFTER = re.compile(r"(\w+): \w+\(first: \d+"), "after: $after"
PHOTOGRAPH = "/api/wp-content/uploads/sample-photo.jpg"
"""A photograph of 2560 by 1440 pixels, the largest that WordPress keeps, of which it made no smaller sizes."""
PHOTOGRAPHED = ("first-time-buyer", "mortgage-broker-harrow", "what-is-ltv")
"""Pages with the photograph as their banner and in their text; a published guide has it as its banner."""

_SIZES = {
    "sample-banner.jpg": (1600, 600),
    "sample-banner-1024x384.jpg": (1024, 384),
    "sample-banner-small.jpg": (640, 300),
    "sample-icon.png": (64, 64),
    "sample-logo.png": (240, 80),
    "sample-stars.png": (120, 24),
    "sample-face.jpg": (200, 200),
}


_PHOTO = {"url": HOST + PHOTOGRAPH, "alt": "A street (sample)", "width": 2560, "height": 1440, "sizes": {}}


def recorded(name: str) -> Any:
    return json.loads(json.loads((RECORDED / f"{name}.json").read_text(encoding="utf-8"))["body"])


def graphql(request: Request, published: Sequence[Published] = ()) -> dict[str, Any]:
    """Return the data of a query: the site data, more of one of its lists, or an extra SEO entry."""
    try:
        asked = json.loads(request.body)
    except ValueError:
        return {"data": {}}
    query, variables = asked.get("query", ""), asked.get("variables") or {}
    if "extraSeoSection" in query:
        found = variables.get("slug") == "first-time-buyer"
        return recorded("graphql_extra_seo_ok" if found else "graphql_extra_seo_not_found")
    after = int(variables.get("after") or 0) if _AFTER in query else 0
    site = site_data()
    names = [name for name in _FIRST.findall(query) if name in site]
    fresh = [guide.row(number) for number, guide in enumerate(published, FIRST_PUBLISHED)]
    guides = {"edges": [*fresh, *map(_with_id, site["seoGuidePages"]["edges"])]}
    data = {name: _rows(guides if name == "seoGuidePages" else site[name], after) for name in names}
    return _at_home({"data": data | ({"post": site["post"]} if "post(" in query else {})}, request)


def _with_id(edge: dict[str, Any]) -> dict[str, Any]:
    """Return a guide of the list with the id of its page, which was not asked for when the answers were recorded."""
    slug = (edge["node"]["seoGuides"]["url"] or "").rpartition("/")[2]
    ids = {page["slug"]: page["id"] for page in pages()}
    return {"node": edge["node"] | {"databaseId": ids.get(slug, 999)}}


def listed(rows: list[dict[str, Any]], fields: Fields, request: Request) -> list[dict[str, Any]]:
    if slug := text(fields, "slug"):
        rows = [row for row in rows if row["slug"] == slug]
    size = min(next(iter(numbers(fields, "per_page")), 10), MAX_ROWS)
    start = (next(iter(numbers(fields, "page")), 1) - 1) * size
    return _at_home(rows[start : start + size], request)


@cache
def site_data() -> dict[str, Any]:
    """Return the recorded site data, its sitemap longer than a hundred entries, with things that no other site has."""
    data = recorded("graphql_site_data_ok")["data"]
    items = data["sitemapMenu"]["nodes"]
    _add_rows(data)
    for number in range(1, EXTRA_ITEMS + 1):
        item = deepcopy(items[0]) | {"key": f"extra-{number}", "label": f"Extra page {number}"}
        item |= {"path": f"/api/extra-page-{number}/", "url": f"{HOST}/api/extra-page-{number}/"}
        items.append(item | {"connectedNode": {"node": {"__typename": "Page", "uri": f"/extra-page-{number}/"}}})
    return data


def _add_rows(data: dict[str, Any]) -> None:
    """Add a service, a town without a picture and a guide that only WordPress has, and a colour too pale to read."""
    service = deepcopy(data["services"]["nodes"][1]) | {"slug": "bridging-loans", "title": "Bridging Loans"}
    service["serviceSettings"] |= {"themeColor": "#ffd400", "themeOpacity": 1}
    data["services"]["nodes"].append(service)
    town = deepcopy(data["localPages"]["nodes"][0])
    town |= {"slug": "mortgage-broker-luton", "title": "Mortgage Broker Luton", "branchPage": {"bannerImage": None}}
    data["localPages"]["nodes"].append(town)
    guide = deepcopy(data["seoGuidePages"]["edges"][3])
    guide["node"]["title"] = "A guide that only WordPress has"
    guide["node"]["seoGuides"]["url"] = "mortgage-guides/only-wordpress-has-this"
    data["seoGuidePages"]["edges"].append(guide)


@cache
def pages() -> list[dict[str, Any]]:
    """Return a page of text for everything that the menus, the guides and the categories name."""
    site = site_data()
    titles: dict[str, str] = {}
    for menu in ("sitemapMenu", "mainMenu"):
        for item in site[menu]["nodes"]:
            if item["connectedNode"] and not item["path"].endswith("-guide/"):
                titles.setdefault(item["connectedNode"]["node"]["uri"], item["label"])
    for row in (*site["localPages"]["nodes"], *site["additionalBranchPages"]["nodes"], *site["services"]["nodes"]):
        titles.setdefault(f"/{row['slug']}/", row["title"])
    for edge in site["seoGuidePages"]["edges"]:
        if url := edge["node"]["seoGuides"]["url"]:
            titles.setdefault(f"/{url}/", edge["node"]["title"])
    return [_page(number, path, title) for number, (path, title) in enumerate(titles.items(), 1_000)]


def guides_of_types() -> list[dict[str, Any]]:
    """Return the page of the guide of each customer type."""
    titles = {f"/{customer}-guide/": f"{rules.title} Guide" for customer, rules in RULES.items() if customer}
    found = [_page(number, path, title) for number, (path, title) in enumerate(titles.items(), 214)]
    for page in found:
        page["acf"]["footer_disclaimer"] = "<p>Your home may be repossessed.</p>\n"
    return found


def published_pages(published: Sequence[Published]) -> list[dict[str, Any]]:
    return [_published(number, guide) for number, guide in enumerate(published, FIRST_PUBLISHED)]


def _published(number: int, guide: Published) -> dict[str, Any]:
    page = _page(number, f"/mortgage-guides/{guide.slug}/", guide.title) | guide.texts()
    page["acf"] |= {"content_section_1": "", "content_section_2": "", "meta_description": guide.description}
    page["acf"]["banner_image"] = _PHOTO
    return page


@cache
def lender_pages() -> list[dict[str, Any]]:
    """Return the recorded pages of lenders: one whole, that with buttons for rates, one that was never filled in."""
    buttons = deepcopy(recorded("rest_lender_page_full")[0])
    buttons |= {"id": 273, "slug": "birch-and-stone-mortgage-rates"}
    buttons["title"] = {"rendered": "Birch &#038; Stone mortgage rates (sample)"}
    buttons["acf"]["lender_pages_section"] |= {"lender": "102", "rate_display_preference": "other"}
    return [recorded("rest_lender_page_full")[0], buttons, recorded("rest_lender_page_never_saved")[0]]


def _page(number: int, path: str, title: str) -> dict[str, Any]:
    page = deepcopy(recorded("rest_pages_guide_found")[0])
    slug = path.strip("/").rpartition("/")[2]
    page |= {"id": number, "slug": slug, "link": f"{HOST}/api{path}", "title": {"rendered": escape(title)}}
    page["content"] = {"rendered": Markup("\n<p>Sample text about {}.</p>\n").format(title), "protected": False}
    page["acf"] |= {
        "meta_title": title,
        "meta_description": f"Sample description of {title}.",
        "content_section_1": _SECTION.format(HOST),
        "content_section_2": _PICTURED.format(HOST),
    }
    if slug in PHOTOGRAPHED:
        page["acf"] |= {"banner_image": _PHOTO, "content_section_2": _PHOTO_TEXT.format(HOST)}
    if slug == HOSTILE_PAGE:
        page["acf"]["content_section_1"] = HOSTILE
    if slug == "mortgage-broker-luton":
        page["acf"]["banner_image"], page["_embedded"] = False, {}
    return page


def _rows(connection: dict[str, Any], after: int) -> dict[str, Any]:
    """Return a hundred rows of a list and where it goes on, in the words of WPGraphQL."""
    held = "edges" if "edges" in connection else "nodes"
    end = after + MAX_ROWS
    more = len(connection[held]) > end
    return {held: connection[held][after:end], "pageInfo": {"hasNextPage": more, "endCursor": str(end)}}


def _at_home(tree: Any, request: Request) -> Any:
    """Return an answer whose addresses are those of the server that was asked."""
    home = f"http://{request.headers.get('host', 'localhost')}"
    return mapped(tree, lambda leaf: leaf.replace(HOST, home) if isinstance(leaf, str) else leaf)


UPLOADS = {
    f"/api/wp-content/uploads/{name}": Answer(body=png(*sides, colour=(90, 120, 110)), media_type="image/png")
    for name, sides in _SIZES.items()
}
"""Plain pictures of the sizes that the recorded answers state."""
