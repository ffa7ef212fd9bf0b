import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from broker import routes
from broker.content.models.pages import Guide
from broker.content.page_head import HeadView
from broker.content.store import ContentStore
from broker.pages.articles.guides import GuidePages
from broker.pages.registry import Page, head_view
from broker.server.data_pages import DataPages, data_page_handlers
from broker.server.paths import template_file
from broker.server.releases import LiveExport
from tests.our_content import STORE
from tests.unit.content.guides import guide
from tests.unit.pages.whole_site import inputs
from tests.unit.server.site import SITE, client, put_release

BRIDGING, LEASEHOLD = guide("bridging-loans"), guide("leasehold")
PATH = routes.guide("bridging-loans")
DATA = f"{PATH}page.json?shape={GuidePages.shape}"
PAGE = (
    "<!DOCTYPE html><html lang='en-GB'><head><title>{{ page.head.title }}</title>"
    '<script id="edge-answer" type="application/json">{{ start|safe }}</script></head><body>'
    "<h1>{{ page.title }}</h1><div>{{ page.html|safe }}</div></body></html>"
)


class Site:
    """An edge over the guides of a store."""

    def __init__(self, folder: Path) -> None:
        self.store = ContentStore(replace(STORE.content, guides=(LEASEHOLD, BRIDGING)))
        put_release(folder / "releases", **{template_file(routes.edge_template("guide")): PAGE})
        live = LiveExport(folder / "releases", SITE)
        live.open()
        pages = DataPages(live, (GuidePages(replace(inputs(), store=self.store, site_url=SITE), head=_head),))
        self.web: TestClient = client(folder / "other", handlers=data_page_handlers(pages))

    def save(self, *guides: Guide) -> None:
        """Replace the content by one with these guides."""
        self.store.content = replace(self.store.content, guides=guides)


def _head(page: Page) -> HeadView:
    return head_view(page, site_url=SITE, firm="Hearthgate")


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    yield Site(tmp_path)


@pytest.fixture
def web(site: Site) -> TestClient:
    return site.web


def started(html: str) -> dict[str, object]:
    """Return the view from which scripts start."""
    return json.loads(html.partition('type="application/json">')[2].partition("</script>")[0])["page"]


@pytest.mark.parametrize("found", [BRIDGING, LEASEHOLD], ids=lambda found: found.url)
def test_guide_is_a_whole_page_and_the_same_as_json(web: TestClient, found: Guide) -> None:
    answer = web.get(routes.guide(found.url))
    assert answer.status_code == 200
    assert (answer.headers["content-type"], answer.headers["cache-control"]) == ("text/html; charset=utf-8", "no-cache")
    assert "script-src 'self';" in answer.headers["content-security-policy"]
    assert "x-robots-tag" not in answer.headers
    assert f"<title>{found.meta_title} | Hearthgate</title>" in answer.text
    assert f"<div>{found.html}</div>" in answer.text
    data = web.get(f"{routes.guide(found.url)}page.json?shape={GuidePages.shape}")
    assert (data.status_code, data.headers["x-robots-tag"]) == (200, "noindex")
    assert data.json() == {**started(answer.text), "html": found.html}
    assert "html" not in started(answer.text)


def test_article_and_breadcrumbs_are_in_the_head(web: TestClient) -> None:
    article, breadcrumbs = map(json.loads, web.get(DATA).json()["head"]["data"])
    assert (article["@type"], article["headline"], article["wordCount"]) == ("Article", BRIDGING.title, BRIDGING.words)
    assert (article["datePublished"], article["mainEntityOfPage"]) == ("2026-03-04", f"{SITE}{PATH}")
    assert [step["name"] for step in breadcrumbs["itemListElement"]] == ["Home", "Mortgage guides", BRIDGING.title]


def test_guide_that_was_saved_again_is_another_page(site: Site) -> None:
    first = site.web.get(routes.guide("leasehold"))
    assert site.web.get(routes.guide("leasehold")).headers["etag"] == first.headers["etag"]
    site.save(replace(LEASEHOLD, title="Changed"), guide("new"))
    assert "<h1>Changed</h1>" in site.web.get(routes.guide("leasehold")).text
    assert [site.web.get(routes.guide(slug)).status_code for slug in ("new", "bridging-loans")] == [200, 404]


OTHERS = {
    **dict.fromkeys(("nobody-wrote-this/", "nobody-wrote-this", "a/b/", "nobody-wrote-this/page.json"), (404, None)),
    "edge-template-guide/": (404, None),
    "bridging-loans": (308, "/mortgage-guides/bridging-loans/"),
    "bridging-loans?a=1": (308, "/mortgage-guides/bridging-loans/?a=1"),
    "leasehold": (308, "/mortgage-guides/leasehold/"),
    "no-fee-mortgage-broker/": (301, "/mortgage-guides/no-fees-mortgage-broker/"),
    "": (301, "/tools/mortgage-guides/"),
}


def test_other_addresses_answer_as_ever(web: TestClient) -> None:
    answers = {path: web.get(f"/mortgage-guides/{path}") for path in OTHERS}
    assert {path: (each.status_code, each.headers.get("location")) for path, each in answers.items()} == OTHERS
    assert web.get("/about-us/").status_code == 200
