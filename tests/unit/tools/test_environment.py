from collections.abc import Sequence
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tools import environment
from tools.environment import DEV_LOCK, LOCK, UV_LOCK, install_packages, make_venv
from tools.project import Project


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[Sequence[str]]:
    made: list[Sequence[str]] = []
    monkeypatch.setattr(environment, "call", lambda command, **_: made.append(command))
    return made


def project_with(tmp_path: Path, config: str) -> Project:
    project = Project(root=tmp_path)
    project.python.parent.mkdir(parents=True)
    project.python.touch()
    (project.venv / "pyvenv.cfg").write_text(config)
    return project


def test_environment_that_may_be_moved_is_kept(tmp_path: Path, calls: list[Sequence[str]]) -> None:
    make_venv(project_with(tmp_path, "uv = 1\nrelocatable = true\n"))
    assert calls == []


@pytest.mark.parametrize("config", [None, "command = python -m venv /old/.venv\n"], ids=["none", "half made"])
def test_environment_is_made_with_uv_by_hash(tmp_path: Path, calls: list[Sequence[str]], config: str | None) -> None:
    make_venv(Project(root=tmp_path) if config is None else project_with(tmp_path, config))
    venv, uv, relocatable = calls
    assert "--clear" in venv
    assert {"--require-hashes", str(tmp_path / UV_LOCK)} <= set(uv)
    assert "--relocatable" in relocatable


def test_packages_are_installed_by_hash(tmp_path: Path, calls: list[Sequence[str]]) -> None:
    install_packages(Project(root=tmp_path), LOCK)
    (command,) = calls
    assert {"--require-hashes", LOCK} <= set(command)


def test_uv_of_the_environment_is_that_of_the_tests_lock() -> None:
    (uv_lock, dev_lock) = ((Project().root / name).read_text() for name in (UV_LOCK, DEV_LOCK))
    assert uv_lock in dev_lock


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
