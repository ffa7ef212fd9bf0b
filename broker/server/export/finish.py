"""Finish the exported site after `reflex export`: `python -m broker.server.export.finish [FOLDER] [--without PASS]`.

Each page goes through the page passes, then the site as a whole through the others; `docs/performance.md` has what
each is worth. Running it again changes nothing. `--without` leaves a pass out, to measure what it is worth.
"""

import os
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Collection, Iterable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from gzip import compress
from itertools import repeat
from pathlib import Path
from shutil import rmtree

import brotli
from lxml.html import HtmlElement

from broker import routes
from broker.markup import page_html, parse_page
from broker.server.export.calculator_templates import add_calculator_templates
from broker.server.export.critical_css import inline_critical_css, stylesheets, with_absolute_urls, without_fonts
from broker.server.export.css_subset import TEXT, Sheet, read_sheet
from broker.server.export.deferred_boot import can_defer_boot, defer_boot
from broker.server.export.edge_templates import as_template
from broker.server.export.head_script import add_head_script, has_head_script
from broker.server.export.missing_drawings import MissingDrawingError, check_drawings
from broker.server.export.remove_scripts import remove_scripts
from broker.server.export.resolve_suspense import resolve_suspense
from broker.server.export.route_manifest import at_pattern
from broker.server.export.search_templates import add_search_templates
from broker.server.paths import template_file
from broker.settings import ROOT

PASSES = ("resolve_suspense", "add_head_script", "inline_critical_css", "defer_boot", "drop_fonts", "compress_files")
"""Every pass, in order: the first four rewrite each page, the others work on the whole site."""

EXPORT = ROOT / ".web" / "build" / "client"
"""Where `reflex export` leaves the site."""

COMPRESSED = frozenset({".html", ".js", ".mjs", ".css", ".svg", ".json", ".txt", ".xml"})
BROTLI = frozenset({".js", ".mjs", ".css"})
"""Scripts and styles, which a visitor loads with the first page; pages are too many to compress them twice."""
SIDECARS = frozenset({".gz", ".br", ".zst"})
PAGE = "index.html"
STATIC_NOT_FOUND = "404.html"
"""The error page under the name that static hosts look for."""

MIN_PAGES_PER_PROCESS = 50
"""Fewer pages are rewritten sooner than another process starts."""


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


def _sheets(page: HtmlElement, folder: Path, known: dict[str, Sheet]) -> dict[str, Sheet]:
    """Return the stylesheets that a page waits for, by address; `known` keeps those read before."""
    waited_for = [address for address in stylesheets(page) if address.startswith("/")]
    for address in waited_for:
        if address not in known:
            css = (folder / address.lstrip("/")).read_text(encoding="utf-8")
            known[address] = read_sheet(with_absolute_urls(css.strip(), address))
    return {address: known[address] for address in waited_for}


def _write(file: Path, content: bytes) -> None:
    """Write a file only where its content changes, so that a second run touches nothing."""
    if not file.exists() or file.read_bytes() != content:
        file.write_bytes(content)


def rewrite_pages(folder: Path, *, without: Collection[str] = ()) -> None:
    """Rewrite every page in place, on all cores, and drop the second copies (`about-us.html`) of `index.html` files.

    Pages that the edge renders become templates at a name without a URL.
    """
    add_calculator_templates(folder)
    add_search_templates(folder)
    drop_data_pages(folder)
    every = list(pages(folder).items())
    count = max(1, min(os.cpu_count() or 1, len(every) // MIN_PAGES_PER_PROCESS))
    if count == 1:
        _rewrite(folder, every, without)
    else:
        with ProcessPoolExecutor(count) as processes:
            shares = (every[first::count] for first in range(count))
            list(processes.map(_rewrite, repeat(folder), shares, repeat(without)))


def drop_data_pages(folder: Path) -> None:
    """Delete what is exported at a path whose page is data: the edge fills a template there."""
    for pattern in routes.DATA_PAGES.values():
        (folder / pattern.strip("/") / PAGE).unlink(missing_ok=True)
        (folder / f"{pattern.strip('/')}.html").unlink(missing_ok=True)


def _rewrite(folder: Path, share: Iterable[tuple[str, Path]], without: Collection[str]) -> None:
    known: dict[str, Sheet] = {}
    for path, file in share:
        html = at_pattern(file.read_text(encoding="utf-8"), path, folder=folder)
        is_template = routes.is_edge_template(path)
        page = parse_page(html)
        passes = page_passes(page, path, sheets=_sheets(page, folder, known))
        run = [change for name, change in passes.items() if name not in without]
        for change in run:
            change(page)
        html = page_html(page) if run else html
        content = (as_template(html, path) if is_template else html).encode()
        if is_template:
            _write(folder / template_file(file.parent.name), content)
            rmtree(file.parent)
        else:
            _write(file, content)
        if path == routes.NOT_FOUND:
            _write(folder / STATIC_NOT_FOUND, content)
        if path != "/":
            file.parent.with_name(f"{file.parent.name}.html").unlink(missing_ok=True)


def page_passes(page: HtmlElement, path: str, *, sheets: dict[str, Sheet]) -> dict[str, Callable[[HtmlElement], None]]:
    """Return the passes for a page by name: none for one that was rewritten before, or that starts in another way."""
    is_template = routes.is_edge_template(path)
    keeps_scripts = routes.template_keeps_scripts(path)
    is_plain = (is_template and not keeps_scripts) or path == routes.NOT_FOUND
    if has_head_script(page) or not (is_plain or can_defer_boot(page)):
        return {}
    is_filled_with_text = bool(routes.data_pattern(path)) or (is_plain and is_template)
    return {
        "resolve_suspense": resolve_suspense,
        "add_head_script": add_head_script,
        "inline_critical_css": partial(
            inline_critical_css, sheets=sheets, more_names=TEXT if is_filled_with_text else frozenset()
        ),
        "defer_boot": remove_scripts if is_plain else defer_boot,
    }


def drop_fonts(folder: Path) -> None:
    """Leave the fonts out of the stylesheets: every page, rewritten by now, carries them."""
    for file in sorted((folder / "assets").glob("*.css")):
        _write(file, without_fonts(file.read_text(encoding="utf-8")).encode())


def compress_files(folder: Path) -> None:
    """Write a `.gz` beside every text file, and a `.br` beside scripts and styles; drop every other sidecar.

    The same text always has the same bytes.
    """
    files = {file for file in folder.rglob("*") if file.is_file()}
    wanted = {file.with_name(f"{file.name}.gz"): file for file in files if file.suffix in COMPRESSED}
    wanted |= {file.with_name(f"{file.name}.br"): file for file in files if file.suffix in BROTLI}
    for file in files:
        if file.suffix in SIDECARS and file not in wanted:
            file.unlink()
    with ThreadPoolExecutor() as threads:  # which is enough: Python lets others work while it compresses
        list(threads.map(_compress, wanted.values(), wanted))


def _compress(file: Path, sidecar: Path) -> None:
    content = file.read_bytes()
    _write(sidecar, brotli.compress(content) if sidecar.suffix == ".br" else compress(content, 9, mtime=0))


def finish(folder: Path, *, without: Collection[str] = ()) -> None:
    """Run every pass of `PASSES` over an exported site but those in `without`.

    Raises ExportError where there is no site, and MissingDrawingError for a drawing that nobody has.
    """
    rewrite_pages(folder, without=without)
    check_drawings(folder, pages(folder))
    passes: dict[str, Callable[[], None]] = {
        "drop_fonts": lambda: drop_fonts(folder),
        "compress_files": lambda: compress_files(folder),
    }
    # Pages without styles of their own need the fonts of the stylesheet.
    left_out = {*without, "drop_fonts"} if "inline_critical_css" in without else set(without)
    for name, run in passes.items():
        if name not in left_out:
            run()


def main() -> None:
    """Finish the folder that the command line names."""
    parser = ArgumentParser(prog="python -m broker.server.export.finish", description="Finish the exported site.")
    parser.add_argument("folder", nargs="?", type=Path, default=EXPORT, help="the exported site, before any pass")
    parser.add_argument("--without", action="append", default=[], choices=PASSES, help="leave a pass out (repeatable)")
    options = parser.parse_args()
    try:
        finish(options.folder, without=options.without)
    except (ExportError, MissingDrawingError) as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
