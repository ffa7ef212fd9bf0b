"""Lenders' logos at the edge: image files, and redirects from the URLs in exported pages.

A page names `/art/lender-{slug}.svg`. That redirects to the logo from staff or the feed, cached for a minute so that a
new logo is seen soon; without a logo it is the drawn mark. The name of a logo's file holds a hash of its
content, so browsers cache it for a year; older versions are still served.
"""

from dataclasses import replace

from starlette.datastructures import Headers
from starlette.types import Scope

from broker.lenders.logos.logo import LOGO_FOLDER
from broker.lenders.logos.logo_cache import MEDIA_TYPE, LogoCache
from broker.server.response import Answer, Handler
from broker.storage.errors import StorageError

LOGO_CACHE_CONTROL = "public, max-age=31536000, immutable"

MARK_CACHE_CONTROL = "public, max-age=60"


def logo_handler(logo_cache: LogoCache) -> Handler:
    """Return the handler of `/logos/{lender id}-{hash}.png`; None, the error page, for any other name."""

    async def answer(scope: Scope) -> Answer | None:
        name = scope["path"].removeprefix(LOGO_FOLDER)
        tag = f'"{name.partition(".")[0]}"'
        try:
            file = await logo_cache.file(name)
        except StorageError:
            return Answer(status=503, headers={"cache-control": "no-store", "retry-after": "5"})
        if file is None:
            return None
        headers = {"etag": tag, "cache-control": LOGO_CACHE_CONTROL, "x-content-type-options": "nosniff"}
        known = {each.strip().removeprefix("W/") for each in Headers(scope=scope).get("if-none-match", "").split(",")}
        if known & {tag, "*"}:
            return Answer(status=304, headers=headers)
        return Answer(status=200, headers={"content-type": MEDIA_TYPE} | headers, body=file.data)

    return answer


def mark_handler(logo_cache: LogoCache, drawn: Handler) -> Handler:
    """Return the handler of `/art/lender-*`: a redirect to the logo of a lender, else its mark, which `drawn` has."""

    async def answer(scope: Scope) -> Answer | None:
        lender = logo_cache.directory.by_mark(scope["path"])
        if lender and (logo := logo_cache.address(lender.lender_id)):
            return Answer(status=302, headers={"location": logo, "cache-control": MARK_CACHE_CONTROL})
        mark = await drawn(scope)
        return replace(mark, headers={**mark.headers, "cache-control": MARK_CACHE_CONTROL}) if mark else None

    return answer
