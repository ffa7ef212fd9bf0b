"""Files of the export: what a browser downloads, what they say, and that finishing them again changes nothing."""

import gzip
import re
from pathlib import Path

from broker import routes
from broker.server.export.finish import finish
from tests.integration.reading import script_addresses
from tests.spelling import misspelt, texts_of_pages
from tools.project import Project

MAX_SCRIPT_BYTES = {
    routes.HOME: 211_000,
    routes.guide("porting-your-mortgage"): 183_000,
    routes.lender("halifax"): 220_000,
    routes.RATES: 225_000,
    routes.deals("first-time-buyer"): 197_000,
    routes.SEARCH: 186_000,
    routes.HOW_WE_CALCULATE: 190_000,
    "/questionnaire/q5/": 206_000,
    "/staff/enquiries/": 250_000,  # with the form of a caller, whose widgets Today has too
}
MAX_STYLE_BYTES = 22_000


MAX_OWN_STYLE_BYTES = 8_400
"""Of the styles inside the home page, compressed; the whole stylesheet comes after."""


def test_scripts_and_styles_weigh_no_more_than_they_may(site: Path, html: dict[str, str]) -> None:
    weights = {
        path: sum(size(site / address.lstrip("/")) for address in script_addresses(html[path]))
        for path in MAX_SCRIPT_BYTES
    }
    assert {path: bytes_ for path, bytes_ in weights.items() if bytes_ > MAX_SCRIPT_BYTES[path]} == {}
    assert sum(map(size, (site / "assets").glob("*.css"))) <= MAX_STYLE_BYTES
    styles = re.findall(r"<style data-from=[^>]*>(.*?)</style>", html[routes.HOME], re.DOTALL)
    assert 0 < len(gzip.compress("".join(styles).encode(), 9)) <= MAX_OWN_STYLE_BYTES


def test_export_has_no_radix(site: Path) -> None:
    files = [file for file in site.rglob("*") if file.suffix in {".css", ".js", ".html"}]
    assert [file.name for file in files if re.search(r"radix-themes|@radix-ui", file.read_text("utf-8"))] == []


def size(file: Path) -> int:
    return file.with_name(f"{file.name}.gz").stat().st_size


def test_finishing_the_export_again_changes_nothing(site: Path) -> None:
    files = {file: file.stat().st_mtime_ns for file in site.rglob("*") if file.is_file()}
    finish(site)
    assert {file: file.stat().st_mtime_ns for file in site.rglob("*") if file.is_file()} == files


def test_exported_pages_are_in_british_english(site: Path, project: Project, tmp_path: Path) -> None:
    texts = texts_of_pages(site)
    assert (misspelt(texts, tmp_path, project=project), len(texts) > 100) == ([], True)
