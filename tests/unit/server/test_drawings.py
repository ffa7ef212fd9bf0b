from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest
from starlette.testclient import TestClient

from broker import routes
from broker.components.drawings.street import guide_scene
from broker.content.guides import GuideSubject
from broker.content.models.pages import ServiceLook
from broker.content.snapshot.snapshot_folder import picture_folders
from broker.content.store import ContentStore
from broker.lenders.directory import KnownLender
from broker.server.pictures import DEFAULT_DOOR, KINDS, content_drawings, content_picture_handler, draw, drawing_handler
from broker.server.releases import LiveExport
from tests.our_content import STORE
from tests.unit.server.site import SITE, client_of, put_release

LENDERS = (KnownLender(lender_id=7, name="Birch & Stone", slug="birch-and-stone"),)
HASHED = "0123456789abcdef0123-350.png"


@pytest.fixture
def store() -> ContentStore:
    return ContentStore(STORE.content)


@pytest.fixture
def site(tmp_path: Path, store: ContentStore) -> TestClient:
    put_release(tmp_path, **{"/art/street-home.svg": "<svg>file</svg>"})
    handler = drawing_handler(lambda: content_drawings(store, LENDERS))
    return client_of(LiveExport(tmp_path, SITE), handlers={f"{routes.ART}*": handler})


def test_everything_of_the_content_has_its_drawing(site: TestClient, store: ContentStore) -> None:
    listed = content_drawings(store, LENDERS)
    guide, town, service = store.guides()[0], store.towns()[0], store.services()[0]
    assert {
        f"/art/card-{guide.subject}-{guide.url}.svg",
        *(f"/art/{kind}-{town.slug}.svg" for kind in ("street", "tiles")),
        f"/art/door-{service.slug}.svg",
        *("/art/door-thankyou.svg", "/art/lender-birch-and-stone.svg"),
    } <= set(listed)
    assert {drawing.kind for drawing in listed.values()} == set(KINDS)
    for path in listed:
        answer = site.get(path)
        assert (answer.status_code, answer.headers["content-type"]) == (200, "image/svg+xml"), path
        assert ElementTree.fromstring(answer.text).tag.endswith("svg"), path


def test_drawing_is_cached_for_a_day_and_sent_once(site: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    zipped = {"accept-encoding": "gzip"}
    first = site.get("/art/lender-birch-and-stone.svg", headers=zipped)
    assert (first.headers["cache-control"], first.headers["content-encoding"]) == ("public, max-age=86400", "gzip")
    assert "default-src 'none'" in first.headers["content-security-policy"]
    monkeypatch.setattr("broker.server.pictures.draw", lambda _: pytest.fail("drawn twice"))
    again = site.get("/art/lender-birch-and-stone.svg", headers=zipped | {"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize(
    "name",
    [
        *("lender-nobody.svg", "lender-birch-and-stone.png", "card-key-nowhere.svg", "street-atlantis.svg", "", "x"),
        *("card-moon-what-is-ltv.svg", "../art/lender-birch-and-stone.svg", "LENDER-birch-and-stone.svg"),
    ],
)
def test_nothing_is_drawn_for_a_name_that_is_not_of_the_content(
    name: str, site: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("broker.server.pictures.draw", lambda _: pytest.fail("drawn"))
    assert site.get(f"/art/{name.replace('/', '%2F')}").status_code == 404


def test_file_of_the_export_comes_first(site: TestClient) -> None:
    assert site.get("/art/street-home.svg").text == "<svg>file</svg>"


def test_guide_and_lender_that_are_added_have_their_drawings(store: ContentStore) -> None:
    added = replace(store.guides()[0], url="new-guide", subject=GuideSubject.KEY)
    store.content = replace(store.content, guides=(*store.guides(), added))
    lenders = [*LENDERS, KnownLender(lender_id=8, name="Elm Bank", slug="elm-bank")]
    listed = content_drawings(store, lenders)
    assert draw(listed["/art/card-key-new-guide.svg"]) == guide_scene(GuideSubject.KEY, "new-guide")
    assert 'aria-label="Elm Bank"' in draw(listed["/art/lender-elm-bank.svg"])


def test_door_has_the_colour_that_the_content_chose(store: ContentStore) -> None:
    looks = {"remortgaging": ServiceLook(color="#ad511d")}
    bridging = replace(store.services()[0], slug="bridging")
    store.content = replace(store.content, looks=looks, services=(*store.services(), bridging))
    listed = content_drawings(store, ())
    assert "#ad511d" in draw(listed["/art/door-remortgaging.svg"])
    assert DEFAULT_DOOR.colour in draw(listed["/art/door-bridging.svg"])
    assert draw(listed["/art/door-home-mover.svg"]) != draw(listed["/art/door-remortgaging.svg"])


@pytest.fixture
def pictures(tmp_path: Path) -> TestClient:
    folder = tmp_path / "content"
    for version, name in (("old", "0ld.png"), ("new", HASHED)):
        (folder / "versions" / version / "pictures").mkdir(parents=True)
        (folder / "versions" / version / "pictures" / name).write_bytes(version.encode())
        (folder / "versions" / version / "snapshot.json").write_text("{}")
    (folder / "current").symlink_to("versions/new")
    put_release(tmp_path / "releases")
    handler = content_picture_handler(lambda: picture_folders(folder))
    live = LiveExport(tmp_path / "releases", SITE)
    return client_of(live, handlers={f"{routes.CONTENT_PICTURES}*": handler})


def test_pictures_of_this_and_the_last_snapshot_are_cached_for_ever(pictures: TestClient) -> None:
    for name, body in ((HASHED, b"new"), ("0ld.png", b"old")):
        answer = pictures.get(f"/content-pictures/{name}")
        assert (answer.status_code, answer.content, answer.headers["content-type"]) == (200, body, "image/png")
        assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert pictures.get(answer.url.path, headers={"if-none-match": answer.headers["etag"]}).status_code == 304


@pytest.mark.parametrize(
    "name", ["", "none.png", "..%2Fsnapshot.json", f"..%2Fpictures%2F{HASHED}", f"%2F{HASHED}", f"{HASHED}%00", "x.exe"]
)
def test_only_a_picture_by_its_exact_name_is_sent(name: str, pictures: TestClient) -> None:
    assert pictures.get(f"/content-pictures/{name}").status_code in {400, 404}
