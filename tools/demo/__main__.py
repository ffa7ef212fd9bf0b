"""Make the demo and serve it: `make demo`, or `python -m tools.demo --state DIR --no-serve` without a build.

A demo that is there already is served again. Nothing is mailed: its addresses are made up.
"""

import asyncio
import os
import secrets
import sys
from argparse import ArgumentParser, Namespace
from datetime import datetime, timedelta
from pathlib import Path

from sqlalchemy import func, inspect, select, table
from sqlalchemy.ext.asyncio import AsyncConnection

from broker.clock import UK, utc_now
from broker.settings import DEMO_MARK, Settings
from broker.storage.database import database_for
from broker.storage.encryption import secret_keys_for
from tools.demo.clients import WEEKS
from tools.demo.firm import Story, running
from tools.demo.story import ACCOUNTS, Demo, Stores
from tools.project import Project, ToolError, load_settings, run_tool

_SEED = 2_611
_PASSWORD_BYTES = 9

_NOT_COUNTED = {"alembic_version", "reply_templates"}
"""Tables with rows that migrations make."""


def main() -> None:
    """Make the demo in a state folder, print its password, and serve it; raises ToolError."""
    options = _options()
    settings = load_settings().model_copy(update={"state_dir": options.state})
    mark = options.state / DEMO_MARK
    if options.no_serve or not mark.exists():
        password = options.password or f"demo-{secrets.token_urlsafe(_PASSWORD_BYTES)}"
        asyncio.run(make(settings, password=password, now=options.now or utc_now()))
    print(f"{mark.read_text(encoding='utf-8').strip()}\nRemove {options.state} to have another one.", flush=True)
    if not options.no_serve:
        environment = Project().environment(BROKER_STATE_DIR=str(options.state))
        os.execve(sys.executable, [sys.executable, "-m", "tools.serve"], environment)


async def make(settings: Settings, *, password: str, now: datetime, seed: int = _SEED) -> None:
    """Make the demo in the database of the settings as of a moment; raises ToolError if it has anything."""
    database = database_for(settings)
    try:
        if await database.read(_has_anything):
            raise ToolError("The demo is refused: this database has something already. Name another folder by --state.")
        _mark(settings, password, now)
        story = Story(now - timedelta(weeks=WEEKS, days=1))
        async with running(settings, story) as firm:
            stores = Stores(database=database, keys=secret_keys_for(settings))
            await Demo(firm, stores, story, now=now, seed=seed).tell(password)
    finally:
        await database.close()


def _mark(settings: Settings, password: str, now: datetime) -> None:
    """Say in the state folder that everything is made up, which pages of staff then say, and how to sign in."""
    settings.state_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    mark = settings.state_dir / DEMO_MARK
    mark.touch(mode=0o600)
    words = f"Everything here is made up, as of {now.astimezone(UK):%-d %B %Y %H:%M}."
    mark.write_text(f"{words}\nSign in at /staff/ as {', '.join(ACCOUNTS)}; password: {password}\n", encoding="utf-8")


async def _has_anything(connection: AsyncConnection) -> bool:
    names = await connection.run_sync(lambda found: inspect(found).get_table_names())
    counts = [
        await connection.scalar(select(func.count()).select_from(table(name)))
        for name in names
        if name not in _NOT_COUNTED
    ]
    return any(counts)


def _options() -> Namespace:
    parser = ArgumentParser(prog="python -m tools.demo", description="Makes a firm that is made up, and serves it.")
    parser.add_argument("--state", type=Path, default=Project().work / "demo", help="its folder, which must be new")
    parser.add_argument("--password", default="", help="of all accounts; without it one is made and printed")
    parser.add_argument("--now", type=datetime.fromisoformat, help="the moment up to which it happens, with its zone")
    parser.add_argument("--no-serve", action="store_true", help="make it, and serve nothing")
    return parser.parse_args()


if __name__ == "__main__":
    run_tool(main)
