import json
from dataclasses import dataclass
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from broker import routes
from broker.server.data_pages import DataPages
from broker.server.releases import LiveExport
from broker.server.site_files import SiteSearch
from broker.site_search.index import Entry, Kind, SearchIndex, build_index
from tests.unit.server.site import SITE, client_of, html, put_release

LINKS = "{% for link in group.links %}{{ link.href }} {% endfor %}"
TEMPLATE = f"{{% for group in page.groups %}}{{{{ group.heading }}}}: {LINKS}{{% endfor %}}"


@dataclass
class Pages:
    """The titles of a site's guides; `made` counts how often they were indexed."""

    titles: tuple[str, ...] = ("Fees", "Lease")
    made: int = 0

    def index(self) -> SearchIndex:
        self.made += 1
        return build_index(
            Entry(kind=Kind.GUIDE, title=title, href=f"/{title.lower()}/", description="") for title in self.titles
        )


@pytest.fixture
def pages() -> Pages:
    return Pages()


@pytest.fixture
def site(tmp_path: Path, pages: Pages) -> TestClient:
    exported = {"search/index.html": html("Search", path=routes.SEARCH)}
    put_release(tmp_path, **exported, **{f"__{routes.edge_template('search')}.html": TEMPLATE})
    live = LiveExport(tmp_path, SITE)
    search = SiteSearch(pages.index, lambda: (pages.titles,))
    shown = DataPages(live, [search])
    return client_of(live, handlers={routes.SEARCH: shown.answer, routes.SEARCH_INDEX: search.answer})


def words(site: TestClient) -> set[str]:
    return set(json.loads(site.get(routes.SEARCH_INDEX).text)["words"].split())


def test_index_is_made_once_and_checked_by_the_browser(site: TestClient, pages: Pages) -> None:
    assert words(site) == {"fee", "lease"}
    answer = site.get(routes.SEARCH_INDEX, headers={"accept-encoding": "gzip"})
    assert (answer.headers["content-type"], answer.headers["cache-control"]) == ("application/json", "no-cache")
    assert (answer.headers["content-encoding"], answer.headers["x-robots-tag"]) == ("gzip", "noindex")
    known = {"accept-encoding": "gzip", "if-none-match": answer.headers["etag"]}
    assert site.get(routes.SEARCH_INDEX, headers=known).status_code == 304
    assert pages.made == 1


def test_page_lists_everything_without_scripts(site: TestClient) -> None:
    assert site.get(routes.SEARCH).text == "Guides: /fees/ /lease/ "


def test_page_that_is_added_is_found_at_once_and_one_that_went_is_not(site: TestClient, pages: Pages) -> None:
    before = site.get(routes.SEARCH_INDEX).headers["etag"]
    assert words(site) == {"fee", "lease"}
    pages.titles = ("Lease", "Luton")
    assert words(site) == {"lease", "luton"}
    assert site.get(routes.SEARCH_INDEX).headers["etag"] != before
    assert site.get(routes.SEARCH).text == "Guides: /lease/ /luton/ "
    assert pages.made == 2
