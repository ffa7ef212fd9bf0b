"""Pages that the edge renders from templates of the export.

Those of searches and calculators keep the scripts of their page, which start from what the edge wrote. All others are
plain HTML: React would look for the page that it exported, and a rendered page holds something else.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, replace

from jinja2 import TemplateNotFound
from starlette.datastructures import Headers, MutableHeaders

from broker import routes
from broker.server.exported_site import Export, ExportedFile, is_notice_closed, page, with_notice_closed
from broker.server.releases import LiveExport
from broker.server.response import Answer, plain_text

BROTLI, GZIP = "br", "gzip"
_TAG_ENDINGS = {BROTLI: "-br", GZIP: "", "": "-plain"}
"""What tells the entity tags of a file's encodings apart."""


def accepts(encoding: str, accept_encoding: str) -> bool:
    """Return whether a client accepts an encoding: named, or covered by `*`, with a weight other than 0."""
    offers = {name.strip(): weight for name, _, weight in (part.partition(";") for part in accept_encoding.split(","))}
    weight = offers.get(encoding, offers.get("*"))
    return weight is not None and _weight(weight) > 0


def _weight(parameter: str) -> float:
    """Return the weight in `q=0.5`: 1 for none, 0 for a malformed one."""
    try:
        return float(parameter.partition("=")[2] or 1)
    except ValueError:
        return 0


def file_answer(file: ExportedFile, request: Headers, *, status: int = 200) -> Answer:
    """Return the answer with a file, compressed if the client accepts that; 304 for a client that has the file."""
    encoding, body = _encoded(file, request.get("accept-encoding", "").lower())
    tag = f'"{file.tag}{_TAG_ENDINGS[encoding] if file.is_compressed else ""}"'
    headers = {
        "content-type": file.media_type,
        "cache-control": file.cache_control,
        "content-security-policy": file.policy,
    }
    if file.is_compressed:
        headers["vary"] = "Accept-Encoding, Cookie" if file.is_page else "Accept-Encoding"
    if encoding:
        headers["content-encoding"] = encoding
    if status != 200 or not file.is_indexed:
        headers["x-robots-tag"] = "noindex"
    if status == 200:
        headers["etag"] = tag
        known = {held.strip().removeprefix("W/") for held in request.get("if-none-match", "").split(",")}
        if known & {tag, "*"}:
            return Answer(status=304, headers=headers)
    return Answer(status=status, headers=headers, body=body)


def _encoded(file: ExportedFile, accept_encoding: str) -> tuple[str, bytes]:
    """Return the smallest encoding of a file that a client accepts, an empty text for none, and its bytes in it."""
    if file.brotli is not None and accepts(BROTLI, accept_encoding):
        return BROTLI, file.brotli
    if file.is_compressed and accepts(GZIP, accept_encoding):
        return GZIP, file.body
    return "", file.plain()


RETRY_AFTER_SECONDS = {503: "60", 429: "3600"}


def rendered_file(html: str, request: Headers, *, site_url: str) -> ExportedFile:
    """Return a page as a file, without the cookie notice for a visitor who closed it."""
    file = page(html, site_url)
    return with_notice_closed(file, site_url) if is_notice_closed(";".join(request.getlist("cookie"))) else file


async def public_answer(
    export: Export, name: str, *, values: Mapping[str, object], request: Headers, status: int = 200
) -> Answer:
    """Return the answer with a page of the export's template `name`.

    Rendering and compressing take milliseconds, for which other requests do not wait.
    """
    file = await asyncio.to_thread(
        lambda: rendered_file(export.templates.render(name, values), request, site_url=export.site_url)
    )
    return file_answer(file, request, status=status)


def unindexed(answer: Answer) -> Answer:
    """Return the answer for an address that search engines are not to list."""
    return replace(answer, headers={**answer.headers, "x-robots-tag": "noindex"})


def personal_answer(html: str, request: Headers, *, site_url: str, status: int = 200) -> Answer:
    """Return the answer with a page for one visitor: never cached, never indexed."""
    unconditional = MutableHeaders(raw=list(request.raw))
    del unconditional["if-none-match"]
    answer = file_answer(rendered_file(html, request, site_url=site_url), unconditional, status=status)
    headers = {name: value for name, value in answer.headers.items() if name != "etag"}
    private = {"cache-control": "no-store", "x-robots-tag": "noindex"}
    return Answer(status=status, headers={**headers, **private}, body=answer.body)


@dataclass(frozen=True, slots=True, kw_only=True)
class RenderedPages:
    """Renders templates of the export that is served now."""

    live: LiveExport

    def answer(self, name: str, values: Mapping[str, object], *, headers: Headers, status: int = 200) -> Answer:
        """Return the answer with a page for one visitor; a plain sentence where the export has no such template."""
        export = self.live.export
        try:
            html = export.templates.render(routes.edge_template(name), values)
        except TemplateNotFound:
            return plain_text(503, "This page is not working just now. Please call us.")
        answer = personal_answer(html, headers, site_url=export.site_url, status=status)
        more = {"retry-after": RETRY_AFTER_SECONDS[status]} if status in RETRY_AFTER_SECONDS else {}
        return replace(answer, headers={**answer.headers, **more})
