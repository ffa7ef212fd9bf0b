"""Content that a test may spoil."""

import shutil
from pathlib import Path

import pytest

from tests.our_content import CONTENT


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    return shutil.copytree(CONTENT, tmp_path / "content")
