"""What an export is given of its content: pictures as they are, and drawings that the project has no file of."""

from pathlib import Path

import pytest

from broker.components.drawings.guides.scene import guide_scene
from broker.domain.guide_subjects import GuideSubject
from broker.services.content_files import ContentFiles
from broker.web.export.content_files import MissingPictureError, add_content_files

HASHED = "0123456789abcdef0123.png"


@pytest.fixture
def export(tmp_path: Path) -> Path:
    (tmp_path / "art").mkdir()
    (tmp_path / "art" / "card-known.svg").write_text("<svg>kept</svg>")
    return tmp_path


def page(export: Path, html: str) -> dict[str, Path]:
    file = export / "index.html"
    file.write_text(html)
    return {"/": file}


def test_missing_drawings_are_drawn_and_those_there_stay(export: Path) -> None:
    shown = ("card-known", "card-key-new", "door-bridging", "lender-birch-and-stone", "street-luton")
    html = "".join(f'<img src="/art/{name}.svg">' for name in shown)
    html += '<div style="background-image:url(/art/tiles-luton.svg)">'
    files = ContentFiles(lenders={"birch-and-stone": "Birch & Stone"})
    add_content_files(export, page(export, html), files=files)
    assert {file.stem for file in (export / "art").iterdir()} == {*shown, "tiles-luton"}
    assert (export / "art" / "card-known.svg").read_text() == "<svg>kept</svg>"
    assert (export / "art" / "card-key-new.svg").read_text() == guide_scene(GuideSubject.KEY, "new") + "\n"


def test_pictures_of_the_content_are_copied(export: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    source = tmp_path_factory.mktemp("pictures") / HASHED
    source.write_bytes(b"picture")
    files = ContentFiles(pictures={HASHED: source})
    add_content_files(export, page(export, f'<img src="/content-pictures/{HASHED}">'), files=files)
    assert (export / "content-pictures" / HASHED).read_bytes() == b"picture"


def test_door_has_the_colour_that_the_content_chose(export: Path) -> None:
    add_content_files(export, {}, files=ContentFiles(colours={"remortgaging": "#ad511d", "bridging": "#887000"}))
    assert "#ad511d" in (export / "art" / "door-remortgaging.svg").read_text()
    assert "#887000" in (export / "art" / "door-bridging.svg").read_text()


@pytest.mark.parametrize(
    "shown", [f"/content-pictures/{HASHED}", "/art/unknown.svg", "/art/card-key-new.png", "/art/card-moon-new.svg"]
)
def test_picture_that_is_nowhere_stops_the_build_with_its_page(shown: str, export: Path) -> None:
    with pytest.raises(MissingPictureError, match=f"/ shows {shown}, which is not there"):
        add_content_files(export, page(export, f'<img src="{shown}">'), files=ContentFiles())


def test_second_run_changes_nothing(export: Path) -> None:
    pages, files = page(export, '<img src="/art/card-key-new.svg">'), ContentFiles(colours={"remortgaging": "#ad511d"})
    add_content_files(export, pages, files=files)
    before = {file: file.stat().st_mtime_ns for file in export.rglob("*")}
    add_content_files(export, pages, files=files)
    assert {file: file.stat().st_mtime_ns for file in export.rglob("*")} == before
