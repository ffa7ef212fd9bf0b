"""Every handler and every path of the staff area, found by introspection, and a digest of all that is stored."""

import hashlib
import importlib
import pkgutil
from collections.abc import Iterator
from typing import Any

from sqlalchemy import select
from sqlmodel import SQLModel

import broker.state
from broker import routes
from broker.server.staff.access import PROTECTED, PUBLIC
from broker.staff.roles import Right, Role
from broker.state.staff.access import StaffState
from broker.storage.database import Database, all_rows
from tests.integration.staff_socket import staff_states
from tests.unit.staff.staff_testbed import PASSWORD, StaffTestbed

for each in pkgutil.walk_packages(broker.state.__path__, "broker.state."):
    # before any tab is there: the states of a tab are made with it
    importlib.import_module(each.name)

ACCOUNTS = {role: f"{role}.example" for role in Role}
"""An account of each role."""

PAYLOADS: tuple[dict[str, Any], ...] = ({}, {"form": {}}, {"form_data": {}})


def our_states() -> Iterator[type[StaffState]]:
    """Yield the staff states of the site, without those of other tests."""
    return (state for state in staff_states() if state.__module__.startswith("broker.") and state is not StaffState)


def handlers() -> Iterator[tuple[str, Right]]:
    """Yield every handler of staff by its full name, with the right that it needs."""
    for state in our_states():
        for name in state.event_handlers:
            yield f"{state.get_full_name()}.{name}", state.right


def paths(*more: str) -> set[str]:
    """Return every path of the staff area that needs a session: all routes and forms, and those of handlers."""
    named = {value for value in vars(routes).values() if isinstance(value, str)}
    found = named | set(routes.STAFF_FORMS.values()) | {each.removesuffix("*") for each in more}
    return {each.partition("?")[0] for each in found if each.startswith(PROTECTED)} - PUBLIC


async def add_accounts(testbed: StaffTestbed) -> None:
    for role, name in ACCOUNTS.items():
        await testbed.accounts.add(name, PASSWORD, role=role)


OF_THE_SERVER = {"staff_sessions", "retention", "watch_checks", "daily_counts"}
"""Tables that a server changes by itself: the last use of a session, and its own work in the background."""


async def stored(database: Database) -> str:
    """Return a digest of all rows but those of the server's own."""
    tables = [each for each in SQLModel.metadata.sorted_tables if each.name not in OF_THE_SERVER]
    digest = hashlib.sha256()
    for table in tables:
        rows = [repr(tuple(row)) for row in await database.read(all_rows(select(table)))]
        digest.update(f"{table.name} {sorted(rows)}".encode())
    return digest.hexdigest()
