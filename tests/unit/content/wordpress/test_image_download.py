from collections.abc import Mapping
from pathlib import Path

import httpx
import pytest

from broker.content.models.pictures import PREFIX, Picture
from broker.content.wordpress import images as image_download
from broker.content.wordpress.images import DownloadedImages, ImageLimits, LastImages, download_images
from tests.unit.content.wordpress.answering import client, replied, run
from tests.unit.pictures import GIF, JPEG, PNG, picture

ADDRESS = "https://example.test/api/wp-content/uploads/a.png"
OTHER = "https://example.test/api/wp-content/uploads/b.jpg"


def downloaded(
    answers: Mapping[str, bytes | int],
    *addresses: str,
    last: LastImages | None = None,
    limits: ImageLimits | None = None,
) -> DownloadedImages:
    """Return the images of a service that answers with bytes or a status."""

    def answer(request: httpx.Request) -> httpx.Response:
        found = answers[str(request.url)]
        return replied(found) if isinstance(found, bytes) else replied("", found)

    work = download_images(client(answer), addresses, last=last or LastImages(), limits=limits or ImageLimits())
    return run(work)


def kept(images: DownloadedImages, folder: Path) -> LastImages:
    for name, data in images.files.items():
        (folder / name).write_bytes(data)
    return LastImages(pictures=images.pictures, folder=folder)


def test_image_is_copied_once_and_its_files_are_those_of_its_picture() -> None:
    found = downloaded({ADDRESS: picture("PNG", 600, 200)}, ADDRESS, "", ADDRESS)
    assert list(found.pictures) == [ADDRESS]
    assert [file.src for file in found.pictures[ADDRESS].files] == [PREFIX + name for name in found.files]
    assert found.failures == {}


def test_unchanged_image_is_not_copied_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = downloaded({ADDRESS: PNG, OTHER: JPEG}, ADDRESS, OTHER)
    last = kept(before, tmp_path)
    copied: list[bytes] = []
    made = image_download.image_copies

    def noted(data: bytes) -> object:
        copied.append(data)
        return made(data)

    monkeypatch.setattr(image_download, "image_copies", noted)
    assert downloaded({ADDRESS: PNG, OTHER: JPEG}, ADDRESS, OTHER, last=last) == before
    assert copied == []
    (tmp_path / before.pictures[OTHER].src.removeprefix(PREFIX)).unlink()
    assert downloaded({ADDRESS: GIF, OTHER: JPEG}, ADDRESS, OTHER, last=last).pictures.keys() == {ADDRESS, OTHER}
    assert copied == [GIF, JPEG]


@pytest.mark.parametrize("answer", [500, 404, 302, b"", b"<html>", PNG[:80]])
def test_image_that_fails_keeps_its_last_copy(answer: bytes | int, tmp_path: Path) -> None:
    before = downloaded({ADDRESS: picture("PNG", 600, 200)}, ADDRESS)
    found = downloaded({ADDRESS: answer}, ADDRESS, last=kept(before, tmp_path))
    assert (found.pictures, found.files) == (before.pictures, before.files)
    assert list(found.failures) == [ADDRESS]
    assert downloaded({ADDRESS: answer}, ADDRESS).pictures == {}


def test_copy_of_an_earlier_version_stays_while_its_source_is_away(tmp_path: Path) -> None:
    (tmp_path / "old.png").write_bytes(PNG)
    old = Picture(src=f"{PREFIX}old.png", width=100, height=40)
    last = LastImages(pictures={ADDRESS: old}, folder=tmp_path)
    found = downloaded({ADDRESS: 502}, ADDRESS, last=last)
    assert (found.pictures, found.files) == ({ADDRESS: old}, {"old.png": PNG})
    found = downloaded({ADDRESS: PNG}, ADDRESS, last=last)
    assert found.pictures[ADDRESS].files
    assert "old.png" not in found.files


def test_images_beyond_the_limits_are_left_out_with_the_reason() -> None:
    answers = {ADDRESS: PNG, OTHER: JPEG}
    found = downloaded(answers, ADDRESS, OTHER, limits=ImageLimits(images=1))
    assert (list(found.pictures), found.failures) == ([ADDRESS], {OTHER: "is beyond the 1 that are copied"})
    found = downloaded(answers, ADDRESS, OTHER, limits=ImageLimits(total_bytes=1))
    assert (found.pictures, found.files, set(found.failures)) == ({}, {}, {ADDRESS, OTHER})
