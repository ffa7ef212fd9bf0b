"""The last good answers of a live source, on disk: a JSON file a search, the newest of them.

A file is written whole or not at all. One that cannot be read, is damaged or was written by another version is passed
over with a line in the log: whoever asks gets no answer, never an error.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
from collections import OrderedDict
from pathlib import Path

from broker.domain.rates.product import RatesAnswer
from broker.domain.rates.query import RatesQuery
from broker.storage.rates_serialisation import RatesFileError, query_values, read_answer, serialise_answer

MAX_ANSWERS = 1_024
"""Answers kept on disk, those written last."""

_SUFFIX = ".json"
_log = logging.getLogger(__name__)


class RatesArchive:
    """Answers by their search; those of another source (the address of an API) are never found."""

    def __init__(self, folder: Path, *, source: str, most: int = MAX_ANSWERS) -> None:
        """Keep where the files are; the folder is made when the first one is written."""
        self._folder = folder
        self._source = source
        self._most = most
        self._names: OrderedDict[str, None] | None = None
        self._writing = asyncio.Lock()
        self._complained = False

    async def load(self, query: RatesQuery) -> RatesAnswer | None:
        """Return the answer kept for a search, or None."""
        return await asyncio.to_thread(self._read, query)

    async def keep(self, answer: RatesAnswer) -> None:
        """Keep an answer in place of the one before; a disk that refuses is logged once, until it takes one again."""
        async with self._writing:
            try:
                await asyncio.to_thread(self._write, answer)
            except OSError as error:
                if not self._complained:
                    _log.warning("answers cannot be kept for a restart: %s", error)
                self._complained = True
            else:
                self._complained = False

    def _read(self, query: RatesQuery) -> RatesAnswer | None:
        name = self._name(query)
        try:
            return read_answer((self._folder / name).read_bytes(), query)
        except FileNotFoundError:
            return None
        except (OSError, RatesFileError) as error:
            _log.warning("the kept answer %s is passed over: %s", name, error)
            return None

    def _write(self, answer: RatesAnswer) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        name = self._name(answer.query)
        half = self._folder / f"{name}.part"
        half.write_bytes(serialise_answer(answer))
        half.replace(self._folder / name)
        self._make_room(name)

    def _make_room(self, name: str) -> None:
        """Note that a file is the newest, and remove the oldest where there are too many."""
        if self._names is None:
            self._names = OrderedDict.fromkeys(_oldest_first(self._folder))
        self._names[name] = None
        self._names.move_to_end(name)
        while len(self._names) > self._most:
            oldest, _ = self._names.popitem(last=False)
            (self._folder / oldest).unlink(missing_ok=True)

    def _name(self, query: RatesQuery) -> str:
        """Return the file's name: the source and the search, as a digest."""
        named = json.dumps([self._source, query_values(query)])
        return hashlib.sha256(named.encode("utf-8")).hexdigest()[:32] + _SUFFIX


def _oldest_first(folder: Path) -> list[str]:
    found = [(path.stat().st_mtime, path.name) for path in folder.iterdir() if path.suffix == _SUFFIX]
    return [name for _, name in sorted(found)]
