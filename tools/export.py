"""Export the site with Reflex: `python -m tools.export`, what `reflex export --no-zip --frontend-only` does, sooner.

Reflex holds the trees of all pages until the last is compiled; Python's collector of cycles would walk these
half a million objects again and again, and find nothing to collect. At the end the process goes without taking them
apart one by one, which lasts longer than drawing them.

React Router parses and prints every route module several times over, in JavaScript, once for the browser and once for
the drawing: two fifths of what the bundler takes. Each page is therefore a module beside, and its route only names it.

Reflex begins every page with a script that chooses between light and dark before anything is drawn: the site is light.

It copies `assets/` over the copy of the last export, and leaves what is no longer there; so that copy is deleted first.
"""

import gc
import os
import sys
from pathlib import Path
from shutil import rmtree

import reflex as rx
from reflex.reflex import cli
from reflex.utils import build, misc
from reflex.utils.prerequisites import get_web_dir
from reflex_base.constants.base import Dirs

DRAWN = "pages"
"""The folder of the modules that draw pages, beside the one of their routes."""

bundle = build.build


def part_routes(app: Path) -> None:
    """Move every module in `routes` of an app's folder to `pages`, and leave a route that only names it.

    A module has nothing to export but its page: React Router wants whatever else it may name in the route itself.
    """
    pages = app / DRAWN
    pages.mkdir(exist_ok=True)
    for route in sorted((app / "routes").glob("*.jsx")):
        route.replace(pages / route.name)
        route.write_text(f'import Page from "../{DRAWN}/{route.name}"\n\nexport default Page\n', encoding="utf-8")


def bundle_parted() -> None:
    """Bundle what Reflex has just compiled, its routes parted from their pages."""
    part_routes(get_web_dir() / "app")
    bundle()


def no_choice(default_color_mode: str) -> rx.Component:  # noqa: ARG001 - called as the function it stands for
    """Return nothing, where Reflex would return that script."""
    return rx.fragment()


if __name__ == "__main__":
    gc.disable()
    rmtree(get_web_dir() / Dirs.PUBLIC, ignore_errors=True)
    misc.preload_color_theme = no_choice
    build.build = bundle_parted
    try:
        cli(["export", "--no-zip", "--frontend-only"])
    except SystemExit as done:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(done.code if isinstance(done.code, int) else int(done.code is not None))
