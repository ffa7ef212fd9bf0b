"""Finish the exported site: `python -m broker.web.export [folder]`, run after every `reflex export`.

Each page is rewritten for its first paint, the error page becomes plain HTML, the scripts' list of pages is packed,
sitemap.xml and robots.txt are written, and text files are compressed. Running it again changes nothing.
"""

from __future__ import annotations

import sys
from gzip import compress
from pathlib import Path

from broker import routes
from broker.settings import ROOT, read_settings
from broker.web.first_paint import paint_first, stylesheets, with_absolute_urls, without_scripts
from broker.web.route_manifest import packed
from broker.web.sitemap import entry, robots, sitemap

EXPORT = ROOT / ".web" / "build" / "client"
"""Where `reflex export` leaves the site."""

COMPRESSED = frozenset({".html", ".js", ".mjs", ".css", ".svg", ".json", ".txt", ".xml"})
SIDECARS = frozenset({".gz", ".br", ".zst"})
PAGE = "index.html"
STATIC_NOT_FOUND = "404.html"
"""The error page under the name that static hosts look for."""


class ExportError(RuntimeError):
    """An export that cannot be finished; the message says what is missing."""


def page_path(file: Path, folder: Path) -> str:
    """Return the path of the page that an `index.html` holds: `/` or `/about-us/`."""
    parent = file.parent.relative_to(folder).as_posix()
    return "/" if parent == "." else f"/{parent}/"


def pages(folder: Path) -> dict[str, Path]:
    """Return the exported pages by path; raises ExportError where there is none at `/`."""
    found = {page_path(file, folder): file for file in sorted(folder.rglob(PAGE))}
    if "/" not in found:
        raise ExportError(f"No exported site in {folder}: run `reflex export` first")
    return found


def _styles(html: str, folder: Path, known: dict[str, str]) -> dict[str, str]:
    """Return the text of each stylesheet a page waits for, by its address; `known` keeps those read before."""
    for address in stylesheets(html):
        if address.startswith("/") and address not in known:
            css = (folder / address.lstrip("/")).read_text(encoding="utf-8")
            known[address] = with_absolute_urls(css.strip(), address)
    return {address: known[address] for address in stylesheets(html) if address in known}


def _write(file: Path, content: bytes) -> None:
    """Write a file only where its content changes, so that a second run touches nothing."""
    if not file.exists() or file.read_bytes() != content:
        file.write_bytes(content)


def rewrite_pages(folder: Path) -> None:
    """Rewrite every page in place, and drop the second copies (`about-us.html`) of pages that have a folder."""
    known: dict[str, str] = {}
    for path, file in pages(folder).items():
        html = file.read_text(encoding="utf-8")
        rewritten = without_scripts if path == routes.NOT_FOUND else paint_first
        content = rewritten(html, _styles(html, folder, known)).encode()
        _write(file, content)
        if path == routes.NOT_FOUND:
            _write(folder / STATIC_NOT_FOUND, content)
        if path != "/":
            file.parent.with_name(f"{file.parent.name}.html").unlink(missing_ok=True)


def pack_route_manifest(folder: Path) -> None:
    """Pack the list of pages that the scripts of every page load."""
    for file in sorted((folder / "assets").glob("manifest-*.js")):
        _write(file, packed(file.read_text(encoding="utf-8")).encode())


def write_sitemap(folder: Path, site_url: str) -> None:
    """Write sitemap.xml and robots.txt from the canonical link, robots and modified metas of each page."""
    found = (entry(file.read_text(encoding="utf-8"), path) for path, file in pages(folder).items())
    _write(folder / "sitemap.xml", sitemap(one for one in found if one).encode())
    _write(folder / "robots.txt", robots(site_url).encode())


def compress_files(folder: Path) -> None:
    """Write a `.gz` beside every text file, always the same bytes for the same text, and drop every other sidecar."""
    files = {file for file in folder.rglob("*") if file.is_file()}
    wanted = {file.with_name(f"{file.name}.gz"): file for file in files if file.suffix in COMPRESSED}
    for file in files:
        if file.suffix in SIDECARS and file not in wanted:
            file.unlink()
    for sidecar, file in wanted.items():
        _write(sidecar, compress(file.read_bytes(), 9, mtime=0))


def finish(folder: Path, site_url: str) -> None:
    """Do everything that an exported site still needs; raises ExportError where there is none."""
    rewrite_pages(folder)
    pack_route_manifest(folder)
    write_sitemap(folder, site_url)
    compress_files(folder)


if __name__ == "__main__":
    try:
        finish(Path(sys.argv[1]) if len(sys.argv) > 1 else EXPORT, read_settings().site_url)
    except ExportError as error:
        sys.exit(str(error))
