"""The bytes of exported files lie in a temporary file, and in memory where there is none or it is full."""

import os
from pathlib import Path
from typing import Any

import pytest

from broker.web.serving import exported_site
from broker.web.serving.exported_site import StoredBody, read_export

TEXTS = {"a.txt": b"one" * 100, "b.txt": b"two" * 100, "c.txt": b"three" * 100}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in TEXTS.items():
        (tmp_path / name).write_bytes(text)
    return tmp_path


def read(folder: Path) -> tuple[dict[str, bytes], int]:
    """Return the bytes of each file of an export, and how many files are stored."""
    files = read_export(folder, "https://site.example").files
    bodies = {path.strip("/"): file.body() for path, file in files.items()}
    return bodies, sum(isinstance(file.body, StoredBody) for file in files.values())


def test_files_are_read_back_from_the_temporary_file(folder: Path) -> None:
    assert read(folder) == (TEXTS, 3)


def test_site_is_served_where_no_temporary_file_can_be_made(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(**_: Any) -> None:
        raise FileNotFoundError(2, "No usable temporary directory found")

    monkeypatch.setattr(exported_site, "TemporaryFile", refuse)
    assert read(folder) == (TEXTS, 0)


@pytest.mark.parametrize("left", [0, 250, 400])
def test_site_is_served_where_the_disk_is_full(folder: Path, monkeypatch: pytest.MonkeyPatch, left: int) -> None:
    write = os.pwrite

    def fill(descriptor: int, data: bytes, start: int) -> int:
        if start >= left:
            raise OSError(28, "No space left on device")
        return write(descriptor, data[: left - start], start)

    monkeypatch.setattr(os, "pwrite", fill)
    bodies, stored = read(folder)
    assert (bodies, stored) == (TEXTS, 1 if left >= len(TEXTS["a.txt"]) else 0)
