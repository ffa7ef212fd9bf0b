"""Guides: read from a WordPress over real HTTP while the site runs, and put into the template of the export."""

import asyncio
import json
import re
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest

from broker import routes
from broker.content.models.guides import Guide
from broker.content.models.pictures import Picture, PictureFile
from broker.content.store import ContentStore
from broker.content.wordpress.live_guides import LiveGuide
from broker.domain.guides import GuideCategory
from broker.image_header import image_size
from broker.pages.articles.guides import page_of_guide
from broker.pages.head import head_view
from broker.presenters.guide_page import banner_view, guide_page
from broker.services import guides
from broker.services.guides import GuideAwayError, guides_of
from broker.settings import read_settings
from broker.web.markup import canonical, elements, is_indexed, meta
from broker.web.serving.exported_site import Export
from broker.web.serving.paths import template_file
from tests.our_content import STORE
from tests.standin import Published, Standin, running
from tests.unit.pages.whole_site import inputs
from tests.unit.services.guides import guide

HOSTILE = '<h2>Cost</h2><p onclick="x()">Dear.</p><script>alert(1)</script><iframe src="//evil.test"></iframe>'
BRIDGING = Published(slug="bridging-loans", html=HOSTILE)
FAILING = (
    *("gql-errors", "gql-partial", "html-200", "html-502", "status-500", "php-warning-500", "null", "false"),
    *("empty-text", "empty-list", "empty-body", "redirect", "slow", "silent", "huge", "short", "reset"),
)
MAX_WAIT = 6.0
"""Seconds within which the service gives up: three by its settings, and time for a busy machine."""


@pytest.fixture(scope="module")
def server() -> Iterator[Standin]:
    with running() as standin:
        yield standin


@pytest.fixture
def standin(server: Standin, monkeypatch: pytest.MonkeyPatch) -> Iterator[Standin]:
    """Yield the stand-in; a list of guides is believed for no time at all, and no failure is remembered."""
    monkeypatch.setattr(guides, "LIST_LIFETIME_SECONDS", 0)
    monkeypatch.setattr(guides, "PAUSE", 0)
    yield server
    server.switch()
    server.publish()


def find(standin: Standin, *slugs: str) -> list[Guide | None]:
    """Return the guides that a server finds which is asked for one after the other; raises GuideAwayError."""
    return [found and found.guide for found in find_whole(standin, *slugs)]


def store_of(*copied: Guide) -> ContentStore:
    return ContentStore(replace(STORE.content, guides=copied))


def find_whole(standin: Standin, *slugs: str) -> list[LiveGuide | None]:
    async def ask() -> list[LiveGuide | None]:
        service = guides_of(standin.url, store_of(), every=timedelta(minutes=10))
        async with service.running():
            await asyncio.sleep(0)
            return [await service.find(slug) for slug in slugs]

    return asyncio.run(ask())


def test_guide_is_unknown_until_it_is_published_and_safe_from_then_on(standin: Standin) -> None:
    assert find(standin, "bridging-loans") == [None]
    standin.publish(BRIDGING)
    (found,) = find(standin, "bridging-loans")
    assert found is not None
    assert (found.title, found.description) == (BRIDGING.title, BRIDGING.description)
    assert (found.created, found.updated) == (date(2026, 11, 20), date(2026, 11, 21))
    assert found.categories == (GuideCategory.PROPERTY,)
    assert found.html.startswith('<h2 id="cost">Cost</h2><p>Dear.</p>')
    assert not re.search("script|iframe|onclick", found.html)


def test_recorded_guide_and_that_of_a_service_type_are_found_too(standin: Standin) -> None:
    found = find(standin, "what-is-ltv", "first-time-buyer-guide", "nobody-wrote-this")
    assert [each and each.url for each in found] == ["what-is-ltv", "first-time-buyer-guide", None]


def test_guide_of_the_store_that_was_saved_since_is_read(standin: Standin) -> None:
    standin.publish(BRIDGING)
    copied = guide("bridging-loans", modified="2026-11-01T09:00:00")

    async def ask() -> list[LiveGuide | None]:
        service = guides_of(standin.url, store_of(copied), every=timedelta(minutes=10))
        async with service.running():
            return [await service.find(slug) for slug in ("bridging-loans", "nobody-wrote-this", "bridging-loans")]

    first, _, second = asyncio.run(ask())
    assert (first and first.guide) == copied
    assert second and (second.guide.title, second.guide.modified) == (BRIDGING.title, "2026-11-21T10:30:00")


def test_first_visit_reads_the_list_and_the_guide_and_the_next_nothing(standin: Standin) -> None:
    standin.publish(BRIDGING)
    standin.forget()
    find(standin, *["bridging-loans"] * 5)
    assert standin.asked() == {"graphql": 1, "pages": 2, "uploads": 1}


def test_photograph_of_a_new_guide_is_served_small(standin: Standin) -> None:
    standin.publish(BRIDGING)
    (found,) = find_whole(standin, "bridging-loans")
    assert found
    assert found.banner
    assert (found.banner.width, found.banner.height, found.banner.alt) == (2560, 1440, "A street (sample)")
    for file in found.banner.files:
        size = image_size(found.files[file.src.removeprefix("/guide-pictures/bridging-loans/")])
        assert size
        assert size.width == file.width <= 990
    assert banner_view(found.banner).srcset.endswith(" 700w")


def test_guide_whose_picture_fails_is_there_without_it(standin: Standin) -> None:
    standin.publish(BRIDGING)
    for name in ("html-502", "html-200", "silent", "huge", "short", "reset", "empty-body"):
        standin.switch(name, only="uploads")
        (found,) = find_whole(standin, "bridging-loans")
        assert found, name
        assert (found.banner, found.files) == (None, {}), name


@pytest.mark.parametrize("name", FAILING)
def test_failing_service_is_a_sentence_in_time_and_never_a_missing_guide(standin: Standin, name: str) -> None:
    standin.switch(name)
    began = time.monotonic()
    with pytest.raises(GuideAwayError, match=r"^Failed to fetch API$"):
        find(standin, "bridging-loans")
    assert time.monotonic() - began < MAX_WAIT


def rendered(export: Export, shown: Guide, *, banner: Picture | None = None) -> str:
    """Return the page of a guide, without the view from which its scripts start."""
    page = page_of_guide(replace(inputs(), site_url=export.site_url), shown)
    head = head_view(page, site_url=export.site_url, firm="Hearthgate")
    view = guide_page(shown, head=head, banner=banner, others=STORE.guides())
    return export.templates.render(routes.edge_template("guide"), {"page": view, "start": "{}"})


@pytest.mark.parametrize("category", GuideCategory)
def test_template_is_filled_with_every_value(export: Export, category: GuideCategory) -> None:
    base = read_settings().site_url
    new = guide("bridging-loans", categories=(category,), title="Loans & bridges", disclaimer="<p>Risk.</p>")
    page = rendered(export, new)
    assert re.findall(r"\{\{|\{%|[\ue000\ue001]|edge-template", page) == []
    assert [element.name for element in elements(page, "h1")] == ["h1"]
    assert (canonical(page), is_indexed(page)) == (f"{base}/mortgage-guides/bridging-loans/", True)
    assert (meta(page, "description"), meta(page, "og:title")) == (new.description, new.meta_title)
    assert (meta(page, "article:published_time"), meta(page, "og:type")) == ("2026-03-04", "article")
    assert "<title>bridging-loans explained | Hearthgate</title>" in page
    assert f'{new.html}</div><div class="small mute"><p>Risk.</p></div>' in page
    links = [each.attributes.get("href") for each in elements(page, "a")]
    assert [href for href in links if href in ("#one", "#two")] == ["#one", "#two"]
    data = [json.loads(each.text) for each in elements(page, "script") if each.has(type="application/ld+json")]
    written = next(each for each in data if each["@type"] == "Article")
    assert (written["headline"], written["datePublished"]) == ("Loans & bridges", "2026-03-04")
    assert written["wordCount"] == new.words
    tiles = [each for each in elements(page, "article") if each.attributes.get("class") == "card"]
    assert [category in tile.attributes["data-filters"] for tile in tiles] == [True] * 3


def test_template_has_the_picture_of_a_guide_or_a_drawing(export: Export) -> None:
    files = tuple(PictureFile(src=f"/guide-pictures/short/a-{width}.webp", width=width) for width in (350, 700))
    banner = Picture(src=files[-1].src, width=2560, height=1440, alt='A "street" & a tree', files=files)
    pages = [rendered(export, guide("short"), banner=each) for each in (banner, None)]
    pictured, drawn = (
        next(iter(elements(page.partition("<main")[2].partition("</main>")[0], "img"))) for page in pages
    )
    assert pictured.attributes["src"] == files[-1].src
    assert (
        pictured.attributes["srcset"] == "/guide-pictures/short/a-350.webp 350w, /guide-pictures/short/a-700.webp 700w"
    )
    assert pictured.attributes["alt"] == banner.alt
    assert (pictured.attributes["width"], pictured.attributes["height"]) == ("2560", "1440")
    assert "420px" in pictured.attributes["sizes"]
    assert drawn.attributes["src"].startswith("/art/")
    assert [page.count('banner-pic"') for page in pages] == [1, 0]


def test_guide_without_headings_and_disclaimer_has_no_empty_parts(export: Export) -> None:
    page = rendered(export, guide("short", headings=(), html="<p>Short.</p>", disclaimer=""))
    assert "On this page" not in page
    assert "small mute" not in page.partition("<article")[2].partition("</article>")[0]


def test_styles_of_the_first_frame_have_the_colours_of_every_theme(site: Path) -> None:
    source = (site / template_file(routes.edge_template("guide"))).read_text("utf-8")
    assert [name for name in ("--ftb:", "--mover:", "--remo:", "--btl-bg:") if name not in source] == []


def test_page_of_a_guide_that_could_not_be_read_says_so(export: Export) -> None:
    path = routes.guide("bridging-loans")
    values = {"path": path, "problem": "Failed to fetch API", "retry_script": "RETRY"}
    page = export.templates.render(routes.edge_template(routes.PAGE_AWAY), values)
    wanted = ("Error: Failed to fetch API", f'href="{path}"', "RETRY")
    assert [words for words in wanted if words not in page] == []
    assert is_indexed(page) is False
    run = [each for each in elements(page, "script") if not each.has(type="application/ld+json")]
    assert [each.attribute_text.strip() for each in run] == ["data-head"]
