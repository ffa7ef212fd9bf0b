"""Set up the virtual environment, and with `--tests` the tests' packages from npm and Debian.

Standard library only: it runs before anything is installed. It installs only what is missing. uv installs the packages,
from UV_DEFAULT_INDEX or PyPI.
"""

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

LOCK, DEV_LOCK, UV_LOCK = "requirements.lock", "requirements-dev.lock", "requirements-uv.lock"
"""Packages with their hashes, as `make lock` writes them: the site's, the site's and the tests', and uv alone."""

INDEX_SECONDS = "180"
"""Timeout of uv for the package index."""

UNREACHED = "The Python packages were not installed: check that a package index can be reached, and try again."

SHELL = "chromium-headless-shell"
"""Debian's Chromium without windows."""

SERVERS = {
    "initdb": ("postgresql", "PostgreSQL"),
    "redis-server": ("redis-server", "Redis"),
    "nginx": ("nginx-light", "nginx"),
    "faketime": ("faketime", "libfaketime"),
}
"""Programs for tests, each with Debian's package and its name."""

BROWSERS = (SHELL, "chromium", "chromium-browser", "google-chrome")


def main() -> None:
    """Set up what `make` needs; `--tests` adds what the tests need."""
    project = Project()
    for_tests = "--tests" in sys.argv[1:]
    make_venv(project)
    install_packages(project, DEV_LOCK if for_tests else LOCK)
    if for_tests:
        install_browser_tools(project)
        install_chromium()
        install_servers()


def make_venv(project: Project) -> None:
    """Make a relocatable virtual environment with uv, unless there is one; raises ToolError."""
    config = project.venv / "pyvenv.cfg"
    if project.python.exists() and "relocatable = true" in config.read_text():
        return
    if importlib.util.find_spec("ensurepip") is None:
        raise ToolError("Python's venv module is missing: install it (on Debian: apt-get install python3.11-venv).")
    pip = [str(project.python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input"]
    uv = [str(project.venv / "bin" / "uv"), "venv", "--quiet", "--allow-existing", "--relocatable"]
    problem = "The virtual environment was not made."
    with timed("Making the virtual environment"):
        call([sys.executable, "-m", "venv", "--clear", str(project.venv)], problem=problem)
        call([*pip, "--require-hashes", "--requirement", str(project.root / UV_LOCK)], problem=UNREACHED)
        call([*uv, "--python", str(project.python), str(project.venv)], problem=problem)


def install_packages(project: Project, lock: str) -> None:
    """Install the missing packages of a lock file; raises ToolError."""
    uv = [str(project.venv / "bin" / "uv"), "pip", "install", "--require-hashes", "--system-certs"]
    call(
        [*uv, "--requirement", lock],
        problem=UNREACHED,
        folder=project.root,
        environment={"UV_HTTP_TIMEOUT": INDEX_SECONDS, **os.environ, "VIRTUAL_ENV": str(project.venv)},
    )


def install_browser_tools(project: Project) -> None:
    """Install axe, Lighthouse and cspell if their lock file has changed; raises ToolError."""
    folder = project.browser_tools
    lock, installed = folder / "package-lock.json", folder / "node_modules" / ".installed"
    if installed.exists() and installed.read_bytes() == lock.read_bytes():
        return
    npm = str(project.venv / "bin" / "npm")
    with timed("Installing axe, Lighthouse and cspell"):
        call(
            [npm, "ci", "--no-audit", "--no-fund", "--loglevel=error"],
            problem="axe, Lighthouse or cspell was not installed: check that npm's registry can be reached, try again.",
            folder=folder,
            environment=project.environment(),
        )
    shutil.copyfile(lock, installed)


def install_chromium() -> None:
    """Install Chromium by apt if there is none; raises ToolError."""
    if find_chromium():
        return
    if shutil.which("apt-get") is None:
        raise ToolError("The browser tests need Chromium: install it so that `chromium` is on the PATH, and try again.")
    install_by_apt(SHELL, name="Chromium", who="The browser tests need")


def install_servers() -> None:
    """Install the missing programs of SERVERS by apt; raises ToolError."""
    for program, (package, name) in SERVERS.items():
        if shutil.which(program) or (program == "initdb" and find_postgresql()):
            continue
        if shutil.which("apt-get") is None:
            raise ToolError(f"The tests need {name}: install it so that `{program}` is on the PATH, and try again.")
        install_by_apt(package, name=name, who="The tests need")


def install_by_apt(package: str, *, name: str, who: str) -> None:
    """Install one of Debian's packages; raises ToolError."""
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
    """Return the folder of the newest installed PostgreSQL's programs, which Debian has off the PATH, or None."""
    if found := shutil.which("initdb"):
        return Path(found).parent
    versions = Path("/usr/lib/postgresql").glob("*/bin/initdb")
    newest = max(versions, key=lambda path: float(path.parent.parent.name), default=None)
    return newest.parent if newest else None


def say(what: str) -> None:
    """Print the start of a step."""
    print(f"{what} ...", flush=True)


@contextmanager
def timed(what: str) -> Iterator[None]:
    """Print the start of a step, and its seconds at the end."""
    say(what)
    started = time.monotonic()
    yield
    print(f"    {time.monotonic() - started:.0f} s", flush=True)


def call(
    command: Sequence[str], *, problem: str, folder: Path | None = None, environment: dict[str, str] | None = None
) -> None:
    """Run a command without input; raises ToolError with `problem` if it fails or is missing."""
    try:
        done = subprocess.run(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, check=False)
    except FileNotFoundError as error:
        raise ToolError(f"{problem} ({Path(command[0]).name} is missing)") from error
    if done.returncode != 0:
        raise ToolError(problem)


if __name__ == "__main__":
    run_tool(main)
