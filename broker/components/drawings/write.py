"""Write the drawings that the site serves as files: `python -m broker.components.drawings.write`.

The files are part of the repository; a test draws them again and compares. Those of guides, towns, services and lenders
are no files: the edge draws them when they are asked for (`web.serving.drawings`).
"""

from collections.abc import Mapping
from pathlib import Path

from broker.components.drawings import icons
from broker.components.drawings.door import DOORS
from broker.components.drawings.mark import favicon, mark
from broker.components.drawings.questionnaire.cards import CARDS, card
from broker.components.drawings.street import skyline
from broker.components.drawings.tiles import STAGES, path_tile, tiles

ROOT = Path(__file__).resolve().parents[3]
ART = ROOT / "assets" / "art"
CARD_ART = ART / "questionnaire"
FAVICON = ROOT / "assets" / "favicon.svg"

PAGES = ("home", "calculators", "rates", "guides", "lost", "thankyou")
"""Pages with a street of their own, by day and at dusk; `lost` is the error page. Services have one by day."""

PATTERNS = ("home", "calculators", "rates", "guides", "lenders", "thankyou")
"""Names of the strips of path tiles; `home` is above the footer."""


def site_art() -> dict[str, str]:
    """Return every drawing by its file name: streets and tiles of pages in code, and marks."""
    services = (slug for slug in DOORS if slug not in PAGES)
    return {
        **{f"street-{slug}.svg": skyline(slug) for slug in (*PAGES, *services)},
        **{f"street-{slug}-dusk.svg": skyline(slug, dusk=True) for slug in PAGES},
        **{f"tiles-{slug}.svg": tiles(slug) for slug in PATTERNS},
        **{f"path-{stage}.svg": path_tile(stage) for stage in STAGES},
        "mark.svg": mark(),
        "mark-on-dark.svg": mark(on_dark=True),
        "star.svg": icons.star(),
        "icons.svg": icons.row(),
    }


def card_art() -> dict[str, str]:
    """Return the drawings of the questionnaire's cards by file name, for a folder of their own."""
    return {f"{name}.svg": card(name) for name in CARDS}


def write_art(folder: Path, drawings: Mapping[str, str]) -> None:
    """Write the drawings into a folder, and remove every other drawing there."""
    folder.mkdir(parents=True, exist_ok=True)
    for stale in folder.glob("*.svg"):
        if stale.name not in drawings:
            stale.unlink()
    for name, drawing in drawings.items():
        (folder / name).write_text(drawing + "\n", encoding="utf-8")


if __name__ == "__main__":
    write_art(ART, site_art())
    write_art(CARD_ART, card_art())
    FAVICON.write_text(favicon() + "\n", encoding="utf-8")
