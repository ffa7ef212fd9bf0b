"""Who may import whom: the contracts of `pyproject.toml`."""

import subprocess

from tools.project import Project

PROJECT = Project()


def test_imports_keep_the_contracts() -> None:
    command = [str(PROJECT.venv / "bin" / "lint-imports"), "--no-cache"]
    done = subprocess.run(command, cwd=PROJECT.root, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
