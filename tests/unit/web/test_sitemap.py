"""The sitemap and robots.txt of the pages of the moment."""

import pytest
from starlette.types import Scope

from broker.web.serving.response import Answer
from broker.web.sitemap import Entry, sitemap_handlers

SITE = "http://testserver"


async def asked(path: str, *entries: Entry) -> Answer:
    scope: Scope = {"type": "http", "path": path, "headers": []}
    answer = await sitemap_handlers(SITE, lambda: entries)[path](scope)
    assert answer
    return answer


@pytest.mark.anyio
async def test_sitemap_lists_the_pages_by_address_with_the_days_that_are_known() -> None:
    answer = await asked("/sitemap.xml", Entry(path="/about-us/"), Entry(path="/", changed="2026-03-04"))
    assert answer.headers["content-type"] == "application/xml"
    assert answer.body.decode() == (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
        "<url><loc>http://testserver/</loc><lastmod>2026-03-04</lastmod></url>\n"
        "<url><loc>http://testserver/about-us/</loc></url>\n"
        "</urlset>\n"
    )


@pytest.mark.anyio
async def test_robots_may_read_everything_and_are_told_of_the_sitemap() -> None:
    answer = await asked("/robots.txt")
    assert answer.body == b"User-agent: *\nDisallow:\n\nSitemap: http://testserver/sitemap.xml\n"
