"""Accounts of staff: made on the command line, as whoever runs the site makes them, or in no time."""

import asyncio
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from broker.services.staff.accounts import StaffAccounts
from broker.services.staff.password_hashing import PasswordHashes
from broker.settings import Settings
from broker.storage.database import database_for
from broker.storage.staff.accounts import StaffStore
from tests.unit.services.enquiring import CHEAP
from tests.unit.services.staff_testbed import PASSWORD
from tools.project import Project


def on_the_command_line(project: Project, state: Path, *words: str) -> str:
    command = [str(project.python), "-m", "broker.staff", *words]
    environment = project.environment(BROKER_STATE_DIR=str(state))
    done = subprocess.run(command, cwd=project.root, env=environment, capture_output=True, text=True, check=True)
    return done.stdout


def add_account(state: Path, name: str) -> str:
    """Add an account to a site that has run, and return its password."""

    async def add() -> None:
        database = database_for(Settings(state_dir=state))
        try:
            with PasswordHashes(CHEAP) as hashes:
                await StaffAccounts(StaffStore(database), hashes).add(name, PASSWORD)
        finally:
            await database.close()

    with ThreadPoolExecutor(1) as thread:  # Playwright keeps the event loop of this one
        thread.submit(asyncio.run, add()).result()
    return PASSWORD
