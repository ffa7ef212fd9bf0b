"""Content that a test may spoil."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from broker.settings import Settings


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the project's content."""
    return shutil.copytree(Settings().data_dir / "content", tmp_path / "content")
