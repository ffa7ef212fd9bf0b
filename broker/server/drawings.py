"""Drawings of the content and the lenders, made when they are asked for, and the content's pictures.

Their names follow from the data: a lender or a guide that is added has its drawing at once.
"""

import asyncio
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from gzip import compress
from pathlib import Path

from starlette.datastructures import Headers
from starlette.types import Scope

from broker import routes
from broker.components.drawings.door import DOORS, Door, door
from broker.components.drawings.monogram import monogram
from broker.components.drawings.street import guide_scene, skyline
from broker.components.drawings.tiles import tiles
from broker.content.guide_pages import subject_of
from broker.content.guides import GuideSubject
from broker.content.store import ContentStore
from broker.lenders.directory import KnownLender
from broker.server.exported_site import DAY, ExportedFile, hashed_file
from broker.server.rendered_pages import file_answer
from broker.server.response import Answer, Handler

MAX_KEPT = 512
"""Drawings that are kept, each of some 2 kB; the least recently used are dropped."""

CARD, STREET, TILES, DOOR, LENDER = "card", "street", "tiles", "door", "lender"
KINDS = (CARD, STREET, TILES, DOOR, LENDER)

DEFAULT_DOOR = Door(colour="#14525B")
"""Door of a service that the design has none for, in the site's colour."""

_PICTURE = re.compile(r"[\w-]+\.(?:svg|png|jpg|gif|webp)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """A drawing of one of KINDS for the slug of a guide, a town, a service or a lender.

    `detail` is the subject of a guide's card, a lender's name, or the colour of a service that the content chose.
    """

    kind: str
    slug: str
    detail: str = ""

    @property
    def path(self) -> str:
        parts = (self.kind, self.detail, self.slug) if self.kind == CARD else (self.kind, self.slug)
        return f"{routes.ART}{'-'.join(parts)}.svg"


def draw(drawing: Drawing) -> str:
    """Return a drawing as SVG; raises KeyError for an unknown kind."""
    slug, detail = drawing.slug, drawing.detail
    front = DOORS.get(slug, DEFAULT_DOOR)
    ways: Mapping[str, Callable[[], str]] = {
        CARD: lambda: guide_scene(GuideSubject(detail), slug),
        STREET: lambda: skyline(slug),
        TILES: lambda: tiles(slug),
        DOOR: lambda: door(replace(front, colour=detail) if detail else front),
        LENDER: lambda: monogram(detail, slug),
    }
    return ways[drawing.kind]()


@lru_cache(MAX_KEPT)
def _file(drawing: Drawing) -> ExportedFile:
    """Return a drawing as the export has its files: compressed, and cached by browsers for a day."""
    body = compress((draw(drawing) + "\n").encode(), 9, mtime=0)
    return replace(hashed_file(drawing.path, body), is_compressed=True, cache_control=DAY)


def drawing_handler(drawings: Callable[[], Mapping[str, Drawing]]) -> Handler:
    """Return the handler of `/art/*` for the drawings that there are, by path; None for any other path."""

    async def answer(scope: Scope) -> Answer | None:
        drawing = drawings().get(scope["path"])
        return file_answer(_file(drawing), Headers(scope=scope)) if drawing else None

    return answer


def content_picture_handler(folders: Callable[[], tuple[Path, ...]]) -> Handler:
    """Return the handler of `/content-pictures/*`: the file of a name in the first folder that has one.

    A name holds a hash of its bytes, so browsers cache it for a year, and pages of an earlier snapshot have theirs.
    """

    def read(name: str) -> bytes | None:
        file = next((folder / name for folder in folders() if (folder / name).is_file()), None)
        return file.read_bytes() if file else None

    async def answer(scope: Scope) -> Answer | None:
        name = scope["path"].removeprefix(routes.CONTENT_PICTURES)
        if not _PICTURE.fullmatch(name) or (body := await asyncio.to_thread(read, name)) is None:
            return None
        return file_answer(hashed_file(name, body), Headers(scope=scope))

    return answer


def content_drawings(store: ContentStore, lenders: Iterable[KnownLender]) -> dict[str, Drawing]:
    """Return what is drawn for each guide, town and service, and for each lender with a page."""
    doors = dict.fromkeys((*DOORS, *(service.slug for service in store.services())))
    looks = {slug: store.look(slug) for slug in doors}
    drawings = (
        *(Drawing(kind=CARD, slug=guide.url, detail=subject_of(guide)) for guide in store.guides()),
        *(Drawing(kind=kind, slug=town.slug) for town in store.towns() for kind in (STREET, TILES)),
        *(Drawing(kind=DOOR, slug=slug, detail=look.color if look else "") for slug, look in looks.items()),
        *(Drawing(kind=LENDER, slug=lender.slug, detail=lender.name) for lender in lenders if lender.slug),
    )
    return {drawing.path: drawing for drawing in drawings}
