"""Write the drawings that the site serves as files: `python -m broker.components.drawings.write`.

The files are part of the repository; a test draws them again and compares.
"""

import csv
import re
from collections.abc import Mapping
from pathlib import Path

from broker.components.drawings import icons
from broker.components.drawings.door import DOORS, door
from broker.components.drawings.guides.scene import guide_scene
from broker.components.drawings.mark import favicon, mark
from broker.components.drawings.monogram import monogram
from broker.components.drawings.questionnaire.cards import CARDS, card
from broker.components.drawings.street import TOWN_KINDS, skyline
from broker.components.drawings.tiles import STAGES, path_tile, tiles
from broker.domain.guide_subjects import GuideSubject

ROOT = Path(__file__).resolve().parents[3]
ART = ROOT / "assets" / "art"
CARD_ART = ART / "questionnaire"
FAVICON = ROOT / "assets" / "favicon.svg"
LENDERS = ROOT / "data" / "market" / "lenders.csv"
GUIDES = ROOT / "data" / "content" / "guides"
TOWNS = ROOT / "data" / "content" / "towns"

PAGES = ("home", "calculators", "rates", "guides", "lost", "thankyou")
"""Pages with a street of their own, by day and at dusk; `lost` is the error page. Services have one by day."""

PATTERNS = ("home", "calculators", "rates", "guides", "lenders", "thankyou")
"""Names of the strips of path tiles; `home` is above the footer."""


_SUBJECT = re.compile(r"^picture: (\w+)$", re.MULTILINE)


def site_art() -> dict[str, str]:
    """Return every drawing by its file name: streets, doors, tiles, marks, and one a lender, town and guide."""
    towns, services = read_slugs(TOWNS), (slug for slug in DOORS if slug not in PAGES)
    return {
        **{f"door-{slug}.svg": door(drawn) for slug, drawn in DOORS.items()},
        **{f"street-{slug}.svg": skyline(slug) for slug in (*PAGES, *services)},
        **{f"street-{slug}-dusk.svg": skyline(slug, dusk=True) for slug in PAGES},
        **{f"street-{slug}.svg": skyline(slug, kinds=TOWN_KINDS) for slug in towns},
        **{f"tiles-{slug}.svg": tiles(slug) for slug in (*PATTERNS, *towns)},
        **{f"path-{stage}.svg": path_tile(stage) for stage in STAGES},
        "mark.svg": mark(),
        "mark-on-dark.svg": mark(on_dark=True),
        "star.svg": icons.star(),
        "icons.svg": icons.row(),
        **{f"lender-{slug}.svg": monogram(name, slug) for name, slug in read_lenders(LENDERS)},
        **{f"card-{subject}-{slug}.svg": guide_scene(subject, slug) for slug, subject in read_subjects(GUIDES).items()},
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


def read_lenders(path: Path) -> tuple[tuple[str, str], ...]:
    """Read the name and slug of every lender of the embedded market; none where there is no such file."""
    if not path.exists():
        return ()
    with path.open(encoding="utf-8", newline="") as lines:
        return tuple((row["name"], row["slug"]) for row in csv.DictReader(lines))


def read_subjects(folder: Path) -> dict[str, GuideSubject]:
    """Return the subject of the picture of each guide in a folder, by slug; those without one are left out."""
    found = ((page.stem, _SUBJECT.search(page.read_text(encoding="utf-8"))) for page in sorted(folder.glob("*.md")))
    return {slug: GuideSubject(named[1]) for slug, named in found if named}


def read_slugs(folder: Path) -> tuple[str, ...]:
    """Return the slugs of the pages in a folder, which are their file names, in order."""
    return tuple(sorted(page.stem for page in folder.glob("*.md")))


if __name__ == "__main__":
    write_art(ART, site_art())
    write_art(CARD_ART, card_art())
    FAVICON.write_text(favicon() + "\n", encoding="utf-8")
