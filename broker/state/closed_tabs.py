"""What the server holds of a tab is dropped minutes after the tab is closed; Reflex by itself keeps it for an hour.

Nothing is lost: answers are in the database, a search is in its address, and a tab that comes back is filled anew.
"""

import asyncio
from time import monotonic

import reflex as rx
from reflex.istate.manager.memory import StateManagerMemory
from reflex.istate.manager.token import BaseStateToken

CLOSED_SECONDS = 300.0
"""Time for which a tab without a socket is kept, as a phone that sleeps or loses its line comes back."""

SWEEP_SECONDS = 30.0

MAX_TABS = 6_000
"""Tabs held at once: an idle one takes about 41 kB. Pages are served beyond it, and what is live in them waits."""


class ClosedTabs:
    """Drops the states of closed tabs of an application that keeps them in memory."""

    def __init__(self, app: rx.App) -> None:
        self._app = app
        self._closed_at: dict[str, float] = {}

    @property
    def is_full(self) -> bool:
        manager = self._app.state_manager
        return isinstance(manager, StateManagerMemory) and len(manager.states) >= MAX_TABS

    async def sweep_periodically(self) -> None:
        """Drop closed tabs for ever."""
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            self.sweep(monotonic())

    def sweep(self, now: float) -> None:
        """Drop the tabs that have been without a socket for CLOSED_SECONDS at a moment of the clock, in seconds."""
        manager, sockets = self._app.state_manager, self._app.event_namespace
        if not isinstance(manager, StateManagerMemory) or sockets is None:
            return
        closed = manager.states.keys() - sockets.token_to_sid.keys()
        self._closed_at = {token: self._closed_at.get(token, now) for token in closed}
        for token in [token for token, since in self._closed_at.items() if now - since >= CLOSED_SECONDS]:
            lock = manager._states_locks.get(token)
            if lock is None or not lock.locked():
                manager._purge_token(BaseStateToken(ident=token, cls=rx.State))
                del self._closed_at[token]
