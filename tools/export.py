"""Export the site with Reflex: `python -m tools.export`, what `reflex export --no-zip --frontend-only` does, sooner.

Reflex holds the trees of all pages until the last is compiled; Python's collector of cycles would walk these
half a million objects again and again, and find nothing to collect.
"""

from __future__ import annotations

import gc

from reflex.reflex import cli

if __name__ == "__main__":
    gc.disable()
    cli(["export", "--no-zip", "--frontend-only"])
