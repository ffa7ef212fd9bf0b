"""Setting up the virtual environment."""

from pathlib import Path

import pytest

from tools import environment
from tools.environment import install_packages, make_venv
from tools.project import Project, ToolError


def shipped(tmp_path: Path) -> Project:
    project = Project(root=tmp_path)
    (project.venv / "bin").mkdir(parents=True)
    (project.venv / ".home").write_text("/old/.venv")
    (project.venv / "pyvenv.cfg").write_text("command = python -m venv /old/.venv\n")
    project.python.write_bytes(b"\x7fELF /old/.venv")
    (project.venv / "bin" / "npm").write_text("#!/old/.venv/bin/python\n")
    return project


def test_moved_environment_is_repaired_and_keeps_its_packages(tmp_path: Path) -> None:
    project = shipped(tmp_path)
    package = project.venv / "lib" / "package.py"
    package.parent.mkdir()
    package.write_text("kept")
    make_venv(project)
    assert package.read_text() == "kept"
    assert (project.venv / "bin" / "npm").read_text() == f"#!{project.python}\n"
    assert (project.venv / "pyvenv.cfg").read_text() == f"command = python -m venv {project.venv}\n"
    assert project.python.read_bytes() == b"\x7fELF /old/.venv"


def test_packages_are_installed_by_hash_until_it_succeeds_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ToolError("no index")

    project, calls = shipped(tmp_path), []
    (tmp_path / "requirements.lock").write_text("one==1")
    monkeypatch.setattr(environment, "call", fail)
    for _ in range(2):
        with pytest.raises(ToolError):
            install_packages(project, "requirements.lock")
    monkeypatch.setattr(environment, "call", lambda command, **_: calls.append(command))
    install_packages(project, "requirements.lock")
    install_packages(project, "requirements.lock")
    assert [("--require-hashes" in command) for command in calls] == [True]
