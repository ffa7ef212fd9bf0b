"""Export the site with Reflex: `python -m tools.export`, what `reflex export --no-zip --frontend-only` does, sooner.

Reflex holds the trees of all pages until the last is compiled; Python's collector of cycles would walk these
half a million objects again and again, and find nothing to collect. At the end the process goes without taking them
apart one by one, which lasts longer than drawing them.

Reflex begins every page with a script that chooses between light and dark before anything is drawn: the site is light.
"""

from __future__ import annotations

import gc
import os
import sys

import reflex as rx
from reflex.reflex import cli
from reflex.utils import misc


def no_choice(default_color_mode: str) -> rx.Component:  # noqa: ARG001 - called as the function it stands for
    """Return nothing, where Reflex would return that script."""
    return rx.fragment()


if __name__ == "__main__":
    gc.disable()
    misc.preload_color_theme = no_choice
    try:
        cli(["export", "--no-zip", "--frontend-only"])
    except SystemExit as done:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(done.code if isinstance(done.code, int) else int(done.code is not None))
