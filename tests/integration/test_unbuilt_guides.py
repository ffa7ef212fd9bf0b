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
from broker.domain.guides import GuideCategory
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
MAX_WAIT = 4.0


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
    """Return what a server finds that is asked for some guides one after the other; raises GuideAwayError."""

    async def ask() -> list[Guide | None]:
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
    assert standin.asked() == {"graphql": 1, "pages": 1}


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
