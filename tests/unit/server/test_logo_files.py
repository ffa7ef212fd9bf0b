from pathlib import Path
from typing import cast

import pytest
from starlette.testclient import TestClient

from broker.lenders.directory import KnownLender, LenderDirectory
from broker.lenders.lender import MARK as MARKS
from broker.lenders.logos.logo import LOGO_FOLDER
from broker.lenders.logos.logo_cache import LogoCache, LogoFile
from broker.server.pictures import Drawing, drawing_handler, logo_handler, mark_handler
from broker.server.releases import LiveExport
from broker.storage.errors import StorageError
from tests.unit.pictures import PNG
from tests.unit.server.site import SITE, client_of, put_release

FILE = LogoFile(name="7-0123456789ab.png", data=PNG)
OLD = LogoFile(name="7-ba9876543210.png", data=PNG + b"old")
MARK, ALDER = "/art/lender-cedar.svg", "/art/lender-alder.svg"


class MemoryArchive:
    """Cedar has a logo and had another; Alder has none."""

    def __init__(self) -> None:
        known = ((7, "Cedar", "cedar"), (8, "Alder", "alder"))
        self.directory = LenderDirectory(KnownLender(lender_id=one, name=name, slug=slug) for one, name, slug in known)
        self.standing = {7: FILE.address}
        self.away = False

    def address(self, lender_id: int) -> str:
        return self.standing.get(lender_id, "")

    async def file(self, name: str) -> LogoFile | None:
        if self.away:
            raise StorageError("away")
        return {one.name: one for one in (FILE, OLD)}.get(name)


@pytest.fixture
def logo_cache() -> MemoryArchive:
    return MemoryArchive()


@pytest.fixture
def site(tmp_path: Path, logo_cache: MemoryArchive) -> TestClient:
    put_release(tmp_path)
    live, cache = LiveExport(tmp_path, SITE), cast(LogoCache, logo_cache)
    drawn = drawing_handler(lambda: {each.path: each for each in map(mark_of, cache.directory.lenders)})
    return client_of(live, handlers={f"{LOGO_FOLDER}*": logo_handler(cache), f"{MARKS}*": mark_handler(cache, drawn)})


def mark_of(lender: KnownLender) -> Drawing:
    return Drawing(kind="lender", slug=lender.slug, detail=lender.name)


def test_logo_is_cached_for_a_year_older_ones_too(site: TestClient) -> None:
    cached = {"cache-control": "public, max-age=31536000, immutable", "x-content-type-options": "nosniff"}
    for file in (FILE, OLD):
        answer = site.get(file.address)
        assert (answer.status_code, answer.content) == (200, file.data)
        own = {"etag": f'"{Path(file.name).stem}"', "content-length": str(len(file.data)), "content-type": "image/png"}
        assert (cached | own).items() <= answer.headers.items()
        assert "default-src 'none'" in answer.headers["content-security-policy"]


def test_logo_is_not_sent_to_a_browser_that_has_it_nor_for_head(site: TestClient) -> None:
    tag = f'W/"{Path(FILE.name).stem}"'
    answer = site.get(FILE.address, headers={"if-none-match": f'"old", {tag}'})
    assert (answer.status_code, answer.content, "content-type" in answer.headers) == (304, b"", False)
    assert site.get(FILE.address, headers={"if-none-match": '"old"'}).status_code == 200
    answer = site.head(FILE.address)
    assert (answer.status_code, answer.content, answer.headers["content-length"]) == (200, b"", str(len(PNG)))


def test_any_other_name_is_the_error_page(site: TestClient) -> None:
    names = ("7-000000000000.png", FILE.name.replace(".png", ".svg"), "", f"../{FILE.name}", "lender-cedar.svg")
    marks = ("/art/lender-nobody.svg", "/art/lender-cedar.png")
    for path in (*(f"{LOGO_FOLDER}{name}" for name in names), *marks):
        assert site.get(path).status_code == 404, path


def test_logo_that_cannot_be_read_now_is_a_503_to_retry_soon(site: TestClient, logo_cache: MemoryArchive) -> None:
    logo_cache.away = True
    answer = site.get(FILE.address)
    headers = {"cache-control": "no-store", "retry-after": "5"}
    assert (answer.status_code, headers.items() <= answer.headers.items()) == (503, True)


def test_address_of_a_page_leads_to_the_logo_for_a_minute(site: TestClient) -> None:
    for answer in (site.get(MARK), site.head(MARK)):
        assert (answer.status_code, answer.headers["location"]) == (302, FILE.address)
        assert (answer.headers["cache-control"], answer.content) == ("public, max-age=60", b"")


def test_lender_has_its_drawn_mark_until_it_has_a_logo(site: TestClient, logo_cache: MemoryArchive) -> None:
    answer = site.get(ALDER)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "image/svg+xml")
    assert 'aria-label="Alder"' in answer.text
    assert answer.headers["cache-control"] == "public, max-age=60"
    again = site.get(ALDER, headers={"if-none-match": answer.headers["etag"]})
    assert (again.status_code, again.headers["cache-control"]) == (304, "public, max-age=60")
    logo_cache.standing = {8: OLD.address}
    assert site.get(ALDER).headers["location"] == OLD.address
    assert 'aria-label="Cedar"' in site.get(MARK).text


def test_lender_that_came_later_has_its_mark_and_its_logo(site: TestClient, logo_cache: MemoryArchive) -> None:
    elm = KnownLender(lender_id=9, name="Elm Bank", slug="elm-bank")
    path = "/art/lender-elm-bank.svg"
    assert site.get(path).status_code == 404
    logo_cache.directory.update([*logo_cache.directory.lenders, elm])
    assert 'aria-label="Elm Bank"' in site.get(path).text
    logo_cache.standing[9] = OLD.address
    assert site.get(path).headers["location"] == OLD.address
