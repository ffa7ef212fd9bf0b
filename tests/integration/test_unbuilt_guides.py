"""Guides published while the site runs: read from a WordPress over real HTTP, and put into the pages of the export."""

import asyncio
import json
import re
import time
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

import pytest

from broker import routes
from broker.content.models.guides import Guide
from broker.content.models.pictures import Picture, PictureFile
from broker.content.wordpress.live_guides import LiveGuide
from broker.domain.guides import GuideCategory
from broker.image_header import image_size
from broker.presenters.guide_page import guide_page_view
from broker.services import unbuilt_guides
from broker.services.unbuilt_guides import GuideAwayError, UnbuiltGuides, unbuilt_guides_of
from broker.settings import read_settings
from broker.web.markup import canonical, elements, is_indexed, meta
from broker.web.serving.exported_site import Export
from broker.web.serving.paths import template_file
from broker.web.serving.unbuilt_guides import RETRY_SCRIPT, render_failure, render_guide
from tests.our_content import STORE
from tests.standin import Published, Standin, running
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
    monkeypatch.setattr(unbuilt_guides, "LIST_LIFETIME_SECONDS", 0)
    monkeypatch.setattr(unbuilt_guides, "PAUSE", 0)
    yield server
    server.switch()
    server.publish()


def find(standin: Standin, *slugs: str) -> list[Guide | None]:
    """Return the guides that a server finds which is asked for one after the other; raises GuideAwayError."""
    return [found and found.guide for found in find_whole(standin, *slugs)]


def find_whole(standin: Standin, *slugs: str) -> list[LiveGuide | None]:
    async def ask() -> list[LiveGuide | None]:
        service = unbuilt_guides_of(standin.url, STORE, fresh_for=timedelta(minutes=10))
        assert isinstance(service, UnbuiltGuides)
        async with service.running():
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


def test_first_visit_makes_two_calls_and_the_next_none(standin: Standin) -> None:
    standin.publish(BRIDGING)
    standin.forget()
    find(standin, *["bridging-loans"] * 5)
    assert standin.asked() == {"graphql": 1, "pages": 1, "uploads": 1}


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
    view = guide_page_view(found.guide, banner=found.banner)
    assert view.banner.srcset.endswith(" 700w")


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


def test_template_of_every_category_is_rendered_with_every_value(export: Export) -> None:
    base = read_settings().site_url
    for category in GuideCategory:
        new = guide("bridging-loans", categories=(category,), title="Loans & bridges", disclaimer="<p>Risk.</p>")
        page = render_guide(export.templates, guide_page_view(new), category=category)
        assert re.findall(r"\{\{|\{%|[\ue000\ue001]|edge-template", page) == [], category
        assert [element.name for element in elements(page, "h1")] == ["h1"]
        assert (canonical(page), is_indexed(page)) == (f"{base}/mortgage-guides/bridging-loans/", True)
        assert (meta(page, "description"), meta(page, "og:title")) == (new.description, new.meta_title)
        assert "<title>bridging-loans explained</title>" in page
        assert f'{new.html}</div><div class="small mute"><p>Risk.</p></div>' in page
        links = [each.attributes.get("href") for each in elements(page, "a")]
        assert [href for href in links if href in ("#one", "#two")] == ["#one", "#two"]
        data = [json.loads(each.text) for each in elements(page, "script") if each.has(type="application/ld+json")]
        written = next(each for each in data if each["@type"] == "Article")
        assert (written["headline"], written["datePublished"]) == ("Loans & bridges", "2026-03-04")
        assert written["wordCount"] == new.words


def test_template_has_the_picture_of_a_guide_or_a_drawing(export: Export) -> None:
    files = tuple(PictureFile(src=f"/guide-pictures/short/a-{width}.webp", width=width) for width in (350, 700))
    banner = Picture(src=files[-1].src, width=2560, height=1440, alt='A "street" & a tree', files=files)
    new, category = guide("short"), GuideCategory.PROPERTY
    pages = [
        render_guide(export.templates, guide_page_view(new, banner=each), category=category) for each in (banner, None)
    ]
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
    short = guide("short", headings=(), html="<p>Short.</p>", disclaimer="")
    page = render_guide(export.templates, guide_page_view(short), category=GuideCategory.PROPERTY)
    assert "On this page" not in page
    assert "small mute" not in page.partition("<article")[2].partition("</article>")[0]


def test_template_runs_no_script_of_the_site(site: Path) -> None:
    for name in (*GuideCategory, "away"):
        source = (site / template_file(routes.edge_template(name))).read_text("utf-8")
        run = [each for each in elements(source, "script") if not each.has(type="application/ld+json")]
        assert [each.attribute_text.strip() for each in run] == ["data-head"]


def test_page_of_a_guide_that_could_not_be_read_says_so(export: Export) -> None:
    page = render_failure(export.templates, "bridging-loans", problem="Failed to fetch API")
    wanted = ("Error: Failed to fetch API", 'href="/mortgage-guides/bridging-loans/"', RETRY_SCRIPT)
    assert [words for words in wanted if words not in page] == []
    assert (is_indexed(page), "edge-template" in page) == (False, False)
