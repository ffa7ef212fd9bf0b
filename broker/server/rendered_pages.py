"""Answers with files of the export, and with pages rendered from its templates."""

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
"""Endings of the entity tags of a file's encodings."""


def accepts(encoding: str, accept_encoding: str) -> bool:
    """Return whether an Accept-Encoding header allows an encoding, by name or `*` with a weight above 0."""
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
    """Return the answer with a file, compressed if the client accepts it; 304 for a client that has it."""
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
    """Return the smallest encoding of a file that a client accepts, empty for none, and the bytes in it."""
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
    """Return the answer with a page of the export's template `name`, rendered in a thread."""
    file = await asyncio.to_thread(
        lambda: rendered_file(export.templates.render(name, values), request, site_url=export.site_url)
    )
    return file_answer(file, request, status=status)


def unindexed(answer: Answer) -> Answer:
    """Return an answer with a header against indexing."""
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
    """Renders templates of the current export."""

    live: LiveExport

    def answer(self, name: str, values: Mapping[str, object], *, headers: Headers, status: int = 200) -> Answer:
        """Return the answer with a page for one visitor; 503 in plain text if the export lacks the template."""
        export = self.live.export
        try:
            html = export.templates.render(routes.edge_template(name), values)
        except TemplateNotFound:
            return plain_text(503, "This page is not working just now. Please call us.")
        answer = personal_answer(html, headers, site_url=export.site_url, status=status)
        more = {"retry-after": RETRY_AFTER_SECONDS[status]} if status in RETRY_AFTER_SECONDS else {}
        return replace(answer, headers={**answer.headers, **more})
