"""Finish the exported site after `reflex export`: `python -m broker.server.export.finish [FOLDER] [--without PASS]`.

Each page is rewritten by the page passes, then the site as a whole by the others; `docs/performance.md` has the gain of
each, measured by leaving it out with `--without`. A second run changes nothing.
"""

import json
import os
import re
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Collection, Iterable, Mapping
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from gzip import compress
from itertools import repeat
from pathlib import Path
from shutil import rmtree
from typing import Any

import brotli
from lxml.html import HtmlElement

from broker import routes
from broker.appointments.times_view import PLACE
from broker.markup import page_html, parse_page
from broker.server.export.css import (
    TEXT,
    Sheet,
    inline_critical_css,
    read_sheet,
    stylesheets,
    times_names,
    with_absolute_urls,
    without_fonts,
)
from broker.server.export.scripts import (
    TIMES_SCRIPT,
    add_head_script,
    can_defer_boot,
    defer_boot,
    has_head_script,
    remove_scripts,
)
from broker.server.export.templates import add_calculator_templates, add_search_templates, add_start_data, as_template
from broker.server.paths import template_file
from broker.server.pictures import KINDS
from broker.server.staff.access import is_staff
from broker.settings import ROOT

_NAME = re.compile(rf"{routes.ART}([\w./-]+)")
_DRAWN = re.compile(rf"(?:{'|'.join(KINDS)})-[\w-]+\.svg")


class MissingDrawingError(ValueError):
    """A page shows a drawing that is neither a file nor made at the edge; the message names page and drawing."""


def check_drawings(folder: Path, pages: Mapping[str, Path]) -> None:
    """Check the drawings of `pages` by path; raises MissingDrawingError."""
    for path, file in pages.items():
        page = parse_page(file.read_text(encoding="utf-8"))
        texts = page.xpath("//@*[contains(., $art)] | //style/text()[contains(., $art)]", art=routes.ART)
        for name in {name for text in texts for name in _NAME.findall(text)}:
            if not _DRAWN.fullmatch(name) and not (folder / routes.ART.strip("/") / name).is_file():
                raise MissingDrawingError(f"{path} shows {routes.ART}{name}, which is neither a file nor drawn")


_CLOCK = "//script[@id='_R_']"
"""Script that records the time of the first frame, for the scripts that move content."""


def resolve_suspense(page: HtmlElement) -> None:
    """Replace the placeholder of each suspended boundary by its content.

    React writes the content at the end, with a script that moves it. The page is unchanged if any has another form.
    """
    gaps = {gap.get("id").removeprefix("B:"): gap for gap in page.xpath("//template[starts-with(@id, 'B:')]")}
    sent = {each.get("id").removeprefix("S:"): each for each in page.xpath("//div[@hidden][starts-with(@id, 'S:')]")}
    waiting = {comment for comment in page.xpath("//comment()") if comment.text == "$?"}
    if gaps.keys() != sent.keys() or waiting != {gap.getprevious() for gap in gaps.values()}:
        return
    movers = {number: content.getnext() for number, content in sent.items()}
    if not all(_moves(mover, number) for number, mover in movers.items()):
        return
    for number, gap in gaps.items():
        gap.getprevious().text = "$"
        gap.addnext(sent[number])
        sent[number].drop_tag()
        gap.drop_tree()
        movers[number].drop_tree()
    for clock in page.xpath(_CLOCK):
        clock.drop_tree()


def _moves(element: HtmlElement | None, number: str) -> bool:
    """Return whether an element is the script that moves the content of a boundary."""
    return (
        element is not None
        and element.tag == "script"
        and (element.text or "").endswith(f'$RC("B:{number}","S:{number}")')
    )


_PARAMETER = re.compile(r"\[(\w+)\]")


def _routes_by_path(folder: Path) -> dict[str, Any]:
    """Return the routes of an exported site by path."""
    _, _, manifest = _manifest(next(folder.glob(_MANIFEST)))
    return {route.get("path"): route for route in manifest["routes"].values()}


_MANIFEST = "assets/manifest-*.js"
"""The script with all routes, which every page loads."""


def _manifest(script: Path) -> tuple[str, str, dict[str, Any]]:
    """Return what a manifest is assigned to, what ends its script, and the manifest."""
    start, _, rest = script.read_text(encoding="utf-8").partition("=")
    text = rest.strip().removesuffix(";")
    return f"{start}=", rest[rest.index(text) + len(text) :], json.loads(text)


def _is_unused(name: str, held: Any, route: Mapping[str, Any]) -> bool:
    """Return whether a value of a route changes nothing: React Router takes an absent one as false or empty."""
    return held in (False, []) or (name == "imports" and is_staff(f"/{route.get('path', '')}/"))


def trim_manifest(folder: Path) -> None:
    """Leave out of the routes what no visitor's browser uses: templates, what scripts of staff import, what is false.

    A template has a route only while it is exported, and a page of staff names what it loads in its own HTML. The list
    is 186,618 bytes without this pass and 134,877 with it: 893 of the 6,903 bytes that brotli leaves for each visitor.
    """
    for script in folder.glob(_MANIFEST):
        start, end, manifest = _manifest(script)
        known = {
            identity: {name: held for name, held in route.items() if not _is_unused(name, held, route)}
            for identity, route in manifest["routes"].items()
            if not routes.is_edge_template(route.get("path") or "")
        }
        text = json.dumps(manifest | {"routes": known}, separators=(",", ":"), ensure_ascii=False)
        _write(script, f"{start}{text}{end}".encode())


def at_pattern(html: str, path: str, *, folder: Path) -> str:
    """Return the template of data pages with the start script of the route that draws them in the browser.

    The template has a route only while it is exported; React Router finds that of the address, which is the pattern's.
    """
    pattern = _PARAMETER.sub(r":\1", routes.data_pattern(path)).strip("/")
    if not pattern:
        return html
    known = _routes_by_path(folder)
    own, shown = known[path.strip("/")], known[pattern]
    page = parse_page(html.replace(f'"{own["id"]}"', f'"{shown["id"]}"').replace(own["module"], shown["module"]))
    loaded = page.xpath("//link[@rel='modulepreload']/@href")
    add_start_data(page)
    for address in (each for each in shown["imports"] if each not in loaded):
        page.find("head").append(page.makeelement("link", {"rel": "modulepreload", "href": address}))
    return page_html(page)


PASSES = (
    *("resolve_suspense", "add_head_script", "inline_critical_css", "defer_boot"),
    *("drop_fonts", "trim_manifest", "compress_files"),
)
"""Every pass, in order: the first four rewrite each page, the others the whole site."""

EXPORT = ROOT / ".web" / "build" / "client"
"""Where `reflex export` leaves the site."""

COMPRESSED = frozenset({".html", ".js", ".mjs", ".css", ".svg", ".json", ".txt", ".xml"})
BROTLI = frozenset({".js", ".mjs", ".css"})
"""Suffixes that are also compressed by brotli: scripts and styles, which every visitor loads."""
SIDECARS = frozenset({".gz", ".br", ".zst"})
PAGE = "index.html"
STATIC_NOT_FOUND = "404.html"
"""The error page under the name that static hosts look for."""

MIN_PAGES_PER_PROCESS = 50
"""Below it another process takes longer to start than the pages take."""


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
    """Return the stylesheets that a page waits for, by address; `known` is their cache."""
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
    """Rewrite every page in place, on all cores, and delete the duplicates (`about-us.html`) of `index.html` files.

    Pages that the edge renders become templates, under a name without a URL.
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
    """Delete exported pages at paths of data pages, which the edge renders."""
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
    """Return the passes for a page by name; none for a page that is rewritten already, or has another start script."""
    is_template = routes.is_edge_template(path)
    keeps_scripts = routes.template_keeps_scripts(path)
    is_plain = (is_template and not keeps_scripts) or path == routes.NOT_FOUND
    if has_head_script(page) or not (is_plain or can_defer_boot(page)):
        return {}
    is_filled_with_text = bool(routes.data_pattern(path)) or (is_plain and is_template)
    has_times = page.get_element_by_id(PLACE, None) is not None
    more_names = (TEXT if is_filled_with_text else frozenset()) | (times_names() if has_times else frozenset())
    return {
        "resolve_suspense": resolve_suspense,
        "add_head_script": lambda page: add_head_script(page, *([TIMES_SCRIPT] if is_plain and has_times else [])),
        "inline_critical_css": partial(inline_critical_css, sheets=sheets, more_names=more_names),
        "defer_boot": remove_scripts if is_plain else defer_boot,
    }


def drop_fonts(folder: Path) -> None:
    """Remove the fonts from the stylesheets: every rewritten page declares them."""
    for file in sorted((folder / "assets").glob("*.css")):
        _write(file, without_fonts(file.read_text(encoding="utf-8")).encode())


def compress_files(folder: Path) -> None:
    """Write a reproducible `.gz` of every text file and `.br` of scripts and styles; delete other sidecars."""
    files = {file for file in folder.rglob("*") if file.is_file()}
    wanted = {file.with_name(f"{file.name}.gz"): file for file in files if file.suffix in COMPRESSED}
    wanted |= {file.with_name(f"{file.name}.br"): file for file in files if file.suffix in BROTLI}
    for file in files:
        if file.suffix in SIDECARS and file not in wanted:
            file.unlink()
    with ThreadPoolExecutor() as threads:  # compression releases the GIL
        list(threads.map(_compress, wanted.values(), wanted))


def _compress(file: Path, sidecar: Path) -> None:
    content = file.read_bytes()
    _write(sidecar, brotli.compress(content) if sidecar.suffix == ".br" else compress(content, 9, mtime=0))


def finish(folder: Path, *, without: Collection[str] = ()) -> None:
    """Run every pass of `PASSES` over an exported site, except those in `without`.

    Raises ExportError without a site, and MissingDrawingError.
    """
    rewrite_pages(folder, without=without)
    check_drawings(folder, pages(folder))
    passes: dict[str, Callable[[], None]] = {
        "drop_fonts": lambda: drop_fonts(folder),
        "trim_manifest": lambda: trim_manifest(folder),
        "compress_files": lambda: compress_files(folder),
    }
    # Pages without styles of their own need the fonts of the stylesheet.
    left_out = {*without, "drop_fonts"} if "inline_critical_css" in without else set(without)
    for name, run in passes.items():
        if name not in left_out:
            run()


def main() -> None:
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
