"""One fault put into a copy of the content, and what the store says of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from broker.content.errors import ContentError
from broker.content.files.embedded_store import EmbeddedStore


def fault_of(copy: Path, file: str, *, old: str, new: str) -> str:
    """Return the fault that the store names after one change to a file, having checked that it names that file."""
    path = copy / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    return fault_in(copy, path)


def fault_in(copy: Path, path: Path) -> str:
    """Return the fault that the store names, having checked that it names that file or folder."""
    with pytest.raises(ContentError) as caught:
        EmbeddedStore(copy)
    assert Path(caught.value.source.split(",")[0]) == path, caught.value
    return caught.value.fault
