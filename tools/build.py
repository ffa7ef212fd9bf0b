"""Build the site when its sources changed: export it with Reflex, then let `broker.web.export` finish the pages."""

from __future__ import annotations

import fcntl
import hashlib
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from broker.settings import Settings, SettingsError, read_settings
from tools.environment import say
from tools.project import Project, ToolError, run_tool
from tools.socket_address import follow_the_page

SOURCES = ("broker", "assets", "reflex.lock", "rxconfig.py", "requirements.txt", "requirements.lock", "tools/build.py")
"""What an export is made from, beside the data folder and the site's address."""

GENERATED = ("assets/chakra_color_mode_provider.js", "reflex.lock/")
"""What an export may itself write among its sources."""


def main() -> None:
    """Build this checkout."""
    build(Project())


def build(project: Project) -> Path:
    """Return the folder of the exported site, built first when a source changed since; raises ToolError."""
    settings = given_settings()
    stamp = project.work / "stamp"
    with _alone(project):
        before = sources(project, settings)
        if is_built(project) and stamp.exists() and stamp.read_text() == key(before, settings):
            return project.client
        stamp.unlink(missing_ok=True)
        _export(project, settings)
        written = {name: digest for name, digest in sources(project, settings).items() if name.startswith(GENERATED)}
        kept = {name: digest for name, digest in before.items() if not name.startswith(GENERATED)}
        stamp.write_text(key({**kept, **written}, settings))
    return project.client


def is_built(project: Project) -> bool:
    """Tell whether there is an exported site to serve."""
    return (project.client / "index.html").exists()


def given_settings() -> Settings:
    """Return the settings of the environment; raises ToolError with the sentence of a bad one."""
    try:
        return read_settings()
    except SettingsError as error:
        raise ToolError(str(error)) from error


def sources(project: Project, settings: Settings) -> dict[str, str]:
    """Return a digest for each source file, by its path."""
    roots = [*(project.root / name for name in SOURCES), settings.data_dir]
    files = [path for root in roots for path in ([root] if root.is_file() else sorted(root.rglob("*")))]
    return {
        path.relative_to(project.root).as_posix() if path.is_relative_to(project.root) else path.as_posix(): _digest(
            path
        )
        for path in files
        if path.is_file() and "__pycache__" not in path.parts
    }


def key(digests: dict[str, str], settings: Settings) -> str:
    """Return one digest of the sources and of the settings that the pages are built with."""
    lines = [settings.site_url, *(f"{name} {digest}" for name, digest in sorted(digests.items()))]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _export(project: Project, settings: Settings) -> None:
    """Export with Reflex and finish the pages; raises ToolError with the output's place when either fails."""
    say("Building the site (a minute or two the first time)")
    shutil.rmtree(project.client.parent, ignore_errors=True)
    log = project.work / "build.log"
    log.write_text("")
    _step(project, log, arguments=["reflex", "export", "--no-zip", "--frontend-only"], site_url=settings.site_url)
    if not is_built(project):
        raise ToolError(f"Reflex exported no pages; what it said is in {log}.")
    follow_the_page(project.client)
    _step(project, log, arguments=["broker.web.export", str(project.client)], site_url=settings.site_url)


def _step(project: Project, log: Path, *, arguments: list[str], site_url: str) -> None:
    """Run a module of the virtual environment, its output kept in the log; raises ToolError with the log's end."""
    environment = project.environment(REFLEX_API_URL=site_url, BROKER_SITE_URL=site_url)
    with log.open("a") as output:
        done = subprocess.run(
            [str(project.python), "-m", *arguments],
            cwd=project.root,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            check=False,
        )
    if done.returncode != 0:
        end = "\n".join(log.read_text(errors="replace").splitlines()[-40:])
        raise ToolError(f"{end}\n\nThe build stopped in `{arguments[0]}`; the whole output is in {log}.")


@contextmanager
def _alone(project: Project) -> Iterator[None]:
    """Keep other builds of this checkout waiting until this one is done."""
    with (project.work / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


if __name__ == "__main__":
    run_tool(main)
