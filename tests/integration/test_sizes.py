"""What a visitor's browser downloads for a page: its scripts and stylesheets, compressed."""

from __future__ import annotations

import json
import re
from pathlib import Path

from broker import routes

MAX_SCRIPT_BYTES = {
    routes.HOME: 210_000,
    routes.guide("porting-your-mortgage"): 183_000,
    routes.lender("halifax"): 220_000,
    routes.SEARCH: 186_000,
    "/questionnaire/q5/": 206_000,
    "/staff/enquiries/": 179_000,
}
MAX_STYLE_BYTES = 14_500

_MODULES = re.compile(r'deferBoot\((\{"[^<]*\})\)\}\)\(\)</script>')


def test_scripts_and_styles_weigh_no_more_than_they_may(site: Path, html: dict[str, str]) -> None:
    weights = {path: sum(map(size, scripts(site, html[path]))) for path in MAX_SCRIPT_BYTES}
    assert {path: bytes_ for path, bytes_ in weights.items() if bytes_ > MAX_SCRIPT_BYTES[path]} == {}
    assert sum(map(size, (site / "assets").glob("*.css"))) <= MAX_STYLE_BYTES


def size(file: Path) -> int:
    """Return the compressed bytes of an exported file."""
    return file.with_name(f"{file.name}.gz").stat().st_size


def scripts(site: Path, page: str) -> set[Path]:
    """Return the scripts that a page starts with."""
    found = _MODULES.search(page)
    assert found
    modules = json.loads(found[1])
    names = {*modules["shared"], modules["manifest"], *modules["routes"].values(), modules["entry"]}
    return {site / (modules["folder"] + name).lstrip("/") for name in names}
