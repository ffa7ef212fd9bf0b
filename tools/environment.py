"""Set up the virtual environment, and with `--tests` what the tests need beside it: tools of npm's and of Debian's.

Standard library only: this runs before anything is installed. Each step is skipped when its stamp matches,
so that a second call costs a fraction of a second.
"""

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tools.project import Project, ToolError, run_tool

RUN = "requirements.txt"
TESTS = "requirements-dev.txt"
LOCK = "requirements.lock"
DEV_LOCK = "requirements-dev.lock"
"""Every package with its hashes, as `make lock` writes them: what the site needs, and what the tests need too."""

SHELL = "chromium-headless-shell"
"""Debian's Chromium without the windows that nobody would see."""

SERVERS = {
    "initdb": ("postgresql", "PostgreSQL"),
    "redis-server": ("redis-server", "Redis"),
    "nginx": ("nginx-light", "nginx"),
    "faketime": ("faketime", "libfaketime"),
}
"""Programs that tests start beside the site, or that set its clock, each with Debian's package and its name."""

BROWSERS = (SHELL, "chromium", "chromium-browser", "google-chrome")


def main() -> None:
    """Set up what `make` needs; `--tests` on the command line adds what the tests need."""
    project = Project()
    for_tests = "--tests" in sys.argv[1:]
    make_venv(project)
    install_packages(project, DEV_LOCK if for_tests else LOCK)
    if for_tests:
        install_browser_tools(project)
        install_chromium()
        install_servers()


def make_venv(project: Project) -> None:
    """Make the virtual environment where there is none, and repair one that was moved; raises ToolError."""
    home = project.venv / ".home"
    if project.python.exists():
        if home.exists() and (before := home.read_text()) != str(project.venv):
            repair_venv(project.venv, before)
        return
    if importlib.util.find_spec("ensurepip") is None:
        raise ToolError("Python's venv module is missing: install it (on Debian: apt-get install python3.11-venv).")
    with timed("Making the virtual environment"):
        command = [sys.executable, "-m", "venv", "--clear", str(project.venv)]
        call(command, problem="The virtual environment was not made.")
    home.write_text(str(project.venv))


def repair_venv(venv: Path, before: str) -> None:
    """Point a virtual environment that was moved or copied at its new place; its packages stay. Raises OSError."""
    say("Repairing the virtual environment, which was moved")
    for file in [*(venv / "bin").iterdir(), venv / "pyvenv.cfg"]:
        content = b"" if file.is_symlink() or not file.is_file() else file.read_bytes()
        if content.startswith(b"#!") or file.name.startswith(("activate", "pyvenv")):
            file.write_bytes(content.replace(before.encode(), str(venv).encode()))
    (venv / ".home").write_text(str(venv))


def install_packages(project: Project, lock: str) -> None:
    """Install the packages of a lock file, unless that was done; raises ToolError."""
    digest = digest_of([project.root / lock])
    stamp = project.venv / f".installed-{lock}"
    if stamp.exists() and stamp.read_text() == digest:
        return
    pip = [str(project.python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input"]
    with timed(f"Installing the Python packages of {lock}"):
        call(
            [*pip, "--require-hashes", "--requirement", str(project.root / lock)],
            problem="The Python packages were not installed: check that a package index can be reached, and try again.",
        )
    stamp.write_text(digest)


def install_browser_tools(project: Project) -> None:
    """Install axe, Lighthouse and cspell by their lock file, unless that was done; raises ToolError."""
    folder = project.browser_tools
    stamp = folder / "node_modules" / ".installed"
    digest = digest_of([folder / "package.json", folder / "package-lock.json"])
    if stamp.exists() and stamp.read_text() == digest:
        return
    npm = str(project.venv / "bin" / "npm")
    with timed("Installing axe, Lighthouse and cspell"):
        call(
            [npm, "ci", "--no-audit", "--no-fund", "--loglevel=error"],
            problem="axe, Lighthouse or cspell was not installed: check that npm's registry can be reached, try again.",
            folder=folder,
            environment=project.environment(),
        )
    stamp.write_text(digest)


def install_chromium() -> None:
    """Install Chromium by apt when there is none; raises ToolError, with what to do, where that cannot be done."""
    if find_chromium():
        return
    if shutil.which("apt-get") is None:
        raise ToolError("The browser tests need Chromium: install it so that `chromium` is on the PATH, and try again.")
    install_by_apt(SHELL, name="Chromium", who="The browser tests need")


def install_servers() -> None:
    """Install by apt those of SERVERS that are missing; raises ToolError, with what to do, where that fails."""
    for program, (package, name) in SERVERS.items():
        if shutil.which(program) or (program == "initdb" and find_postgresql()):
            continue
        if shutil.which("apt-get") is None:
            raise ToolError(f"The tests need {name}: install it so that `{program}` is on the PATH, and try again.")
        install_by_apt(package, name=name, who="The tests need")


def install_by_apt(package: str, *, name: str, who: str) -> None:
    """Install one of Debian's packages; raises ToolError, with what to do, where that cannot be done."""
    if os.geteuid() != 0:
        raise ToolError(f"{who} {name}: run `sudo apt-get install {package}`, and try again.")
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    advice = f"{name} was not installed: run `apt-get update && apt-get install {package}`, and try again."
    install = ["apt-get", "install", "--yes", "--quiet=2", "--no-install-recommends", package]
    with timed(f"Installing {name}"):
        call(["apt-get", "update", "--quiet=2"], problem=advice, environment=quiet)
        call(install, problem=advice, environment=quiet)


def find_chromium() -> str | None:
    """Return the path of an installed Chromium, or None."""
    return next((path for name in BROWSERS if (path := shutil.which(name))), None)


def find_postgresql() -> Path | None:
    """Return the folder of an installed PostgreSQL's programs, the newest one's, or None; Debian keeps them apart."""
    if found := shutil.which("initdb"):
        return Path(found).parent
    versions = Path("/usr/lib/postgresql").glob("*/bin/initdb")
    newest = max(versions, key=lambda path: float(path.parent.parent.name), default=None)
    return newest.parent if newest else None


def digest_of(files: Sequence[Path]) -> str:
    """Return one digest of some files; a missing one counts as empty."""
    contents = (path.read_bytes() if path.exists() else b"" for path in files)
    return hashlib.sha256(b"\0".join(contents)).hexdigest()


def say(what: str) -> None:
    """Print what is being done, at once."""
    print(f"{what} ...", flush=True)


@contextmanager
def timed(what: str) -> Iterator[None]:
    """Print what is being done, and at the end in how many seconds it was."""
    say(what)
    began = time.monotonic()
    yield
    print(f"    {time.monotonic() - began:.0f} s", flush=True)


def call(
    command: Sequence[str], *, problem: str, folder: Path | None = None, environment: dict[str, str] | None = None
) -> None:
    """Run a command without a keyboard; raises ToolError with `problem` when it fails or is not there."""
    try:
        done = subprocess.run(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, check=False)
    except FileNotFoundError as error:
        raise ToolError(f"{problem} ({Path(command[0]).name} is missing)") from error
    if done.returncode != 0:
        raise ToolError(problem)


if __name__ == "__main__":
    run_tool(main)
