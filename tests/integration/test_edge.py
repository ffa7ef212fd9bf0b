"""The edge over the real exported site."""

from pathlib import Path

import httpx2
import pytest
from starlette.testclient import TestClient

from broker import routes
from broker.markup import parse_page, script_hashes
from broker.server.response import SECURITY

NOT_INDEXED = (
    routes.UPDATE_LENDERS,
    routes.THANK_YOU,
    routes.YOUR_ENQUIRY,
    routes.YOUR_APPOINTMENT,
    routes.TEST,
    routes.HOME2,
)
NOT_INDEXED += (routes.MY_WATCH, routes.WATCH_SENT)
"""Pages that no search engine lists (decision 8)."""

UNKNOWN = ("/nope/", "/nope", "/tools/", "/index.html", routes.NOT_FOUND, "/__spa-fallback.html")
UNKNOWN += ("/mortgage-guides/nope/", "/nope/rates/", "/lenders/nope/", "/a/b")

Answers = dict[str, httpx2.Response]


def test_every_page_answers_200_and_its_bare_path_one_308(answers: Answers, web: TestClient) -> None:
    assert {path for path, answer in answers.items() if answer.status_code != 200} == {routes.NOT_FOUND}
    bare = {path.rstrip("/"): path for path in answers if path not in ("/", routes.NOT_FOUND)}
    moved = {path: web.get(f"{path}?a=1") for path in bare}
    assert {path: (answer.status_code, answer.headers["location"]) for path, answer in moved.items()} == {
        path: (308, f"{page}?a=1") for path, page in bare.items()
    }
    assert set(routes.REDIRECTS) & set(answers) == set()


@pytest.mark.parametrize(
    ("path", "kind"), [("/favicon.ico", "image/vnd.microsoft.icon"), ("/apple-touch-icon.png", "image/png")]
)
def test_icons_that_browsers_ask_for_unasked_are_there(web: TestClient, path: str, kind: str) -> None:
    answer = web.get(path)
    assert (answer.status_code, answer.headers["content-type"]) == (200, kind)


def test_unknown_paths_answer_404_with_the_error_page(web: TestClient) -> None:
    for path in UNKNOWN:
        answer = web.get(path)
        assert (answer.status_code, answer.headers["x-robots-tag"]) == (404, "noindex")
        assert "<h1" in answer.text
        ways = [f'href="{way}"' for way in (routes.HOME, routes.RATES, routes.CALCULATORS, routes.CONTACT)]
        assert [way for way in (*ways, f'action="{routes.RATES}"') if way not in answer.text] == []
        assert 'type="module"' not in answer.text


def test_pages_that_are_not_indexed_say_so_in_a_header(answers: Answers, web: TestClient) -> None:
    for path in NOT_INDEXED:
        answer = web.get(path)
        status = 200 if path in answers else 404
        assert (path, answer.status_code, answer.headers["x-robots-tag"]) == (path, status, "noindex")


def test_every_page_allows_each_of_its_inline_scripts(html: dict[str, str], answers: Answers) -> None:
    for path, answer in answers.items():
        allowed = answer.headers["content-security-policy"]
        assert [one for one in script_hashes(parse_page(html[path])) if one not in allowed] == []
        assert "unsafe-eval" not in allowed
        assert {name: answer.headers[name] for name in SECURITY} == SECURITY


def test_hashed_files_are_cached_for_ever_and_pages_revalidated(site: Path, answers: Answers, web: TestClient) -> None:
    scripts = [f"/assets/{file.name}" for file in (site / "assets").glob("*.js")]
    cached = {web.get(script).headers["cache-control"] for script in scripts}
    assert cached == {"public, max-age=31536000, immutable"}
    assert {answer.headers["cache-control"] for answer in answers.values()} == {"no-cache"}
