from gzip import decompress

from starlette.types import Scope

from broker.server.response import Answer, Handler
from broker.server.site_files import Entry, sitemap_handlers

SITE = "http://testserver"


async def asked(path: str, *entries: Entry) -> Answer:
    return await answer_of(sitemap_handlers(SITE, lambda: entries, sources=lambda: entries), path)


async def answer_of(handlers: dict[str, Handler], path: str, **headers: str) -> Answer:
    pairs = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    scope: Scope = {"type": "http", "path": path, "headers": pairs}
    answer = await handlers[path](scope)
    assert answer
    return answer


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


async def test_sitemap_is_made_once_and_checked_by_its_tag() -> None:
    pages, made = [[Entry(path="/about-us/")]], list[int]()

    def entries() -> list[Entry]:
        made.append(1)
        return pages[0]

    handlers = sitemap_handlers(SITE, entries, sources=lambda: (pages[0],))
    first = await answer_of(handlers, "/sitemap.xml", accept_encoding="gzip")
    assert first.headers["content-encoding"] == "gzip"
    assert b"<loc>http://testserver/about-us/</loc>" in decompress(first.body)
    known = {"accept_encoding": "gzip", "if_none_match": first.headers["etag"]}
    again = await answer_of(handlers, "/sitemap.xml", **known)
    assert (again.status, again.body, len(made)) == (304, b"", 1)
    pages[0] = [Entry(path="/new/")]
    changed = await answer_of(handlers, "/sitemap.xml", **known)
    assert b"/new/" in decompress(changed.body)


async def test_robots_txt_allows_everything_and_names_the_sitemap() -> None:
    answer = await asked("/robots.txt")
    assert answer.body == b"User-agent: *\nDisallow:\n\nSitemap: http://testserver/sitemap.xml\n"
