"""Pictures at the edge: drawings made on request, the content's pictures, and lenders' logos."""

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
from broker.lenders.logos.logo import LOGO_FOLDER
from broker.lenders.logos.logo_cache import MEDIA_TYPE, LogoCache
from broker.server.exported_site import DAY, FOREVER, ExportedFile, hashed_file
from broker.server.rendered_pages import file_answer
from broker.server.response import Answer, Handler
from broker.storage.errors import StorageError

_MAX_CACHED = 512
"""Drawings in the cache, each about 2 kB."""

CARD, STREET, TILES, DOOR, LENDER = "card", "street", "tiles", "door", "lender"
KINDS = (CARD, STREET, TILES, DOOR, LENDER)

DEFAULT_DOOR = Door(colour="#14525B")
"""Door of a service without one in the design, in the site's colour."""

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


@lru_cache(_MAX_CACHED)
def _file(drawing: Drawing) -> ExportedFile:
    """Return a compressed drawing, which browsers cache for a day."""
    body = compress((draw(drawing) + "\n").encode(), 9, mtime=0)
    return replace(hashed_file(drawing.path, body), is_compressed=True, cache_control=DAY)


def drawing_handler(drawings: Callable[[], Mapping[str, Drawing]]) -> Handler:
    """Return the handler of `/art/*` for the current drawings by path; None for any other path."""

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
    """Return the drawings of each guide, town, service, and lender with a page, by path."""
    doors = dict.fromkeys((*DOORS, *(service.slug for service in store.services())))
    looks = {slug: store.look(slug) for slug in doors}
    drawings = (
        *(Drawing(kind=CARD, slug=guide.url, detail=subject_of(guide)) for guide in store.guides()),
        *(Drawing(kind=kind, slug=town.slug) for town in store.towns() for kind in (STREET, TILES)),
        *(Drawing(kind=DOOR, slug=slug, detail=look.color if look else "") for slug, look in looks.items()),
        *(Drawing(kind=LENDER, slug=lender.slug, detail=lender.name) for lender in lenders if lender.slug),
    )
    return {drawing.path: drawing for drawing in drawings}


_MARK_CACHE_CONTROL = "public, max-age=60"


def logo_handler(logo_cache: LogoCache) -> Handler:
    """Return the handler of `/logos/{lender id}-{hash}.png`, cached for a year; None for any other name.

    Older versions of a logo are still served.
    """

    async def answer(scope: Scope) -> Answer | None:
        name = scope["path"].removeprefix(LOGO_FOLDER)
        tag = f'"{name.partition(".")[0]}"'
        try:
            file = await logo_cache.file(name)
        except StorageError:
            return Answer(status=503, headers={"cache-control": "no-store", "retry-after": "5"})
        if file is None:
            return None
        headers = {"etag": tag, "cache-control": FOREVER, "x-content-type-options": "nosniff"}
        known = {each.strip().removeprefix("W/") for each in Headers(scope=scope).get("if-none-match", "").split(",")}
        if known & {tag, "*"}:
            return Answer(status=304, headers=headers)
        return Answer(status=200, headers={"content-type": MEDIA_TYPE} | headers, body=file.data)

    return answer


def mark_handler(logo_cache: LogoCache, drawings: Handler) -> Handler:
    """Return the handler of `/art/lender-*`, which exported pages name: redirect to the logo, or the monogram.

    Either is cached for a minute, so that a new logo is soon seen. `drawings` is the handler of monograms.
    """

    async def answer(scope: Scope) -> Answer | None:
        lender = logo_cache.directory.by_mark(scope["path"])
        if lender and (logo := logo_cache.address(lender.lender_id)):
            return Answer(status=302, headers={"location": logo, "cache-control": _MARK_CACHE_CONTROL})
        mark = await drawings(scope)
        return replace(mark, headers={**mark.headers, "cache-control": _MARK_CACHE_CONTROL}) if mark else None

    return answer
