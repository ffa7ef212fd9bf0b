"""The files of the site search, written among the sources that Reflex has bundled."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from reflex.plugins import Plugin

from broker.domain.site_search import SearchIndex
from broker.presenters.search_index_files import search_files


class SearchFiles(Plugin):
    """Writes the index while Reflex compiles; a server that only serves never makes it."""

    def __init__(self, index: Callable[[], SearchIndex]) -> None:
        self._index = index

    def get_static_assets(self, **_: Any) -> Sequence[tuple[Path, str | bytes]]:
        return [(Path(name), text) for name, text in search_files(self._index()).items()]
