"""The public pages of the release as text, for the register of promotions."""

import asyncio
import logging
import time
from collections.abc import Sequence

from lxml.html import HtmlElement

from broker.duties.promotion import LIVE, PublicPage
from broker.markup import lines_within, parse_page
from broker.server.data_pages import DataPages
from broker.server.releases import LiveExport

_KEPT_SECONDS = 600.0
"""Time for which texts are kept: to read all pages takes about three seconds, most of them to draw pages of data."""

_LIVE_PARTS = ".//table | .//*[contains(concat(' ', @class, ' '), ' deals ')] | .//*[contains(@class, 'live-rates')]"
_UNSEEN = ".//script | .//style | .//template | .//select | .//noscript"

log = logging.getLogger(__name__)


class PromotionPages:
    """The pages that search engines may list, of the export and of data, each with what its main part shows."""

    def __init__(self, live: LiveExport, data: DataPages) -> None:
        self._live, self._data = live, data
        self._found: tuple[PublicPage, ...] = ()
        self._read_at, self._release = 0.0, ""
        self._one_at_a_time = asyncio.Lock()

    async def __call__(self) -> Sequence[PublicPage]:
        """Return the pages, read again after ten minutes, or for another release."""
        async with self._one_at_a_time:
            release, now = str(id(self._live.export)), time.monotonic()
            if not self._found or release != self._release or now - self._read_at > _KEPT_SECONDS:
                self._found, self._release, self._read_at = await self._read(), release, now
            return self._found

    async def _read(self) -> tuple[PublicPage, ...]:
        found = dict[str, str]()
        for path, file in self._live.export.files.items():
            if file.is_page and file.is_indexed:
                found[path] = await asyncio.to_thread(text_of_page, file.plain().decode())
        for path in self._data.paths():
            try:
                found[path] = await asyncio.to_thread(text_of_page, await self._data.html(path))
            except KeyError:
                log.debug("a page of data is not shown: %s", path)
        return tuple(PublicPage(path=path, text=text) for path, text in sorted(found.items()) if text)


def text_of_page(html: str) -> str:
    """Return what the main part of a page shows, a line for each block; live tables and lists are marked."""
    page = parse_page(html)
    main = next(iter(page.xpath("//main")), None)
    if main is None:
        return ""
    for part in main.xpath(_UNSEEN):
        part.drop_tree()
    live = [
        " ".join(" ".join(part.itertext()).split()) for part in main.xpath(_LIVE_PARTS) if not _is_within_live(part)
    ]
    for part in main.xpath(_LIVE_PARTS):
        if part.getparent() is not None:
            part.drop_tree()
    lines = [" ".join(line.split()) for line in lines_within(main)]
    return "\n".join([*filter(None, lines), *(f"{LIVE}{text}" for text in live if text)])


def _is_within_live(part: HtmlElement) -> bool:
    """Return whether a live part is inside another one, which has its text."""
    classes = " ".join(above.get("class") or "" for above in part.iterancestors())
    return "live-rates" in classes or " deals " in f" {classes} " or any(part.iterancestors("table"))
