from types import SimpleNamespace
from typing import Any, cast

import reflex as rx
from reflex.istate.manager.memory import StateManagerMemory
from reflex.istate.manager.token import BaseStateToken

from broker.state import closed_tabs
from broker.state.closed_tabs import CLOSED_SECONDS, ClosedTabs


class Tabs:
    """An application's tabs: those it holds, and those with a socket."""

    def __init__(self) -> None:
        self.manager, self.sockets = StateManagerMemory(), dict[str, str]()
        namespace = SimpleNamespace(token_to_sid=self.sockets)
        self.closed = ClosedTabs(cast(Any, SimpleNamespace(state_manager=self.manager, event_namespace=namespace)))

    async def hold(self, *tokens: str) -> None:
        for token in tokens:
            await self.manager.get_state(BaseStateToken(ident=token, cls=rx.State))
            self.sockets[token] = f"sid of {token}"


async def test_tab_is_dropped_some_time_after_it_was_closed() -> None:
    tabs = Tabs()
    await tabs.hold("open", "closed", "back")
    del tabs.sockets["closed"], tabs.sockets["back"]
    tabs.closed.sweep(0)
    tabs.sockets["back"] = "again"
    tabs.closed.sweep(CLOSED_SECONDS - 1)
    assert set(tabs.manager.states) == {"open", "closed", "back"}
    tabs.closed.sweep(CLOSED_SECONDS)
    assert set(tabs.manager.states) == {"open", "back"}
    del tabs.sockets["back"]
    tabs.closed.sweep(CLOSED_SECONDS + 1)
    assert set(tabs.manager.states) == {"open", "back"}
    await tabs.manager.close()


async def test_tab_that_is_worked_on_is_kept() -> None:
    tabs = Tabs()
    await tabs.hold("busy")
    tabs.sockets.clear()
    tabs.closed.sweep(0)
    async with tabs.manager.modify_state(BaseStateToken(ident="busy", cls=rx.State)):
        tabs.closed.sweep(CLOSED_SECONDS)
        assert set(tabs.manager.states) == {"busy"}
    tabs.closed.sweep(CLOSED_SECONDS + 1)
    assert not tabs.manager.states
    await tabs.manager.close()


async def test_only_so_many_tabs_are_held(monkeypatch: Any) -> None:
    monkeypatch.setattr(closed_tabs, "MAX_TABS", 2)
    tabs = Tabs()
    await tabs.hold("one")
    assert not tabs.closed.is_full()
    await tabs.hold("two")
    assert tabs.closed.is_full()
    await tabs.manager.close()


async def test_closed_tabs_make_room_the_longest_closed_first(monkeypatch: Any) -> None:
    monkeypatch.setattr(closed_tabs, "MAX_TABS", 4)
    monkeypatch.setattr(closed_tabs, "ROOM", 2)
    tabs = Tabs()
    await tabs.hold("a", "b", "open", "c")
    for moment, token in enumerate("bca"):
        del tabs.sockets[token]
        tabs.closed.sweep(moment)
    assert not tabs.closed.is_full()
    assert set(tabs.manager.states) == {"a", "open"}
    await tabs.manager.close()


async def test_closed_tab_that_is_worked_on_makes_no_room(monkeypatch: Any) -> None:
    monkeypatch.setattr(closed_tabs, "MAX_TABS", 1)
    tabs = Tabs()
    await tabs.hold("busy")
    tabs.sockets.clear()
    async with tabs.manager.modify_state(BaseStateToken(ident="busy", cls=rx.State)):
        assert tabs.closed.is_full()
    assert not tabs.closed.is_full()
    await tabs.manager.close()
