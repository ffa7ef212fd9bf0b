"""Guides published while the site runs: read from a WordPress over real HTTP, and put into the pages of the export."""

from __future__ import annotations

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
from broker.presenters.unbuilt_guide import guide_words, unfilled_words
from broker.services import unbuilt_guides
from broker.services.unbuilt_guides import GuideAwayError, UnbuiltGuides, unbuilt_guides_of
from broker.settings import read_settings
from broker.web.markup import canonical, elements, is_indexed, meta
from broker.web.serving.exported_site import read_export
from broker.web.serving.unbuilt_guides import away, filled
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
    """Yield a stand-in that listens."""
    with running() as standin:
        yield standin


@pytest.fixture
def standin(server: Standin, monkeypatch: pytest.MonkeyPatch) -> Iterator[Standin]:
    """Yield the stand-in; a list of guides is believed for no time at all, and no failure is remembered."""
    monkeypatch.setattr(unbuilt_guides, "LIST_STANDS", 0)
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


@pytest.fixture(scope="module")
def templates(site: Path) -> dict[str, str]:
    """Return the unfilled pages of the export, by their slug."""
    wanted = {routes.edge_template(name) for name in (*GuideCategory, "away")}
    unfilled = read_export(site, read_settings().site_url).unfilled
    return {slug: html for slug, html in unfilled.items() if slug in wanted}


@pytest.mark.parametrize("category", GuideCategory)
def test_exported_template_has_no_unfilled_names(templates: dict[str, str], category: GuideCategory) -> None:
    new = guide("bridging-loans", categories=(category,), title="Loans & bridges", disclaimer="<p>Risk.</p>")
    source = templates[routes.edge_template(category.value)]
    whole, base = filled(source, guide_words(new)), read_settings().site_url
    own = unfilled_words(category)
    left = [text for text in (*own.texts.values(), own.html, own.disclaimer, own.picture) if text in whole]
    assert (left, re.findall(r"__[a-z]+__", whole)) == ([], [])
    assert [element.name for element in elements(whole, "h1")] == ["h1"]
    assert (canonical(whole), is_indexed(whole)) == (f"{base}/mortgage-guides/bridging-loans/", True)
    assert (meta(whole, "description"), meta(whole, "og:title")) == (new.description, new.meta_title)
    assert "<title>bridging-loans explained</title>" in whole
    data = [json.loads(each.text) for each in elements(whole, "script") if each.has(type="application/ld+json")]
    written = next(each for each in data if each["@type"] == "Article")
    assert (written["headline"], written["datePublished"]) == ("Loans & bridges", "2026-03-04")


def test_exported_page_runs_no_script_of_the_site(templates: dict[str, str]) -> None:
    assert set(templates) == {routes.edge_template(name) for name in (*GuideCategory, "away")}
    for source in templates.values():
        run = [each for each in elements(source, "script") if not each.has(type="application/ld+json")]
        assert [each.attribute_text.strip() for each in run] == ["data-head"]


def test_page_of_a_guide_that_could_not_be_read_says_so(templates: dict[str, str]) -> None:
    told = away(templates[routes.edge_template("away")], "bridging-loans", problem="Failed to fetch API")
    assert "Error: Failed to fetch API" in told
    assert 'href="/mortgage-guides/bridging-loans/"' in told
    assert not is_indexed(told)
    assert "__" not in re.sub(r"<(style|script).*?</\1>", "", told, flags=re.DOTALL)
