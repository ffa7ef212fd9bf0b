"""What a visitor's browser downloads for a page: its scripts and stylesheets, compressed."""

from pathlib import Path

from broker import routes
from tests.integration.reading import script_addresses

MAX_SCRIPT_BYTES = {
    routes.HOME: 210_000,
    routes.guide("porting-your-mortgage"): 183_000,
    routes.lender("halifax"): 220_000,
    routes.SEARCH: 186_000,
    "/questionnaire/q5/": 206_000,
    "/staff/enquiries/": 179_000,
}
MAX_STYLE_BYTES = 14_500


def test_scripts_and_styles_weigh_no_more_than_they_may(site: Path, html: dict[str, str]) -> None:
    weights = {
        path: sum(size(site / address.lstrip("/")) for address in script_addresses(html[path]))
        for path in MAX_SCRIPT_BYTES
    }
    assert {path: bytes_ for path, bytes_ in weights.items() if bytes_ > MAX_SCRIPT_BYTES[path]} == {}
    assert sum(map(size, (site / "assets").glob("*.css"))) <= MAX_STYLE_BYTES


def size(file: Path) -> int:
    """Return the compressed bytes of an exported file."""
    return file.with_name(f"{file.name}.gz").stat().st_size
