"""The exported site in memory, and the cookie notice on its pages."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from gzip import compress, decompress
from hashlib import sha256
from mimetypes import guess_type
from pathlib import Path

from markupsafe import Markup

from broker import routes
from broker.markup import is_indexed, parse_page, script_hashes
from broker.server.paths import template_slug
from broker.server.response import NO_PAGE_POLICY, page_policy
from broker.server.templating import Templates

NO_CACHE = "no-cache"
FOREVER = "public, max-age=31536000, immutable"
DAY = "public, max-age=86400"

HTML = "text/html; charset=utf-8"
MEDIA_TYPES = {
    ".html": HTML,
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".txt": "text/plain; charset=utf-8",
    ".xml": "application/xml",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
    ".webp": "image/webp",
    ".avif": "image/avif",
    ".webmanifest": "application/manifest+json",
}
HASHED = "/assets/"
"""Folder of the files whose names have a hash of their content."""
UNSERVED = frozenset({".html", ".gz", ".br", ".zst"})
"""Suffixes without a path of their own: pages are served at their folder, compressed copies instead of the file."""

_NOTICE_COOKIE = "cookie_notice"
NOTICE_ACCEPTED = "accepted"
_NOTICE_SECONDS = 100 * 24 * 60 * 60
"""Lifetime of the cookie that stores that a visitor closed the cookie notice (specification 1, decision 20)."""

NOTICE_ATTRIBUTE = "data-cookie-notice"
"""Attribute of the root element that hides the notice before the first paint."""

_CLOSED_HTML_TAG = Markup('<html {}="{}"').format(NOTICE_ATTRIBUTE, NOTICE_ACCEPTED)
_BARE_NOT_FOUND = (
    "<!doctype html><html lang='en-GB'><title>Page not found</title><h1>Page not found</h1><a href='/'>Home</a>"
)
"""The error page of an export that has none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportedFile:
    """A file: its bytes, compressed by gzip if `is_compressed`, and the values of its headers.

    `brotli` has the bytes in that encoding, None if the build wrote none. A client without gzip gets `plain`.
    """

    body: bytes
    is_compressed: bool
    tag: str
    media_type: str
    cache_control: str
    policy: str
    is_indexed: bool = True
    brotli: bytes | None = None

    @property
    def is_page(self) -> bool:
        """Whether this is HTML, which differs for a visitor who closed the cookie notice."""
        return self.media_type == HTML

    def plain(self) -> bytes:
        return decompress(self.body) if self.is_compressed else self.body


@dataclass(frozen=True, slots=True, kw_only=True)
class Export:
    """Every file of the site by path, the error page, and the templates by slug.

    All of it is read at once, so that a release is served entirely or not at all.
    """

    files: dict[str, ExportedFile]
    not_found: ExportedFile
    site_url: str
    templates: Templates = field(default_factory=lambda: Templates({}))
    _closed: dict[str, ExportedFile] = field(default_factory=dict, repr=False)

    @classmethod
    def empty(cls, site_url: str) -> Export:
        return cls(files={}, not_found=page(_BARE_NOT_FOUND, site_url), site_url=site_url)

    def closed(self, page: ExportedFile) -> ExportedFile:
        """Return a page with the cookie notice closed, cached after its first request."""
        if page.tag not in self._closed:
            self._closed[page.tag] = with_notice_closed(page, self.site_url)
        return self._closed[page.tag]


def page(html: str, site_url: str, *, compressed: bytes | None = None) -> ExportedFile:
    """Return a page; `compressed` is its HTML from the build, compressed here by default."""
    body = compressed or compress(html.encode(), 6, mtime=0)
    root = parse_page(html)
    return ExportedFile(
        body=body,
        is_compressed=True,
        tag=_tag(body),
        media_type=HTML,
        cache_control=NO_CACHE,
        policy=page_policy(script_hashes(root), site_url),
        is_indexed=is_indexed(root),
    )


def data_file(data: bytes) -> ExportedFile:
    """Return a file of JSON, which is not indexed."""
    return replace(made_file(data, "application/json", cache_control=NO_CACHE), is_indexed=False)


def made_file(data: bytes, media_type: str, *, cache_control: str) -> ExportedFile:
    """Return a compressed file that is not a page."""
    body = compress(data, 6, mtime=0)
    return ExportedFile(
        body=body,
        is_compressed=True,
        tag=_tag(body),
        media_type=media_type,
        cache_control=cache_control,
        policy=NO_PAGE_POLICY,
    )


def with_notice_closed(file: ExportedFile, site_url: str) -> ExportedFile:
    """Return a page whose cookie notice is hidden, for a visitor without scripts who closed it."""
    return page(file.plain().decode().replace("<html", _CLOSED_HTML_TAG, 1), site_url)


def read_export(folder: Path, site_url: str) -> Export:
    """Read an exported site; an empty folder gives an export with a bare error page only."""
    files: dict[str, ExportedFile] = {}
    templates: dict[str, str] = {}
    for path, file, compressed in _files(folder):
        if path.endswith("/index.html"):
            files[path.removesuffix("index.html")] = page(
                file.read_text("utf-8"), site_url, compressed=compressed and compressed.read_bytes()
            )
        elif slug := template_slug(file.name):
            templates[slug] = file.read_text("utf-8")
        elif file.suffix not in UNSERVED:
            files[path] = _static(file, path, compressed)
    not_found = files.pop(routes.NOT_FOUND, None) or page(_BARE_NOT_FOUND, site_url)
    return Export(files=files, not_found=not_found, site_url=site_url, templates=Templates(templates))


def read_assets(folder: Path, *, beside: Mapping[str, ExportedFile]) -> dict[str, ExportedFile]:
    """Read the files of an export whose names have a hash, except those in `beside`."""
    found: dict[str, ExportedFile] = {}
    for name, file, compressed in _files(folder / HASHED.strip("/")):
        path = f"{HASHED}{name.removeprefix('/')}"
        if file.suffix not in UNSERVED and path not in beside:
            found[path] = _static(file, path, compressed)
    return found


def _files(folder: Path) -> Iterator[tuple[str, Path, Path | None]]:
    """Yield the path below the folder, the file and its compressed copy, if any."""
    for place, folders, names in os.walk(folder):
        folders.sort()
        held, above = frozenset(names), place.removeprefix(str(folder))
        for name in sorted(names):
            compressed = Path(place, f"{name}.gz") if f"{name}.gz" in held else None
            yield f"{above}/{name}", Path(place, name), compressed


def _static(file: Path, path: str, compressed: Path | None) -> ExportedFile:
    """Return a file that is not a page, which browsers cache for a year if its name has a hash, else for a day."""
    kept = hashed_file(file.name, (compressed or file).read_bytes())
    cache_control = FOREVER if path.startswith(HASHED) else DAY
    brotli = file.with_name(f"{file.name}.br")
    return replace(
        kept,
        is_compressed=compressed is not None,
        cache_control=cache_control,
        brotli=brotli.read_bytes() if brotli.exists() else None,
    )


def hashed_file(name: str, body: bytes) -> ExportedFile:
    """Return a file that browsers cache for a year; its name has a hash of its content."""
    return ExportedFile(
        body=body,
        is_compressed=False,
        tag=_tag(body),
        media_type=MEDIA_TYPES.get(Path(name).suffix) or guess_type(name)[0] or "application/octet-stream",
        cache_control=FOREVER,
        policy=NO_PAGE_POLICY,
    )


def _tag(body: bytes) -> str:
    """Return the entity tag of bytes, without quotes."""
    return sha256(body).hexdigest()[:20]


def notice_cookie(secure: bool) -> str:
    """Return the Set-Cookie value that closes the notice."""
    value = f"{_NOTICE_COOKIE}={NOTICE_ACCEPTED}; Max-Age={_NOTICE_SECONDS}; Path=/; SameSite=Lax"
    return f"{value}; Secure" if secure else value


def is_notice_closed(cookie_header: str) -> bool:
    return f"{_NOTICE_COOKIE}={NOTICE_ACCEPTED}" in (pair.strip() for pair in cookie_header.split(";"))
