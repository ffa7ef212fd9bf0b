"""The whole site over real HTTP: where addresses lead, what heads say, what it lists."""

import gzip
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from playwright.sync_api import expect

from broker import routes
from broker.web.export.finish import pages
from broker.web.markup import is_indexed
from tests.e2e.conftest import OpenPage
from tests.e2e.pages import Problems

MAX_OWN_STYLES = 8_000
"""Bytes, compressed, of the part of the stylesheet that a page carries; the whole of it comes after."""

NOT_INDEXED = {
    routes.YOUR_ENQUIRY,
    routes.THANK_YOU,
    routes.TEST,
    routes.HOME2,
    routes.UPDATE_LENDERS,
    routes.NOT_FOUND,
}

MOVED = {
    "/my-local-mortgage-broker": "/mortgage-broker-near-me/",
    "/tools/my-local-mortgage-broker": "/mortgage-broker-near-me/",
    "/tools/mortgage-broker-near-me": "/mortgage-broker-near-me/",
    "/remortgaging/best-rates": "/remortgages/",
    "/remortgaging/compare-best-rates": "/remortgages/",
    "/best-remortgage-deals": "/remortgages/",
    "/first-time-buyer-rates": "/mortgages-first-time-buyer/",
    "/halifax-mortgage-rates": "/lenders/halifax/2-years-fixed/",
    "/home": "/",
    "/rates": "/tools/rates/",
    "/calculators": "/tools/calculators/",
    "/mortgage-faqs": "/tools/mortgage-faqs/",
    "/mortgage-guide-home": "/tools/mortgage-guides/",
    "/local-mortgage-broker": "/mortgage-broker-near-me/",
    "/promotion/contact": "/contact/",
    "/promotion/calculators": "/tools/calculators/",
    "/promotion/home": "/",
    "/api/about-us": "/about-us/",
    "/api/home": "/",
    "/mortgage-guides/should-i-remortgage-with-the-same-lender": (
        "/mortgage-guides/should-i-remortgage-with-same-lender/"
    ),
    "/mortgage-guides/is-a-35-year-mortgage-normal": "/mortgage-guides/is-a-35-years-mortgage-normal/",
    "/mortgage-guides/no-fee-mortgage-broker": "/mortgage-guides/no-fees-mortgage-broker/",
}
"""The redirects of specification 2 and decisions 1 to 7, written out."""


@pytest.fixture(scope="module")
def html(site: Path) -> dict[str, str]:
    return {path: file.read_text("utf-8") for path, file in pages(site).items()}


@pytest.fixture
def web(server: str) -> Iterator[httpx.Client]:
    """A client of the served site that follows no redirect."""
    with httpx.Client(base_url=server, follow_redirects=False) as client:
        yield client


@pytest.fixture(scope="module")
def indexed(html: dict[str, str]) -> dict[str, str]:
    return {path: text for path, text in html.items() if is_indexed(text)}


@pytest.mark.parametrize("ending", ["", "/"], ids=["bare", "slash"])
def test_everything_that_moved_is_one_301_with_its_query(web: httpx.Client, ending: str) -> None:
    answers = {old: web.get(f"{old}{ending}?a=1&b=%C2%A3") for old in MOVED}
    assert {old: (told.status_code, told.headers.get("location")) for old, told in answers.items()} == {
        old: (301, f"{new}?a=1&b=%C2%A3") for old, new in MOVED.items()
    }


def test_missing_slash_is_one_308_with_its_query(web: httpx.Client) -> None:
    bare = [path.rstrip("/") for path in (routes.RATES, routes.FAQS, routes.lender("halifax"))]
    answers = {path: web.get(f"{path}?a=1") for path in bare}
    assert {path: (told.status_code, told.headers.get("location")) for path, told in answers.items()} == {
        path: (308, f"{path}/?a=1") for path in bare
    }


@pytest.mark.parametrize("path", ["/nope", "/nope/", "/lenders/nobody/", "/tools/", "/index.html", "/../etc/passwd"])
def test_unknown_path_is_a_404_with_ways_on(web: httpx.Client, path: str) -> None:
    told = web.get(path)
    assert (told.status_code, told.headers["content-type"]) == (404, "text/html; charset=utf-8")
    for way in (routes.HOME, routes.RATES, routes.CALCULATORS, routes.CONTACT):
        assert f'href="{way}"' in told.text
    assert re.search(rf'<form[^>]*action="{routes.RATES}"', told.text)


def test_search_of_the_error_page_works_without_scripts(open_page: OpenPage, problems: Problems) -> None:
    problems.expect("status of 404")
    page = open_page(scripts=False)
    page.goto("/nope/")
    page.get_by_label("Mortgage amount").fill("150000")
    page.get_by_role("button", name="Search mortgage rates").click()
    expect(page).to_have_url(f"{routes.RATES}?price=200000&amount=150000")


def test_sitemap_and_robots_tell_of_the_indexed_pages(web: httpx.Client, indexed: dict[str, str]) -> None:
    listed = re.findall(r"<loc>(.*?)</loc>", web.get("/sitemap.xml").text)
    assert sorted(urlsplit(address).path for address in listed) == sorted(indexed)
    assert NOT_INDEXED & set(indexed) == set()
    robots = web.get("/robots.txt")
    assert (robots.status_code, robots.headers["content-type"].split(";")[0]) == (200, "text/plain")
    assert re.search(r"^Sitemap: https?://\S+/sitemap\.xml$", robots.text, re.MULTILINE)


def test_export_has_no_radix(site: Path) -> None:
    files = [file for file in site.rglob("*") if file.suffix in {".css", ".js", ".html"}]
    assert [file.name for file in files if re.search(r"radix-themes|@radix-ui", file.read_text("utf-8"))] == []


def test_first_page_carries_few_styles(html: dict[str, str]) -> None:
    styles = re.findall(r"<style data-from=[^>]*>(.*?)</style>", html[routes.HOME], re.DOTALL)
    assert styles
    assert len(gzip.compress("".join(styles).encode(), 9)) <= MAX_OWN_STYLES
