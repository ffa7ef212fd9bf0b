"""Pack what a server needs into one file, and nothing else: `make release` writes `.build/site.tar.gz`.

It holds the program, the content and the current release of the pages; no virtual environment, tests, sources of the
build, settings, keys or databases. A server unpacks it, makes a virtual environment of `requirements.lock`, and runs
`python -m tools.serve`.
"""

import tarfile
from pathlib import Path

from broker.server.releases import CURRENT, current_release
from tools.project import Project, ToolError, load_settings, run_tool

NEEDED = (
    *("broker", "tools", "data", "assets", "deploy", "docs"),
    *("rxconfig.py", "requirements.txt", "requirements.lock", "requirements-uv.lock", "Makefile"),
    *("README.md", "CHANGELOG.md", "SECURITY.md", ".env.example", "LICENSE"),
)
"""Files and folders of a checkout that a server needs or its operator reads."""

PACKAGE = "site.tar.gz"

RELEASES = ".build/releases"
"""Where `tools.serve` looks for releases by default."""


def main() -> None:
    """Pack this checkout; raises ToolError if nothing is built."""
    project = Project()
    print(f"Written: {package(project, load_settings().releases_dir).relative_to(project.root)}")


def package(project: Project, releases_dir: Path) -> Path:
    """Pack a checkout with its current release, and return the file; raises ToolError if nothing is built."""
    release = current_release(releases_dir)
    if release is None:
        raise ToolError("Nothing is built yet: run `make build` first.")
    file = project.work / PACKAGE
    with tarfile.open(file, "w:gz") as packed:
        for name in NEEDED:
            packed.add(project.root / name, name, filter=_without_caches)
        packed.add(release.folder, f"{RELEASES}/{release.folder.name}", filter=_without_caches)
        link = tarfile.TarInfo(f"{RELEASES}/{CURRENT}")
        link.type, link.linkname = tarfile.SYMTYPE, release.folder.name
        packed.addfile(link)
    return file


def _without_caches(entry: tarfile.TarInfo) -> tarfile.TarInfo | None:
    """Return an entry owned by root; None for `__pycache__`."""
    if Path(entry.name).name == "__pycache__":
        return None
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = "root"
    return entry


if __name__ == "__main__":
    run_tool(main)
