"""Answers with exported files: compressed where the client takes that, and 304 where it has the file."""

from starlette.datastructures import Headers

from broker.server.exported_site import ExportedFile
from broker.server.response import Answer

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
