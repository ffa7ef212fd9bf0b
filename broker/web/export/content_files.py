"""Pictures of the content, and drawings for its guides and towns that the repository has none for."""

import re
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from broker.components.drawings.door import DOORS, Door, door
from broker.components.drawings.guides.scene import guide_scene
from broker.components.drawings.monogram import monogram
from broker.components.drawings.street import TOWN_KINDS, skyline
from broker.components.drawings.tiles import tiles
from broker.domain.guide_subjects import GuideSubject
from broker.services.content_files import ContentFiles

PICTURES = "content-pictures"
"""Folder of the content's pictures, whose names have a hash of their bytes."""

ART = "art"

DEFAULT_DOOR = Door(colour="#14525B")
"""Door of a service that the design has none for, in the site's colour."""

_SHOWN = re.compile(rf"/((?:{PICTURES}|{ART})/[\w.-]+\.(?:svg|png|jpg|gif|webp))")


class MissingPictureError(ValueError):
    """A page shows a picture that is not in the export; the message names both."""


def add_content_files(folder: Path, pages: Mapping[str, Path], *, files: ContentFiles) -> None:
    """Write the content's pictures into an export, and draw those that `pages`, by path, show without a file.

    Raises MissingPictureError for a picture that can be neither copied nor drawn.
    """
    for name, source in files.pictures.items():
        target = folder / PICTURES / name
        target.parent.mkdir(exist_ok=True)
        if not target.exists():
            shutil.copyfile(source, target)
    for slug, colour in files.colours.items():
        _write(folder / ART / f"door-{slug}.svg", door(replace(DOORS.get(slug, DEFAULT_DOOR), colour=colour)))
    for path, shown in _shown(pages):
        if not (folder / shown).exists():
            _write(folder / shown, _drawn(shown, path, files.lenders))


def _shown(pages: Mapping[str, Path]) -> Iterator[tuple[str, str]]:
    """Yield each picture in the pages once, with the first page that shows it."""
    found: dict[str, str] = {}
    for path, file in pages.items():
        for shown in _SHOWN.findall(file.read_text(encoding="utf-8")):
            found.setdefault(shown, path)
    return ((path, shown) for shown, path in found.items())


def _drawn(shown: str, path: str, lenders: Mapping[str, str]) -> str:
    kind, _, slug = Path(shown).stem.partition("-")
    subject, _, guide = slug.partition("-")  # of a guide's card
    draw = {
        "card": (lambda: guide_scene(GuideSubject(subject), guide)) if subject in set(GuideSubject) else None,
        "street": lambda: skyline(slug, kinds=TOWN_KINDS),
        "tiles": lambda: tiles(slug),
        "door": lambda: door(DEFAULT_DOOR),
        "lender": lambda: monogram(lenders.get(slug, slug.replace("-", " ").title()), slug),
    }.get(kind)
    if not shown.startswith(f"{ART}/") or not shown.endswith(".svg") or draw is None:
        raise MissingPictureError(f"{path} shows /{shown}, which is not there")
    return draw()


def _write(file: Path, drawing: str) -> None:
    text = drawing + "\n"
    if not file.exists() or file.read_text(encoding="utf-8") != text:
        file.write_text(text, encoding="utf-8")
