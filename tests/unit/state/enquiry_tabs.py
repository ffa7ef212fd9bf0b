"""Tabs of staff over a services with enquiries of its own, past the door (the socket's own tests have that)."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from inspect import isasyncgen, isawaitable
from typing import Any, TypeVar

import pytest
import reflex as rx
from reflex.istate.data import RouterData

from broker.domain.staff.audit import COMMAND_LINE, Act, AuditEntry
from broker.services import Services
from broker.settings import Settings
from broker.state.staff import enquiries as enquiries_state
from broker.state.staff import enquiry as enquiry_state
from broker.state.staff.access import StaffState
from broker.storage.database import database_for
from broker.storage.staff.accounts import StaffStore
from tests.unit.services.enquiring import BEGINNING, Calendar, running, sent, thanked
from tests.unit.state.tab import address

Found = TypeVar("Found")


class StaffTab:
    """A tab in which somebody has a page of a state open."""

    def __init__(self, state: type[StaffState], name: str = "ada") -> None:
        self.of = state
        self.root = rx.State(_reflex_internal_init=True)  # pyright: ignore[reportCallIssue] - how Reflex makes a root
        self.state: Any = self.root.get_substate(state.get_full_name().split("."))
        self.state.staff_name = name

    def go(self, path: str) -> None:
        """Stand at an address."""
        data = {"asPath": path, "pathname": path.partition("?")[0], "headers": {"origin": "http://localhost:3000"}}
        self.root.router = RouterData.from_router_data(data)

    async def do(self, name: str, *given: object) -> str | None:
        """Call a handler as it was written; return the address that it leads to, or None."""
        done = self.of.event_handlers[name].fn.__wrapped__(self.state, *given)
        if isasyncgen(done):
            async for _ in done:
                pass
            return None
        return address(await done if isawaitable(done) else done)

    async def open(self, path: str) -> None:
        """Open a page."""
        self.go(path)
        await self.do("open")


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """What there is: the services, its calendar, and how to have an enquiry sent."""

    services: Services
    calendar: Calendar

    async def enquiry(self, **fields: object) -> str:
        """Have somebody send a form, and return its reference."""
        return thanked(await self.services.enquiries.submit(sent(**fields))).reference


def at_work(settings: Settings, monkeypatch: pytest.MonkeyPatch, block: Callable[[Work], Awaitable[Found]]) -> Found:
    """Return what comes of a services with accounts for ada and ben, which the states ask."""

    async def with_it() -> Found:
        calendar = Calendar()
        async with running(settings, calendar) as services:
            for module in (enquiries_state, enquiry_state):
                monkeypatch.setattr(module, "current", lambda: services)
            database = database_for(settings)
            for name in ("ada", "ben"):
                entry = AuditEntry(at=BEGINNING, who=COMMAND_LINE, what=Act.ACCOUNT_ADDED, about=name)
                await StaffStore(database).add(name, "hash", entry=entry)
            await database.close()
            return await block(Work(services=services, calendar=calendar))

    return asyncio.run(with_it())
