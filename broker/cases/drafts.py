"""Drafts of notes: kept on the server while somebody types, so that no browser stores what is said of a visitor."""

import logging
from collections.abc import Callable
from datetime import datetime

from broker.cases.case import MAX_NOTE
from broker.cases.draft_store import NoteDraftStore
from broker.clock import utc_now
from broker.enquiries.contact_details import visible_text
from broker.enquiries.enquiry import parse_reference
from broker.storage.errors import StorageError

log = logging.getLogger(__name__)


class NoteDrafts:
    """The drafts of accounts; `who` is the account, and all other arguments come from a page."""

    def __init__(self, store: NoteDraftStore, *, clock: Callable[[], datetime] = utc_now) -> None:
        self._store, self._clock = store, clock

    async def find(self, reference: object, *, who: str) -> str:
        """Return a draft, empty for none and where it cannot be read."""
        try:
            return await self._store.find(parse_reference(reference), who)
        except StorageError as error:
            log.error("drafts: %s", error)
            return ""

    async def keep(self, reference: object, text: object, *, who: str) -> bool:
        """Keep a draft instead of the one before, none for an empty text; return whether it is kept."""
        known, shown = parse_reference(reference), visible_text(text, MAX_NOTE) if isinstance(text, str) else None
        if not known or shown is None:
            return False
        try:
            await self._store.keep(known, who, shown, self._clock())
        except StorageError as error:
            log.error("drafts: %s", error)
            return False
        return True
