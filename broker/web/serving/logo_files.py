"""Lenders' logos at the edge: image files, and redirects from the URLs in exported pages.

An exported page names `/art/lender-{slug}.svg`. That redirects to the logo from staff or the feed, cached for a minute
so that a new logo needs no build; without a logo it is the drawn mark. The name of a logo's file holds a hash of its
content, so browsers cache it for a year; older versions are still served.
"""

from dataclasses import replace

from starlette.datastructures import Headers
from starlette.types import Scope

from broker.domain.enquiries.stored_records import StorageError
from broker.domain.staff.logos import LOGO_FOLDER
from broker.services.staff.logos.logo_cache import MEDIA_TYPE, LogoCache
from broker.web.serving.file_answers import file_answer
from broker.web.serving.releases import LiveExport
from broker.web.serving.response import Answer, Handler

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


def mark_handlers(logo_cache: LogoCache, live: LiveExport) -> dict[str, Handler]:
    """Return the handler of each lender's `/art/lender-{slug}.svg`: a redirect to its logo, else its drawn mark."""

    async def answer(scope: Scope) -> Answer | None:
        path: str = scope["path"]
        lender = logo_cache.directory.by_mark(path)
        if lender and (logo := logo_cache.address(lender.lender_id)):
            return Answer(status=302, headers={"location": logo, "cache-control": MARK_CACHE_CONTROL})
        drawn = live.export.files.get(path)
        return file_answer(replace(drawn, cache_control=MARK_CACHE_CONTROL), Headers(scope=scope)) if drawn else None

    return dict.fromkeys(logo_cache.directory.marks.values(), answer)
