"""Guides published after the build, at the edge: which address answers what, and a page filled without a seam."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import timedelta
from html import escape
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from broker import routes
from broker.content.errors import ContentApiError
from broker.content.models.guides import Guide
from broker.domain.guides import GuideCategory
from broker.presenters.unbuilt_guide import HEADING, PROBLEM, guide_words, unfilled, unfilled_words
from broker.services.unbuilt_guides import UnbuiltGuides
from broker.web.export.finish import finish
from broker.web.serving.exported_site import read_export
from broker.web.serving.releases import LiveExport
from broker.web.serving.unbuilt_guides import RETRY, away, filled, new_guide_answers
from tests.unit.services.clock import Clock
from tests.unit.services.guides import ListedGuides, guide
from tests.unit.web.site import SITE, client, html, put_release

BRIDGING = guide("bridging-loans")
HOSTILE = '</title><script>alert(1)</script> & "it\'s" __title__ __description__ <p>__html__</p>'
PROPERTY, AWAY_PAGE = (routes.edge_template(name) for name in (GuideCategory.PROPERTY.value, "away"))


def page(category: GuideCategory = GuideCategory.PROPERTY) -> str:
    """Return an unfilled page, every word of a guide once in a text and once where it is said to machines."""
    words = unfilled_words(category)
    texts = "".join(f"<p id='{name}'>{text}</p>" for name, text in words.texts.items())
    data = json.dumps(dict(words.texts))
    return (
        f"<!DOCTYPE html><html lang='en-GB'><head><title>{words.texts['meta title']}</title></head><body>"
        f'<nav class="toc stick"><h2>On this page</h2><ol class="plain"><li><a href="#{HEADING.anchor}">{HEADING.text}'
        f'</a></li></ol></nav>{texts}<img src="/art/{words.picture}.svg"/><div class="prose">{words.html}</div>'
        f'<div class="small mute">{words.disclaimer}</div><script type="application/ld+json">{data}</script></body>'
    )


def shown(source: str, name: str) -> str:
    """Return the text that a page shows for one of a guide's words."""
    found = re.search(rf"<p id='{name}'>(.*?)</p>", source)
    return found[1] if found else ""


def data_of(source: str) -> dict[str, str]:
    """Return what a page says to machines."""
    found = re.search(r'<script type="application/ld\+json">(.*?)</script>', source)
    return json.loads(found[1]) if found else {}


@pytest.fixture(scope="module")
def source() -> ListedGuides:
    """Return the content service of this module's site, which knows one guide."""
    return ListedGuides({"bridging-loans": BRIDGING, "about-us": guide("about-us")})


@pytest.fixture
def web(source: ListedGuides, tmp_path: Path) -> Iterator[TestClient]:
    """Return a client of a small site with unfilled pages."""
    lost = f"<html><body><p>Error: {PROBLEM}</p><a href='{routes.guide(AWAY_PAGE)}'>again</a></body></html>"
    more = {f"__{PROPERTY}.html": page(), f"__{AWAY_PAGE}.html": lost}
    put_release(tmp_path / "releases", **more)
    live = LiveExport(tmp_path / "releases", SITE)
    live.open()
    guides = UnbuiltGuides(source, fresh_for=timedelta(minutes=10), clock=Clock())
    handlers = {routes.GUIDE_PAGES: new_guide_answers(guides, live)}
    source.problem = None
    yield client(tmp_path / "other", handlers=handlers)


def test_new_guide_is_a_whole_page_that_allows_no_script_but_its_own(web: TestClient) -> None:
    answer = web.get("/mortgage-guides/bridging-loans/")
    assert answer.status_code == 200
    assert (answer.headers["content-type"], answer.headers["cache-control"]) == ("text/html; charset=utf-8", "no-cache")
    assert "script-src 'self';" in answer.headers["content-security-policy"]
    assert "x-robots-tag" not in answer.headers
    assert f"<title>{BRIDGING.meta_title}</title>" in answer.text
    assert BRIDGING.html in answer.text
    again = web.get("/mortgage-guides/bridging-loans/", headers={"if-none-match": answer.headers["etag"]})
    assert again.status_code == 304


@pytest.mark.parametrize(
    ("path", "status", "location"),
    [
        ("/mortgage-guides/bridging-loans", 308, "/mortgage-guides/bridging-loans/"),
        ("/mortgage-guides/nobody-wrote-this/", 404, None),
        ("/mortgage-guides/nobody-wrote-this", 404, None),
        ("/mortgage-guides/a/b/", 404, None),
        (f"/mortgage-guides/{PROPERTY}/", 404, None),
        ("/mortgage-guides/no-fee-mortgage-broker/", 301, "/mortgage-guides/no-fees-mortgage-broker/"),
        ("/mortgage-guides/", 301, "/tools/mortgage-guides/"),
        ("/about-us/", 200, None),
    ],
)
def test_other_addresses_answer_as_ever(web: TestClient, path: str, status: int, location: str | None) -> None:
    answer = web.get(path)
    assert (answer.status_code, answer.headers.get("location")) == (status, location)


def test_service_that_is_away_is_said_and_asked_again_and_nothing_is_called_missing(
    web: TestClient, source: ListedGuides
) -> None:
    source.problem = ContentApiError("graphql", "answered 502")
    answer = web.get("/mortgage-guides/bridging-loans/")
    wanted = {"retry-after": "5", "cache-control": "no-store", "x-robots-tag": "noindex"}
    assert (answer.status_code, {name: answer.headers.get(name) for name in wanted}) == (503, wanted)
    assert "<p>Error: Failed to fetch API</p><a href='/mortgage-guides/bridging-loans/'>" in answer.text
    assert f"<script>{RETRY}</script></body>" in answer.text
    assert "'sha256-" in answer.headers["content-security-policy"].partition("script-src")[2].partition(";")[0]


def test_visitor_who_closed_the_cookie_notice_does_not_see_it_on_a_new_guide(web: TestClient) -> None:
    plain = web.get("/mortgage-guides/bridging-loans/")
    closed = web.get("/mortgage-guides/bridging-loans/", headers={"cookie": "cookie_notice=accepted"})
    assert ("data-cookie-notice" in plain.text, "data-cookie-notice" in closed.text) == (False, True)


@pytest.mark.parametrize("category", GuideCategory)
def test_every_word_of_a_guide_takes_its_place(category: GuideCategory) -> None:
    new = guide("bridging-loans", categories=(category,), disclaimer="<p>Risk.</p>")
    words, whole = guide_words(new), filled(page(category), guide_words(new))
    assert {name: shown(whole, name) for name in words.texts} == words.texts
    assert data_of(whole) == words.texts
    assert f'<div class="prose">{new.html}</div><div class="small mute"><p>Risk.</p></div>' in whole
    assert '<ol class="plain"><li><a href="#one">One</a></li><li><a href="#two">Two</a></li></ol>' in whole
    assert f'<img src="/art/{words.picture}.svg"/>' in whole
    assert "__" not in whole


def test_what_a_guide_does_not_have_leaves_nothing_behind() -> None:
    whole = filled(page(), guide_words(guide("short", headings=(), html="<p>Short.</p>")))
    assert "<body><div></div><p" in whole
    assert "On this page" not in whole
    assert "mute" not in whole


def test_text_that_looks_like_ours_stays_a_text() -> None:
    hostile: Guide = guide(
        "bridging-loans", title=HOSTILE, meta_title=HOSTILE, description=HOSTILE, author=HOSTILE, summary=HOSTILE
    )
    whole = filled(page(), guide_words(hostile))
    assert shown(whole, "title") == shown(whole, "summary") == escape(HOSTILE)
    assert data_of(whole)["description"] == HOSTILE
    assert whole.count("<script") == 1
    assert "alert(1)</script>" not in whole


def test_problem_and_address_are_texts_too() -> None:
    told = away(f"<p>{PROBLEM}</p><a href='{routes.guide(AWAY_PAGE)}'></a></body>", "a-b", problem="<b>no</b>")
    assert told == f"<p>&lt;b&gt;no&lt;/b&gt;</p><a href='/mortgage-guides/a-b/'></a><script>{RETRY}</script></body>"


def test_unfilled_pages_are_kept_where_no_address_leads(tmp_path: Path) -> None:
    put_release(tmp_path / "releases")
    folder = tmp_path / "releases" / "current" / "build" / "client"
    place = folder / "mortgage-guides" / PROPERTY
    place.mkdir(parents=True)
    (place / "index.html").write_text(html("__title__", path=routes.guide(PROPERTY)), encoding="utf-8")
    finish(folder, SITE)
    export = read_export(folder, SITE)
    assert list(export.unfilled) == [PROPERTY]
    assert "<title>__title__</title>" in export.unfilled[PROPERTY]
    assert export.unfilled[PROPERTY].count("<script") == 2
    assert [path for path in export.files if "unfilled" in path] == []
    assert "unfilled" not in (folder / "sitemap.xml").read_text(encoding="utf-8")


def test_unfilled_guide_may_be_drawn_as_any_other() -> None:
    drawn = unfilled(GuideCategory.PROPERTY, related=("a", "b"))
    assert (len(drawn.meta_title), drawn.related, drawn.url) == (56, ("a", "b"), "unfilled-property")
