"""A tab of somebody who is signed in, past the door (`tests/integration/test_staff_socket.py` has that)."""

import inspect
from typing import Any

import pytest
import reflex as rx
from reflex.istate.data import RouterData

from broker.state.staff.access import StaffState
from tests.unit.services.watched_site import Site
from tests.unit.state.tab import Locked

ADA = "ada"


class StaffTab:
    """A tab with one staff state, whose handlers are called without the question who calls."""

    def __init__(self, kind: type[StaffState], site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
        """Open the tab over a site."""
        module = inspect.getmodule(kind)
        assert module
        services = site.services
        monkeypatch.setattr(module, "current", lambda: services)
        self.root = rx.State(_reflex_internal_init=True)  # pyright: ignore[reportCallIssue] - how Reflex makes a root
        self._kind = kind
        self.state: Any = self.root.get_substate(kind.get_full_name().split("."))
        self.state.staff_name = ADA

    def go(self, address: str) -> None:
        """Stand at an address of the site."""
        data = {"asPath": address, "pathname": address.partition("?")[0], "headers": {"origin": "http://localhost"}}
        self.root.router = RouterData.from_router_data(data)

    async def do(self, name: str, *given: object) -> Any:
        """Call a handler, let all its parts come to an end, and return what it answers."""
        handler = self._kind.event_handlers[name]
        done: Any = handler.fn.__wrapped__(Locked(self.state) if handler.is_background else self.state, *given)
        if inspect.isasyncgen(done):
            async for _ in done:
                pass
            return None
        return await done if inspect.isawaitable(done) else done
