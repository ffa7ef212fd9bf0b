"""The edge over the real exported site."""

from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from broker import routes
from broker.settings import read_settings
from broker.web.export.finish import pages
from broker.web.markup import script_hashes
from broker.web.serving.edge import api_transformer
from broker.web.serving.headers import SECURITY
from broker.web.serving.releases import LiveExport

NOT_INDEXED = (routes.UPDATE_LENDERS, routes.THANK_YOU, routes.YOUR_ENQUIRY, routes.TEST, routes.HOME2)
"""Pages that no search engine lists (decision 8)."""


@pytest.fixture(scope="module")
def web(site: Path) -> TestClient:
    """A client of the real pages, behind the edge, around an application that knows nothing."""
    settings = read_settings()
    assert site.is_relative_to(settings.releases_dir)
    return TestClient(
        api_transformer(settings, LiveExport(settings.releases_dir, settings.site_url))(Starlette()),
        follow_redirects=False,
    )


def test_every_page_answers_200_and_its_bare_path_one_308(site: Path, web: TestClient) -> None:
    served = [path for path in pages(site) if path != routes.NOT_FOUND]
    assert {path: web.get(path).status_code for path in served} == dict.fromkeys(served, 200)
    bare = [path.rstrip("/") for path in served if path != "/"]
    answers = {path: web.get(f"{path}?a=1") for path in bare}
    assert {path: (answer.status_code, answer.headers["location"]) for path, answer in answers.items()} == {
        path: (308, f"{path}/?a=1") for path in bare
    }


def test_every_redirect_is_one_301(web: TestClient) -> None:
    answers = {old: web.get(f"{old}?a=1") for old in routes.REDIRECTS}
    assert {old: (answer.status_code, answer.headers.get("location")) for old, answer in answers.items()} == {
        old: (301, f"{new}?a=1") for old, new in routes.REDIRECTS.items()
    }


def test_no_page_stands_where_a_redirect_starts(site: Path) -> None:
    assert set(routes.REDIRECTS) & set(pages(site)) == set()


def test_unknown_paths_answer_404_with_the_error_page(web: TestClient) -> None:
    for path in ("/nope/", "/nope", routes.NOT_FOUND, "/__spa-fallback.html"):
        answer = web.get(path)
        assert (answer.status_code, answer.headers["x-robots-tag"]) == (404, "noindex")
        assert "<h1" in answer.text
        assert 'type="module"' not in answer.text


@pytest.mark.parametrize("path", NOT_INDEXED)
def test_pages_that_are_not_indexed_say_so_in_a_header(site: Path, web: TestClient, path: str) -> None:
    answer = web.get(path)
    assert (answer.status_code, answer.headers["x-robots-tag"]) == (200 if path in pages(site) else 404, "noindex")


def test_every_page_allows_each_of_its_inline_scripts(site: Path, web: TestClient) -> None:
    for path, file in pages(site).items():
        answer = web.get(path)
        allowed = answer.headers["content-security-policy"]
        assert [one for one in script_hashes(file.read_text("utf-8")) if one not in allowed] == []
        assert "unsafe-eval" not in allowed
        assert {name: answer.headers[name] for name in SECURITY} == SECURITY


def test_hashed_files_are_kept_for_ever_and_pages_are_asked_for_again(site: Path, web: TestClient) -> None:
    scripts = [f"/assets/{file.name}" for file in (site / "assets").glob("*.js")]
    kept = {web.get(script).headers["cache-control"] for script in scripts}
    assert kept == {"public, max-age=31536000, immutable"}
    assert {web.get(path).headers["cache-control"] for path in pages(site)} == {"no-cache"}
