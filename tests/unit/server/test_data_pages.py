import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from starlette.types import Scope

from broker.content.page_head import HeadView
from broker.server.data_pages import DataPages
from broker.server.exported_site import Export
from broker.server.releases import LiveExport
from broker.server.response import Answer
from broker.server.templating import Templates
from broker.settings import Settings
from tests.unit.server.site import SITE, client_of

PATH = "/lenders/alder/"
TEMPLATE = (
    '<html><head><script id="edge-answer" type="application/json">{{ start|safe }}</script></head>'
    "<h1>{{ page.name }}</h1></html>"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    head: HeadView
    name: str


@dataclass(kw_only=True)
class Kind:
    template: str = "lender"
    shape: str = "abc"
    names: dict[str, str] = field(default_factory=lambda: {PATH: "Alder </script> & Sons"})
    revision: int = 1
    found: int = 0

    @property
    def paths(self) -> Collection[str]:
        return self.names

    def version(self, _path: str) -> int:
        return self.revision

    async def find(self, path: str) -> View | None:
        self.found += 1
        head = HeadView(title="", name="", description="", address="", image="", image_alt="")
        return View(head=head, name=self.names[path]) if self.names.get(path) else None


@pytest.fixture
def kind() -> Kind:
    return Kind()


@pytest.fixture
def pages(kind: Kind, tmp_path: Path) -> DataPages:
    live = LiveExport(tmp_path, "http://testserver")
    live.serve(replace(Export.empty("http://testserver"), templates=Templates({"edge-template-lender": TEMPLATE})))
    return DataPages(live, (kind,))


async def asked(pages: DataPages, path: str = PATH, query: str = "", **headers: str) -> Answer | None:
    pairs = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    scope: Scope = {"type": "http", "path": path, "query_string": query.encode(), "headers": pairs}
    return await pages.answer(scope)


async def test_page_is_filled_and_has_its_view_for_react_which_no_text_can_close(pages: DataPages) -> None:
    answer = await asked(pages)
    assert answer
    html = answer.body.decode()
    assert "<h1>Alder &lt;/script&gt; &amp; Sons</h1>" in html
    start = html.partition('type="application/json">')[2].partition("</script>")[0]
    assert json.loads(start)["page"]["name"] == "Alder </script> & Sons"


async def test_page_is_worked_out_once_for_a_version_of_its_data(pages: DataPages, kind: Kind) -> None:
    first = await asked(pages)
    assert first
    again = await asked(pages, if_none_match=first.headers["etag"])
    assert again and (again.status, kind.found) == (304, 1)
    kind.revision, kind.names[PATH] = 2, "Alder plc"
    changed = await asked(pages, if_none_match=first.headers["etag"])
    assert changed and (changed.status, kind.found) == (200, 2)
    assert b"Alder plc" in changed.body


async def test_page_of_a_closed_notice_changes_with_its_data(pages: DataPages, kind: Kind) -> None:
    first, again = [await asked(pages, cookie="cookie_notice=accepted") for _ in range(2)]
    assert first and again and b'<html data-cookie-notice="accepted"' in first.body == again.body
    kind.revision, kind.names[PATH] = 2, "Alder plc"
    changed = await asked(pages, cookie="cookie_notice=accepted")
    assert changed and b"Alder plc" in changed.body


async def test_view_is_read_by_scripts_that_know_its_fields_alone(pages: DataPages) -> None:
    found = await asked(pages, f"{PATH}page.json", "shape=abc")
    assert found and json.loads(found.body)["name"] == "Alder </script> & Sons"
    assert found.headers["content-type"] == "application/json"
    other = await asked(pages, f"{PATH}page.json", "shape=old")
    assert other and (other.status, other.body) == (409, b"")


async def test_path_without_a_page_is_left_to_the_error_page(pages: DataPages, kind: Kind) -> None:
    assert await asked(pages, "/lenders/nobody/") is None
    assert await asked(pages, "/lenders/nobody/page.json", "shape=abc") is None
    kind.names["/lenders/gone/"] = ""
    assert await asked(pages, "/lenders/gone/") is None


def test_proxy_may_keep_a_page_as_long_as_an_exported_one(pages: DataPages, tmp_path: Path) -> None:
    settings = Settings(site_url=SITE, trusted_proxies=1)
    web = client_of(
        LiveExport(tmp_path, SITE), handlers={"/lenders/*": pages.answer}, data_pages=pages, settings=settings
    )
    assert web.get(PATH).headers.get("x-accel-expires") == "5"


async def test_page_of_figures_is_found_for_them_each_time_and_not_indexed(kind: Kind, tmp_path: Path) -> None:
    async def by_figures(given: Mapping[str, str]) -> View:
        view = await kind.find(PATH)
        assert view
        return replace(view, name=f"£{given['loan']}")

    live = LiveExport(tmp_path, "http://testserver")
    live.serve(replace(Export.empty("http://testserver"), templates=Templates({"edge-template-lender": TEMPLATE})))
    pages = DataPages(live, (kind,), by_figures={PATH: by_figures})
    usual = await asked(pages)
    for loan in ("187400", "200000"):
        shown = await asked(pages, query=f"loan={loan}")
        data = await asked(pages, f"{PATH}page.json", f"loan={loan}&shape=abc")
        assert shown and data and usual
        assert f"<h1>£{loan}</h1>" in shown.body.decode()
        assert json.loads(data.body)["name"] == f"£{loan}"
        assert (shown.headers["x-robots-tag"], "x-robots-tag" in usual.headers) == ("noindex", False)
    again = await asked(pages)
    assert again and usual and again.body == usual.body
