"""Lenders' logos at the edge: their type, their headers, and what there is not."""

from __future__ import annotations

from pathlib import Path

import pytest
from starlette.testclient import TestClient

from broker.services.lenders import KnownLender, LenderDirectory
from broker.services.logo_files import FOLDER, LogoFile, logo_file
from broker.web.logo_files import logo_answers
from tests.unit.feeds.pictures import GIF, JPEG, PNG
from tests.unit.web.site import client

FILES = {
    7: logo_file(7, "image/png", data=PNG),
    8: logo_file(8, "image/gif", data=GIF),
    9: logo_file(9, "image/jpeg", data=JPEG),
}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> TestClient:
    """Return a client of a site with three logos."""
    directory = LenderDirectory([KnownLender(lender_id=7, name="Cedar", slug="cedar")])
    directory.learn_logos(FILES)
    return client(tmp_path_factory.mktemp("export"), handlers={FOLDER: logo_answers(directory)})


@pytest.mark.parametrize("file", FILES.values(), ids=lambda file: file.media_type)
def test_logo_is_sent_as_what_it_is_and_kept_for_a_year(site: TestClient, file: LogoFile) -> None:
    answer = site.get(file.address)
    assert (answer.status_code, answer.content) == (200, file.data)
    wanted = {
        "content-type": file.media_type,
        "cache-control": "public, max-age=31536000, immutable",
        "etag": f'"{Path(file.name).stem}"',
        "x-content-type-options": "nosniff",
        "content-length": str(len(file.data)),
    }
    assert {name: answer.headers[name] for name in wanted} == wanted
    assert "default-src 'none'" in answer.headers["content-security-policy"]


def test_browser_that_has_a_logo_is_told_so(site: TestClient) -> None:
    tag = f'W/"{Path(FILES[7].name).stem}"'
    answer = site.get(FILES[7].address, headers={"if-none-match": f'"old", {tag}'})
    assert (answer.status_code, answer.content, "content-type" in answer.headers) == (304, b"", False)
    assert site.get(FILES[7].address, headers={"if-none-match": '"old"'}).status_code == 200


def test_head_has_the_length_and_no_body(site: TestClient) -> None:
    answer = site.head(FILES[7].address)
    assert (answer.status_code, answer.content, answer.headers["content-length"]) == (200, b"", str(len(PNG)))


OTHERS = {
    "another hash": f"{FOLDER}7-000000000000.png",
    "another ending": FILES[7].address.replace(".png", ".svg"),
    "the folder": FOLDER,
    "a way out": f"{FOLDER}../{FILES[7].name}",
    "a drawn mark": f"{FOLDER}lender-cedar.svg",
}


@pytest.mark.parametrize("path", OTHERS.values(), ids=OTHERS)
def test_any_other_name_is_the_error_page(site: TestClient, path: str) -> None:
    assert site.get(path).status_code == 404
