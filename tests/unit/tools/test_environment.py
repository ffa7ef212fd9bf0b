"""Setting up the virtual environment."""

from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tools import environment
from tools.environment import DEV_LOCK, LOCK, install_packages, make_venv
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


@pytest.mark.parametrize("lock", [LOCK, DEV_LOCK])
def test_lock_names_the_extras_that_packages_ask_for(lock: str) -> None:
    """Without them pip looks beyond the lock for a package with an extra, and refuses a newer release of it."""
    lines = [line.split(" ")[0] for line in (Project().root / lock).read_text().split("\n") if "==" in line]
    locked = [Requirement(line) for line in lines]
    asked = [
        Requirement(text)
        for package in locked
        if (found := _installed(package.name))
        for text in found.requires or ()
        if (marker := Requirement(text).marker) is None or marker.evaluate({"extra": ",".join(package.extras)})
    ]
    extras = {canonicalize_name(each.name): each.extras for each in locked}
    missing = [str(each) for each in asked if not each.extras <= extras.get(canonicalize_name(each.name), set())]
    assert not missing
    assert any(each.extras for each in asked)


def _installed(name: str) -> metadata.Distribution | None:
    try:
        return metadata.distribution(name)
    except metadata.PackageNotFoundError:  # locked for another system
        return None
