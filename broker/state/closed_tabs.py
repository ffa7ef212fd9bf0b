"""What the server holds of a tab is dropped minutes after the tab is closed; Reflex by itself keeps it for an hour.

Nothing is lost: answers are in the database, a search is in its address, and a tab that comes back is filled anew.
"""

import asyncio
from collections.abc import Iterable
from time import monotonic

import reflex as rx
from reflex.istate.manager.memory import StateManagerMemory
from reflex.istate.manager.token import BaseStateToken

CLOSED_SECONDS = 300.0
"""Time for which a tab without a socket is kept, as a phone that sleeps or loses its line comes back."""

SWEEP_SECONDS = 30.0

MAX_TABS = 6_000
"""Tabs held at once: an idle one takes about 69 kB. Beyond it closed ones make room, the longest closed first.

While so many are open, pages are served all the same, and what is live in them waits.
"""

ROOM = 100
"""Closed tabs that are dropped at once when room is needed, so that the next visitors find it."""


class ClosedTabs:
    """Drops the states of closed tabs of an application that keeps them in memory."""

    def __init__(self, app: rx.App) -> None:
        self._app = app
        self._closed_at: dict[str, float] = {}

    def is_full(self) -> bool:
        """Return whether no tab can be opened, after closed ones have made room."""
        manager = self._app.state_manager
        if not isinstance(manager, StateManagerMemory) or len(manager.states) < MAX_TABS:
            return False
        self._note_closed(monotonic())
        self._drop(sorted(self._closed_at, key=self._closed_at.__getitem__)[:ROOM])
        return len(manager.states) >= MAX_TABS

    async def sweep_periodically(self) -> None:
        """Drop closed tabs for ever."""
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            self.sweep(monotonic())

    def sweep(self, now: float) -> None:
        """Drop the tabs that have been without a socket for CLOSED_SECONDS at a moment of the clock, in seconds."""
        self._note_closed(now)
        self._drop([token for token, since in self._closed_at.items() if now - since >= CLOSED_SECONDS])

    def _note_closed(self, now: float) -> None:
        manager, sockets = self._app.state_manager, self._app.event_namespace
        if isinstance(manager, StateManagerMemory) and sockets:
            closed = [token for token in manager.states if token not in sockets.token_to_sid]
            self._closed_at = {token: self._closed_at.get(token, now) for token in closed}

    def _drop(self, tokens: Iterable[str]) -> None:
        """Drop closed tabs, except those that an event works on."""
        manager = self._app.state_manager
        if not isinstance(manager, StateManagerMemory):
            return
        for token in tokens:
            lock = manager._states_locks.get(token)
            if lock is None or not lock.locked():
                manager._purge_token(BaseStateToken(ident=token, cls=rx.State))
                del self._closed_at[token]
