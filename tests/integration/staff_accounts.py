"""Accounts of staff: made on the command line, as whoever runs the site makes them, or in no time."""

import asyncio
import base64
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import httpx

from broker import routes
from broker.settings import Settings
from broker.staff.__main__ import StaffAccounts
from broker.staff.account_store import StaffStore
from broker.staff.credentials import PasswordHashes, code_at, step_at
from broker.storage.database import database_for
from tests.timeouts import ANSWER_TIMEOUT
from tests.unit.enquiries.enquiring import CHEAP
from tests.unit.staff.staff_testbed import PASSWORD
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


def set_up_codes(url: str, name: str) -> None:
    """Turn one-time codes on for an account that `add_account` made."""
    with httpx.Client(base_url=url, headers={"origin": url}, timeout=ANSWER_TIMEOUT) as client:
        client.post(routes.STAFF_FORMS["sign-in"], data={"name": name, "password": PASSWORD})
        begun = client.post(routes.STAFF_FORMS["codes"], data={"act": "begin", "password": PASSWORD})
        shown = re.search(r"<strong>([A-Z2-7 ]+)</strong>", begun.text)
        assert shown, begun.text
        plain = shown[1].replace(" ", "")
        code = code_at(base64.b32decode(plain + "=" * (-len(plain) % 8)), step_at(datetime.now(UTC)))
        done = client.post(routes.STAFF_FORMS["codes"], data={"act": "confirm", "code": code})
        assert "One-time codes are on" in done.text
