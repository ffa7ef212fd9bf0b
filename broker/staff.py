"""Manage staff accounts: `python -m broker.staff add|list|reset|disable|enable NAME`.

There is no account before the first `add`. A password is typed twice, unseen; `--generate` makes one and shows it
once. A running server notices changes within seconds.
"""

import asyncio
import secrets
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Awaitable, Callable, Sequence
from getpass import getpass

from broker.domain.enquiries.stored_records import StorageError
from broker.domain.staff.accounts import normalised_password, password_problem, staff_name
from broker.services.staff.accounts import AccountError, StaffAccounts
from broker.services.staff.password_hashing import PasswordHashes
from broker.settings import Settings, SettingsError, read_settings
from broker.storage.database import database_for
from broker.storage.migrations import migrate
from broker.storage.staff.accounts import Account, StaffStore

MADE_LENGTH = 15
"""Random bytes of a generated password: 120 bits, 20 characters."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return the exit code: 0, or 1 with a sentence on standard error."""
    asked = _parser().parse_args(arguments)
    try:
        said = asyncio.run(_done(asked, read_settings()))
    except (AccountError, SettingsError, StorageError) as error:
        sys.stderr.write(f"{str(error).rstrip('.')}.\n")
        return 1
    sys.stdout.write(f"{said}\n")
    return 0


def _parser() -> ArgumentParser:
    parser = ArgumentParser(prog="python -m broker.staff", description="Looks after the accounts of staff.")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("list", help="tell which accounts there are")
    helps = {
        "add": "add an account",
        "reset": "give an account a new password, and end its sessions and its locks",
        "disable": "let an account sign in no longer, and end its sessions",
        "enable": "let an account sign in again, and end its locks",
    }
    for name, words in helps.items():
        command = commands.add_parser(name, help=words)
        command.add_argument("name", help="2 to 40 lower-case letters, digits, and . or - between them")
        if name in {"add", "reset"}:
            command.add_argument("--generate", action="store_true", help="make a password, and show it once")
        if name == "reset":
            command.add_argument("--remove-codes", action="store_true", help="take the one-time codes off as well")
    return parser


async def _done(asked: Namespace, settings: Settings) -> str:
    database = database_for(settings)
    try:
        await migrate(database)
        with PasswordHashes() as hashes:
            accounts = StaffAccounts(StaffStore(database), hashes)
            return await COMMANDS[asked.command](accounts, asked)
    finally:
        await database.close()


async def _add(accounts: StaffAccounts, asked: Namespace) -> str:
    name = await accounts.may_add(asked.name)
    password, shown = _password(name, generate=asked.generate)
    await accounts.add(name, password)
    return f"Added {name}.{shown}"


async def _reset(accounts: StaffAccounts, asked: Namespace) -> str:
    account = await accounts.known(asked.name)
    password, shown = _password(account.name, generate=asked.generate)
    await accounts.reset(account.name, password, without_codes=asked.remove_codes)
    codes = " One-time codes are off." if asked.remove_codes else ""
    return f"Gave {account.name} a new password, and ended what was open.{codes}{shown}"


async def _disable(accounts: StaffAccounts, asked: Namespace) -> str:
    await accounts.disable(asked.name)
    return f"Disabled {staff_name(asked.name)}, and ended what was open."


async def _enable(accounts: StaffAccounts, asked: Namespace) -> str:
    await accounts.enable(asked.name)
    return f"{staff_name(asked.name)} can sign in."


async def _list(accounts: StaffAccounts, asked: Namespace) -> str:
    del asked
    lines = [_line(account) for account in await accounts.all()]
    return "\n".join(lines) or "There is no account yet. Make one with: python -m broker.staff add NAME"


COMMANDS: dict[str, Callable[[StaffAccounts, Namespace], Awaitable[str]]] = {
    "add": _add,
    "list": _list,
    "reset": _reset,
    "disable": _disable,
    "enable": _enable,
}


def _line(account: Account) -> str:
    state = "active" if account.enabled else "disabled"
    codes = "one-time codes" if account.code_secret else "password only"
    last = f"{account.signed_in_at:%Y-%m-%d %H:%M} UTC" if account.signed_in_at else "never"
    return f"{account.name:<40}  {state:<8}  {codes:<14}  signed in last: {last}"


def _password(name: str, *, generate: bool) -> tuple[str, str]:
    """Return a password, and what to say of it; raises AccountError for one that may not be."""
    if generate:
        made = secrets.token_urlsafe(MADE_LENGTH)
        return made, f" The password, shown this once: {made}"
    if not sys.stdin.isatty():
        raise AccountError("A password is typed on a terminal; elsewhere have one made with --generate")
    password = normalised_password(getpass("Password: "))
    if problem := password_problem(password, name):
        raise AccountError(problem)
    if normalised_password(getpass("The same again: ")) != password:
        raise AccountError("The two passwords are not the same")
    return password, ""


if __name__ == "__main__":
    sys.exit(main())
