"""Who may import whom: the contracts of `pyproject.toml`; and what no import shows."""

import ast
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tools.project import Project

PROJECT = Project()


def test_imports_keep_the_contracts() -> None:
    command = [str(PROJECT.venv / "bin" / "lint-imports"), "--no-cache"]
    done = subprocess.run(command, cwd=PROJECT.root, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def uses_of_states(source: str) -> Iterator[tuple[int, str]]:
    """Yield where a page uses a state otherwise than as an `on_load` handler: its sections are for that."""
    tree = ast.parse(source)
    imports = (node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom))
    from_states = (node for node in imports if f"{node.module}.".startswith("broker.state."))
    states = {alias.asname or alias.name for node in from_states for alias in node.names}
    keywords = (node for node in ast.walk(tree) if isinstance(node, ast.keyword) and node.arg == "on_load")
    handlers = {id(inner) for keyword in keywords for inner in ast.walk(keyword.value)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in states and id(node) not in handlers:
            yield node.lineno, node.id


@pytest.mark.parametrize("page", sorted((PROJECT.root / "broker" / "pages").rglob("*.py")), ids=lambda path: path.stem)
def test_page_uses_states_as_on_load_handlers_only(page: Path) -> None:
    assert list(uses_of_states(page.read_text())) == []


def test_other_use_of_a_state_is_found() -> None:
    assert list(uses_of_states("from broker.state.r import R\nR.list\nPage(on_load=(R.load,))")) == [(2, "R")]
