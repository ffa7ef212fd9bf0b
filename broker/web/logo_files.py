"""Lenders' logos from the feed, answered from memory; their names change with the picture, so browsers keep them."""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.types import Scope

from broker.services.lenders import LenderDirectory
from broker.services.logo_files import FOLDER
from broker.web.answer import Answer, Handler

CACHED = "public, max-age=31536000, immutable"


def logo_answers(directory: LenderDirectory) -> Handler:
    """Return what answers for `/logos/{lender id}-{hash}.{png|gif|jpg}`; None, the error page, for any other name."""

    async def answer(scope: Scope) -> Answer | None:
        file = directory.logo(scope["path"].removeprefix(FOLDER))
        if file is None:
            return None
        tag = f'"{file.name.partition(".")[0]}"'
        headers = {"etag": tag, "cache-control": CACHED, "x-content-type-options": "nosniff"}
        held = {known.strip().removeprefix("W/") for known in Headers(scope=scope).get("if-none-match", "").split(",")}
        if held & {tag, "*"}:
            return Answer(status=304, headers=headers)
        return Answer(status=200, headers={"content-type": file.media_type} | headers, body=file.data)

    return answer
