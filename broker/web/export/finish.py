"""Finish the exported site: `python -m broker.web.export.finish [folder]`, run after every `reflex export`.

Each page is rewritten for its first paint, the error page becomes plain HTML, stylesheets lose the fonts that pages
carry, the scripts' list of pages is packed, sitemap.xml and robots.txt are written, and text files are compressed.
Running it again changes nothing.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from gzip import compress
from itertools import repeat
from pathlib import Path
from shutil import rmtree

from broker import routes
from broker.services.content_files import ContentFiles, content_files
from broker.settings import ROOT, read_settings
from broker.web.export.content_files import MissingPictureError, add_content_files
from broker.web.export.critical_css import (
    MOST,
    inline_critical_css,
    stylesheets,
    with_absolute_urls,
    without_fonts,
    without_scripts,
)
from broker.web.export.css_subset import TEXT, Sheet, read_sheet
from broker.web.export.first_picture import with_first_picture
from broker.web.export.in_two import MIDDLE
from broker.web.export.route_manifest import packed
from broker.web.export.sitemap import entry, robots, sitemap
from broker.web.serving.paths import unfilled_file

EXPORT = ROOT / ".web" / "build" / "client"
"""Where `reflex export` leaves the site."""

COMPRESSED = frozenset({".html", ".js", ".mjs", ".css", ".svg", ".json", ".txt", ".xml"})
SIDECARS = frozenset({".gz", ".br", ".zst"})
PAGE = "index.html"
STATIC_NOT_FOUND = "404.html"
"""The error page under the name that static hosts look for."""


WORTH_A_CORE = 50
"""Pages that are worth the start of another process."""

NO_FILES = ContentFiles()
"""What content of our own brings: nothing, its pictures are drawn and kept with the project."""


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


def _sheets(html: str, folder: Path, known: dict[str, Sheet]) -> dict[str, Sheet]:
    """Return the stylesheets that a page waits for, by address; `known` keeps those read before."""
    waited_for = [address for address in stylesheets(html) if address.startswith("/")]
    for address in waited_for:
        if address not in known:
            css = (folder / address.lstrip("/")).read_text(encoding="utf-8")
            known[address] = read_sheet(with_absolute_urls(css.strip(), address))
    return {address: known[address] for address in waited_for}


def _write(file: Path, content: bytes) -> None:
    """Write a file only where its content changes, so that a second run touches nothing."""
    if not file.exists() or file.read_bytes() != content:
        file.write_bytes(content)


def rewrite_pages(folder: Path) -> None:
    """Rewrite every page in place, and drop the second copies (`about-us.html`) of pages that have a folder.

    Pages that the edge fills are put where no address leads to. Each core rewrites its share.
    """
    every = list(pages(folder).items())
    shares = max(1, min(os.cpu_count() or 1, len(every) // WORTH_A_CORE))
    if shares == 1:
        _rewrite(folder, every)
    else:
        with ProcessPoolExecutor(shares) as cores:
            list(cores.map(_rewrite, repeat(folder), (every[first::shares] for first in range(shares))))


def _rewrite(folder: Path, some: Iterable[tuple[str, Path]]) -> None:
    """Rewrite some pages, each given with its path."""
    known: dict[str, Sheet] = {}
    for path, file in some:
        html = file.read_text(encoding="utf-8")
        is_unfilled = routes.is_unfilled(path)
        sheets = _sheets(html, folder, known)
        if is_unfilled or path == routes.NOT_FOUND:
            content = without_scripts(html, sheets, filled_with=TEXT if is_unfilled else frozenset()).encode()
        else:
            content = _painted(html, sheets, folder)
        if is_unfilled:
            _write(folder / unfilled_file(file.parent.name), content)
            rmtree(file.parent)
        else:
            _write(file, content)
        if path == routes.NOT_FOUND:
            _write(folder / STATIC_NOT_FOUND, content)
        if path != "/":
            file.parent.with_name(f"{file.parent.name}.html").unlink(missing_ok=True)


def _painted(html: str, sheets: Mapping[str, Sheet], folder: Path) -> bytes:
    """Return a page for its first paint; with its first drawing inside where all its styles have room beside it."""

    def read(address: str) -> str:
        file = folder / address.lstrip("/")
        return file.read_text(encoding="utf-8") if file.exists() else ""

    page = inline_critical_css(with_first_picture(html, read), sheets)
    has_room = len(page.encode()) <= MOST and MIDDLE not in page
    return (page if has_room else inline_critical_css(html, sheets)).encode()


def drop_fonts(folder: Path) -> None:
    """Leave the fonts out of the stylesheets: every page, rewritten by now, carries them."""
    for file in sorted((folder / "assets").glob("*.css")):
        _write(file, without_fonts(file.read_text(encoding="utf-8")).encode())


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
    with ThreadPoolExecutor() as threads:  # which is enough: Python lets others work while it compresses
        list(threads.map(_compress, wanted.values(), wanted))


def _compress(file: Path, sidecar: Path) -> None:
    _write(sidecar, compress(file.read_bytes(), 9, mtime=0))


def finish(folder: Path, site_url: str, *, files: ContentFiles = NO_FILES) -> None:
    """Do everything that an exported site still needs, with the `files` of its content.

    Raises ExportError where there is no site, and MissingPictureError for a picture that is nowhere.
    """
    rewrite_pages(folder)
    drop_fonts(folder)
    add_content_files(folder, pages(folder), files=files)
    pack_route_manifest(folder)
    write_sitemap(folder, site_url)
    compress_files(folder)


if __name__ == "__main__":
    try:
        settings = read_settings()
        folder = Path(sys.argv[1]) if len(sys.argv) > 1 else EXPORT
        finish(folder, settings.site_url, files=content_files(settings))
    except (ExportError, MissingPictureError) as error:
        sys.exit(str(error))
