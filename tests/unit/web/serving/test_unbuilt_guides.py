"""Guides published since the build, at the edge: which path answers what, and a template with every value."""

import json
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from markupsafe import escape
from starlette.testclient import TestClient

from broker import routes
from broker.content.errors import ContentApiError
from broker.content.models.guides import Guide
from broker.domain.guides import GuideCategory
from broker.presenters.guide_page import guide_page_view, template_guide
from broker.presenters.jinja import variable
from broker.services.unbuilt_guides import UnbuiltGuides
from broker.web.export.edge_templates import as_template
from broker.web.serving.exported_site import read_export
from broker.web.serving.paths import template_file
from broker.web.serving.releases import LiveExport
from broker.web.serving.unbuilt_guides import (
    RETRY_SCRIPT,
    guide_picture_handler,
    render_failure,
    render_guide,
    unbuilt_guide_handler,
)
from broker.web.templating import Templates
from tests.unit.pictures import WEBP
from tests.unit.services.clock import Clock
from tests.unit.services.guides import ListedGuides, guide
from tests.unit.web.site import SITE, client, html, put_release

BRIDGING = guide("bridging-loans")
HOSTILE = '</title><script>alert(1)</script> & "it\'s" {{ guide.title }} {% if slug %} {# #}'
TEXTS = ("title", "meta_title", "description", "summary", "by", "author", "created", "updated", "words")
PROPERTY, AWAY = (routes.edge_template(name) for name in (GuideCategory.PROPERTY.value, "away"))
AWAY_LINK = "<a href='/mortgage-guides/{{ slug }}/'>again</a>"
AWAY_SOURCE = f"<p>Error: {{{{ problem }}}}</p>{AWAY_LINK}{{{{ retry_script }}}}</body></html>"


def source(category: GuideCategory = GuideCategory.PROPERTY) -> str:
    view = template_guide(category)
    texts = {name: getattr(view, name) for name in TEXTS}
    paragraphs = "".join(f"<p id='{name}'>{text}</p>" for name, text in texts.items())
    data = json.dumps({**texts, "url": routes.guide(view.slug)}, ensure_ascii=False)
    return (
        f"<!DOCTYPE html><html lang='en-GB'><head><title>{view.meta_title}</title></head><body>{paragraphs}"
        f'<div class="prose">{view.html}</div>{variable("slug")}'
        f'<script type="application/ld+json">{data}</script></body></html>'
    )


def render(view: Guide, category: GuideCategory = GuideCategory.PROPERTY) -> str:
    name = routes.edge_template(category)
    templates = Templates({name: as_template(source(category), routes.guide(name))})
    return render_guide(templates, guide_page_view(view), category=category)


def shown(source: str, name: str) -> str:
    return source.partition(f"<p id='{name}'>")[2].partition("</p>")[0]


def data_of(source: str) -> dict[str, str]:
    return json.loads(source.partition('<script type="application/ld+json">')[2].partition("</script>")[0])


@pytest.fixture
def service() -> ListedGuides:
    return ListedGuides({"bridging-loans": BRIDGING, "about-us": guide("about-us")})


@pytest.fixture
def web(service: ListedGuides, tmp_path: Path) -> Iterator[TestClient]:
    sources = {PROPERTY: as_template(source(), routes.guide(PROPERTY)), AWAY: f"<html><body>{AWAY_SOURCE}"}
    more = {template_file(name): text for name, text in sources.items()}
    put_release(tmp_path / "releases", **more)
    live = LiveExport(tmp_path / "releases", SITE)
    live.open()
    guides = UnbuiltGuides(service, fresh_for=timedelta(minutes=10), clock=Clock())
    handlers = {
        f"{routes.GUIDE_PAGES}*": unbuilt_guide_handler(guides, live),
        f"{routes.GUIDE_PICTURES}*": guide_picture_handler(guides),
    }
    service.problem = None
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
    closed = web.get("/mortgage-guides/bridging-loans/", headers={"cookie": "cookie_notice=accepted"})
    assert ("data-cookie-notice" in answer.text, "data-cookie-notice" in closed.text) == (False, True)


def test_picture_of_a_new_guide_is_kept_for_a_year_and_no_other_is_served(
    web: TestClient, service: ListedGuides
) -> None:
    service.files = {"ab-88.webp": WEBP}
    answer = web.get("/guide-pictures/bridging-loans/ab-88.webp")
    assert (answer.status_code, answer.content, answer.headers["content-type"]) == (200, WEBP, "image/webp")
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert answer.headers["x-content-type-options"] == "nosniff"
    again = web.get("/guide-pictures/bridging-loans/ab-88.webp", headers={"if-none-match": answer.headers["etag"]})
    assert again.status_code == 304
    for path in ("nobody/ab-88.webp", "bridging-loans/cd-88.webp", "bridging-loans/", "", "http://evil.test/a.webp"):
        assert web.get(f"/guide-pictures/{path}").status_code == 404, path


def test_picture_is_answered_with_503_while_its_guide_cannot_be_read(web: TestClient, service: ListedGuides) -> None:
    service.problem = ContentApiError("graphql", "answered 502")
    answer = web.get("/guide-pictures/bridging-loans/ab-88.webp")
    assert (answer.status_code, answer.headers["cache-control"]) == (503, "no-store")


OTHERS = {
    **dict.fromkeys(("nobody-wrote-this/", "nobody-wrote-this", "a/b/", f"{PROPERTY}/"), (404, None)),
    "bridging-loans": (308, "/mortgage-guides/bridging-loans/"),
    "no-fee-mortgage-broker/": (301, "/mortgage-guides/no-fees-mortgage-broker/"),
    "": (301, "/tools/mortgage-guides/"),
}


def test_other_addresses_answer_as_ever(web: TestClient) -> None:
    answers = {path: web.get(f"/mortgage-guides/{path}") for path in OTHERS}
    assert {path: (each.status_code, each.headers.get("location")) for path, each in answers.items()} == OTHERS
    assert web.get("/about-us/").status_code == 200


def test_unreachable_service_is_answered_with_503_and_a_retry(web: TestClient, service: ListedGuides) -> None:
    service.problem = ContentApiError("graphql", "answered 502")
    answer = web.get("/mortgage-guides/bridging-loans/")
    wanted = {"retry-after": "5", "cache-control": "no-store", "x-robots-tag": "noindex"}
    assert (answer.status_code, {name: answer.headers.get(name) for name in wanted}) == (503, wanted)
    assert "<p>Error: Failed to fetch API</p><a href='/mortgage-guides/bridging-loans/'>" in answer.text
    assert f"<script>{RETRY_SCRIPT}</script></body>" in answer.text
    assert "'sha256-" in answer.headers["content-security-policy"].partition("script-src")[2].partition(";")[0]


def test_every_text_of_a_guide_is_in_its_place() -> None:
    for category in GuideCategory:
        new = guide("bridging-loans", categories=(category,))
        view, page = guide_page_view(new), render(new, category)
        texts = {name: getattr(view, name) for name in TEXTS}
        assert {name: shown(page, name) for name in TEXTS} == {name: str(text) for name, text in texts.items()}
        assert data_of(page) == {**texts, "url": "/mortgage-guides/bridging-loans/"}
        assert f'<div class="prose">{new.html}</div>bridging-loans' in page


def test_value_that_looks_like_a_template_stays_a_text() -> None:
    texts = dict.fromkeys(("title", "meta_title", "description", "author", "summary"), HOSTILE)
    page = render(guide("bridging-loans", **texts))
    assert shown(page, "title") == shown(page, "summary") == str(escape(HOSTILE))
    assert data_of(page)["description"] == HOSTILE
    assert page.count("<script") == 1
    assert "alert(1)</script>" not in page


def test_problem_and_slug_are_escaped() -> None:
    page = render_failure(Templates({AWAY: AWAY_SOURCE}), "a-b", problem="<b>no</b>")
    assert page.startswith("<p>Error: &lt;b&gt;no&lt;/b&gt;</p><a href='/mortgage-guides/a-b/'>again</a><script>")
    assert page.endswith(f"<script>{RETRY_SCRIPT}</script></body></html>")


def test_template_is_a_file_without_a_url(tmp_path: Path) -> None:
    page = html(variable("guide.title"), path=routes.guide(PROPERTY))
    folder = put_release(tmp_path, **{f"mortgage-guides/{PROPERTY}/index.html": page}).folder / "build" / "client"
    export = read_export(folder, SITE)
    assert list(export.templates) == [PROPERTY]
    written = (folder / template_file(PROPERTY)).read_text("utf-8")
    assert "<title>{{ guide.title }}</title>" in written
    assert f'href="{SITE}/mortgage-guides/{{{{ slug }}}}/"' in written
    assert written.count("<script") == 2
    assert [path for path in export.files if "edge-template" in path] == []
    assert "edge-template" not in (folder / "sitemap.xml").read_text(encoding="utf-8")
