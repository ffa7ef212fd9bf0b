"""Lenders' logos at the edge: pictures under names that change with them, and the addresses that pages name.

A page is built once and names `/art/lender-{slug}.svg`. Where staff or the feed have a logo the answer leads to it,
else it is the drawn mark itself; browsers ask again after a minute, so that a new logo needs no new build. The logo
itself is under a name of its own that changes with its bytes, and browsers keep it for ever; older versions go on
answering.
"""

from __future__ import annotations

from dataclasses import replace

from starlette.datastructures import Headers
from starlette.types import Scope

from broker.domain.enquiries.stored_records import StorageError
from broker.domain.staff.logos import LOGO_FOLDER
from broker.services.staff.logos.logo_cache import MEDIA_TYPE, LogoCache
from broker.web.serving.edge import file_answer
from broker.web.serving.releases import LiveExport
from broker.web.serving.response import Answer, Handler

CACHED = "public, max-age=31536000, immutable"

SOON = "public, max-age=60"
"""How long a browser goes on with the picture that it was led to."""


def logo_answers(shelf: LogoCache) -> Handler:
    """Return what answers for `/logos/{lender id}-{hash}.png`; None, the error page, for any other name."""

    async def answer(scope: Scope) -> Answer | None:
        name = scope["path"].removeprefix(LOGO_FOLDER)
        tag = f'"{name.partition(".")[0]}"'
        try:
            file = await shelf.file(name)
        except StorageError:
            return Answer(status=503, headers={"cache-control": "no-store", "retry-after": "5"})
        if file is None:
            return None
        headers = {"etag": tag, "cache-control": CACHED, "x-content-type-options": "nosniff"}
        held = {known.strip().removeprefix("W/") for known in Headers(scope=scope).get("if-none-match", "").split(",")}
        if held & {tag, "*"}:
            return Answer(status=304, headers=headers)
        return Answer(status=200, headers={"content-type": MEDIA_TYPE} | headers, body=file.data)

    return answer


def mark_answers(shelf: LogoCache, live: LiveExport) -> dict[str, Handler]:
    """Return what answers for each lender's `/art/lender-{slug}.svg`: the way to its logo, else its drawn mark."""
    ids = {mark: lender_id for lender_id, mark in shelf.directory.marks.items()}

    async def answer(scope: Scope) -> Answer | None:
        path: str = scope["path"]
        if logo := shelf.address(ids[path]):
            return Answer(status=302, headers={"location": logo, "cache-control": SOON})
        drawn = live.export.files.get(path)
        return file_answer(replace(drawn, cache_control=SOON), Headers(scope=scope)) if drawn else None

    return dict.fromkeys(ids, answer)
