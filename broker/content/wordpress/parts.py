"""The parts of a download: the answer of each call, or its last whole answer where the call fails.

A call that fails deletes nothing: content is gone only when the service says so (decision 16, specification 8).
"""

from collections.abc import Awaitable, Mapping
from dataclasses import dataclass, field, replace

from broker.content.errors import ContentApiError
from broker.content.models.pictures import Picture
from broker.content.wordpress.responses import Json

EMPTY = "answered nothing, where there was something before"


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A part of the content: its last whole answer, when that was read, and why it could not be read this time.

    `read_at` is in ISO 8601, empty for a part that was never read; `fault` is empty for one that was read now.
    """

    answer: Json = None
    read_at: str = ""
    fault: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Download:
    """What a snapshot is made from: parts by name, and pictures by their address at the content service."""

    parts: Mapping[str, Part] = field(default_factory=dict)
    pictures: Mapping[str, Picture] = field(default_factory=dict)


class PartReader:
    """Reads parts one by one; `parts` are those read so far."""

    def __init__(self, last: Mapping[str, Part], *, now: str, accept_removals: bool = False) -> None:
        """`last` are the parts of the last download; with `accept_removals` an empty list may replace a full one."""
        self.parts: dict[str, Part] = {}
        self._last, self._now, self._accept_removals = last, now, accept_removals

    def begin(self, *names: str) -> None:
        """Give parts their places before they are read: those read at once stand in the order of their calls."""
        self.parts |= dict.fromkeys(names, Part())

    async def read(self, name: str, call: Awaitable[Json]) -> Json:
        """Return the answer of a call, or that of the last download if it fails; None if there never was one."""
        self.begin(name)
        try:
            return self.take(name, await call)
        except ContentApiError as error:
            return self.keep(name, error.fault)

    def take(self, name: str, answer: Json) -> Json:
        """Return an answer; nothing in the place of something is a failure."""
        is_empty_list = isinstance(answer, list | dict) and not answer
        if not answer and self._had(name) and not (is_empty_list and self._accept_removals):
            return self.keep(name, EMPTY)
        self.parts[name] = Part(answer=answer, read_at=self._now)
        return answer

    def keep(self, name: str, fault: str) -> Json:
        """Return the last answer of a part that cannot be read now."""
        self.parts[name] = replace(self._last.get(name, Part()), fault=fault)
        return self.parts[name].answer

    def _had(self, name: str) -> bool:
        return name in self._last and bool(self._last[name].answer)
