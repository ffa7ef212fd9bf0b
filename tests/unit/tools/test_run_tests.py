"""What failed is run once more, alone, and fails the run only if it fails then too."""

import os
import subprocess
import sys
from pathlib import Path

from tools.project import Project

UNSTEADY = """
from pathlib import Path

def test_unsteady() -> None:
    mark = Path("ran")
    is_second = mark.exists()
    mark.touch()
    assert is_second

def test_steady() -> None: ...
"""


def run(folder: Path, source: str) -> subprocess.CompletedProcess[str]:
    (folder / "pytest.ini").write_text("[pytest]\n")
    (folder / "test_it.py").write_text(source)
    environment = {**os.environ, "PYTHONPATH": str(Project().root), "PYTEST_ADDOPTS": ""}
    command = [sys.executable, "-m", "tools.run_tests", "--numprocesses=1"]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def test_unsteady_test_is_named_and_does_not_fail_the_run(tmp_path: Path) -> None:
    done = run(tmp_path, UNSTEADY)
    assert done.returncode == 0
    assert "passed alone:\n  test_it.py::test_unsteady\n" in done.stdout


def test_test_that_fails_twice_fails_the_run(tmp_path: Path) -> None:
    done = run(tmp_path, "def test_wrong() -> None:\n    assert 1 == 2\n")
    assert done.returncode == 1
    assert "passed alone" not in done.stdout


def test_many_failures_are_not_run_again(tmp_path: Path) -> None:
    source = "import pytest\n@pytest.mark.parametrize('n', range(21))\ndef test_wrong(n):\n    assert n < 0\n"
    done = run(tmp_path, source)
    assert done.returncode == 1
    assert "once more" not in done.stdout


def test_file_that_cannot_be_imported_fails_the_run(tmp_path: Path) -> None:
    done = run(tmp_path, "import nothing_of_this_name\n")
    assert done.returncode != 0
    assert "passed alone" not in done.stdout
