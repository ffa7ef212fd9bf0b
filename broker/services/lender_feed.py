"""The feed's own lenders and logos, read in the background into the directory (calls 9 and 10)."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from datetime import timedelta

from broker.feeds.client import FeedClient
from broker.feeds.errors import FeedAwayError, FeedError
from broker.feeds.lenders import fetch_lenders
from broker.feeds.logos import Logo, fetch_logos
from broker.services.lenders import LenderDirectory
from broker.services.logo_files import logo_file

REFRESH_EVERY = timedelta(hours=1)
BATCH = 20
"""Lenders whose logos are asked for at once, so that one bad answer does not cost the others theirs."""

MOST_LENDERS = 1_000
MOST_BYTES = 32 * 1024 * 1024
"""Lenders whose logos are asked for, and bytes of logos that are kept in all: several times what a market has."""

log = logging.getLogger(__name__)


class LenderFeed:
    """Keeps a directory up to date with what the feed says of lenders."""

    def __init__(self, client: FeedClient, directory: LenderDirectory) -> None:
        """Keep both."""
        self._client = client
        self._directory = directory

    async def refresh(self) -> None:
        """Read the lenders, then the logos of all of them; raises the first FeedError, once everything was tried.

        A list that is refused does not cost the logos; a feed that does not answer at all is not asked for them.
        """
        problems: list[FeedError] = []
        try:
            found = await fetch_lenders(self._client)
        except FeedAwayError:
            raise
        except FeedError as error:
            problems.append(error)
        else:
            self._directory.learn_names({lender.lender_id: lender.name for lender in found})
        room = MOST_BYTES
        for batch in _batches(self._directory.ids[:MOST_LENDERS]):
            try:
                room -= await self._logos(batch, room)
            except FeedError as error:
                problems.append(error)
        for problem in problems[1:]:
            log.warning("lenders not refreshed: %s", problem)
        if problems:
            raise problems[0]

    async def _logos(self, batch: Sequence[int], room: int) -> int:
        """Take over the logos of some lenders, in so many bytes at most; return the bytes. Raises FeedError."""
        found = (await fetch_logos(self._client, batch)).by_lender
        files, taken = {}, 0
        for logo in _asked_for(batch, found):
            if taken + len(logo.data) <= room:
                files[logo.lender_id] = logo_file(logo.lender_id, logo.media_type, data=logo.data)
                taken += len(logo.data)
        self._directory.learn_logos(files, without=set(batch) - set(files))
        return taken


def _asked_for(batch: Sequence[int], found: dict[int, Logo]) -> Iterator[Logo]:
    return (found[lender_id] for lender_id in batch if lender_id in found)


def _batches(ids: Sequence[int]) -> Iterator[Sequence[int]]:
    return (ids[start : start + BATCH] for start in range(0, len(ids), BATCH))
