"""Manage staff accounts: `python -m broker.staff add|list|reset|disable|enable NAME`.

There is no account before the first `add`. A password is typed twice, unseen; `--generate` makes one and shows it
once. A running server notices changes within seconds.
"""

import asyncio
import secrets
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from getpass import getpass

from broker import routes
from broker.cases.case import Refused
from broker.clock import utc_now
from broker.settings import Settings, SettingsError, read_settings
from broker.staff.account_admin import Disabled, disable_account
from broker.staff.account_store import Account, StaffStore
from broker.staff.accounts import NAME_RULE, normalised_password, password_problem, staff_name
from broker.staff.audit import COMMAND_LINE, Act, AuditEntry
from broker.staff.credentials import PasswordHashes
from broker.staff.people_store import PeopleStore
from broker.staff.people_view import disabled_words, open_work
from broker.staff.roles import Role
from broker.storage.database import database_for
from broker.storage.encryption import secret_keys_for
from broker.storage.errors import StorageError
from broker.storage.migrations import migrate


class AccountError(ValueError):
    """A command that cannot be run; the message says why."""


class StaffAccounts:
    """Adds and changes accounts; every method raises AccountError, StorageError."""

    def __init__(self, store: StaffStore, hashes: PasswordHashes, *, clock: Callable[[], datetime] = utc_now) -> None:
        self._store, self._hashes, self._clock = store, hashes, clock

    async def all(self) -> tuple[Account, ...]:
        return await self._store.all()

    async def may_add(self, name: str) -> str:
        """Return the normalised name of a new account; raises AccountError for one that is invalid or taken."""
        known = staff_name(name)
        if not known:
            raise AccountError(NAME_RULE)
        if await self._store.find(known):
            raise AccountError(f"There is an account {known} already; give it a new password with: reset {known}")
        return known

    async def add(self, name: str, password: str, *, role: Role = Role.OWNER) -> None:
        known = await self.may_add(name)
        made = await self._hashed(password, known)
        if not await self._store.add(known, made, role=role, entry=self._entry(Act.ACCOUNT_ADDED, known)):
            raise AccountError(f"There is an account {known} already")

    async def reset(self, name: str, password: str, *, without_codes: bool = False) -> None:
        """Set a new password, and end sessions and locks; `without_codes` also turns one-time codes off."""
        account = await self.known(name)
        made = await self._hashed(password, account.name)
        if without_codes:
            await self._store.set_codes(account, self._entry(Act.CODE_REMOVED, account.name))
        await self._store.change(account.id, self._entry(Act.ACCOUNT_RESET, account.name), password=made)

    async def disable(self, name: str, to: Sequence[str] | None = None, *, people: PeopleStore) -> Disabled:
        """Disable an account, the last owner too; its open work goes to colleagues in turn, or to nobody.

        `to` is empty for nobody; with open work and no `to` nothing is changed.
        """
        account = await self.known(name)
        held = next(each for each in await people.people(self._clock()) if each.id == account.id)
        if to is None and (work := open_work(held.open_cases, held.complaints)):
            raise AccountError(f"{account.name} has {work}: say who gets them with --to NAME, or --to-nobody")
        entry = self._entry(Act.ACCOUNT_DISABLED, account.name)
        done = await disable_account(
            account,
            [staff_name(each) for each in to or ()],
            entry=entry,
            people=people,
            accounts=self._store,
            may_be_last_owner=True,
        )
        if isinstance(done, Refused):
            raise AccountError(done.words)
        return done

    async def enable(self, name: str) -> None:
        account = await self.known(name)
        entry = self._entry(Act.ACCOUNT_ENABLED, account.name)
        await self._store.change(account.id, entry, ends=False, enabled=True, disabled_at=None)

    async def appointments(self, name: str) -> int:
        """Count the appointments to come of an account."""
        return await self._store.count_appointments(name, after=self._clock())

    async def known(self, name: str) -> Account:
        account = await self._store.find(staff_name(name)) if staff_name(name) else None
        if account is None:
            raise AccountError(f"There is no account {name!r}; `list` names those there are")
        return account

    async def _hashed(self, password: str, name: str) -> str:
        plain = normalised_password(password)
        if problem := password_problem(plain, name):
            raise AccountError(problem)
        return await self._hashes.hash(plain)

    def _entry(self, what: Act, about: str) -> AuditEntry:
        return AuditEntry(at=self._clock(), who=COMMAND_LINE, what=what, about=about)


DISABLE = "disable"

_GENERATED_BYTES = 15
"""Random bytes of a generated password: 120 bits, 20 characters."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return the exit code: 0, or 1 with a sentence on standard error."""
    options = _parser().parse_args(arguments)
    try:
        message = asyncio.run(_run(options, read_settings()))
    except (AccountError, SettingsError, StorageError) as error:
        sys.stderr.write(f"{str(error).rstrip('.')}.\n")
        return 1
    sys.stdout.write(f"{message}\n")
    return 0


def _parser() -> ArgumentParser:
    parser = ArgumentParser(prog="python -m broker.staff", description="Looks after the accounts of staff.")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("list", help="tell which accounts there are")
    helps = {
        "add": "add an account",
        "reset": "give an account a new password, and end its sessions and its locks",
        DISABLE: "let an account sign in no longer, end its sessions, and hand over its open cases and complaints",
        "enable": "let an account sign in again, and end its locks",
    }
    for name, words in helps.items():
        command = commands.add_parser(name, help=words)
        command.add_argument("name", help="2 to 40 lower-case letters, digits, and . or - between them")
        if name in {"add", "reset"}:
            command.add_argument("--generate", action="store_true", help="make a password, and show it once")
        if name == "add":
            command.add_argument("--role", choices=list(Role), default=Role.OWNER, help="its role (default: owner)")
        if name == DISABLE:
            heirs = command.add_mutually_exclusive_group()
            heirs.add_argument("--to", nargs="+", metavar="NAME", help="who gets its open work, several in turn")
            heirs.add_argument("--to-nobody", action="store_true", help="leave its open work with nobody")
        if name == "reset":
            command.add_argument("--remove-codes", action="store_true", help="take the one-time codes off as well")
    return parser


async def _run(options: Namespace, settings: Settings) -> str:
    database = database_for(settings)
    try:
        await migrate(database)
        with PasswordHashes() as hashes:
            accounts = StaffAccounts(StaffStore(database), hashes)
            if options.command == DISABLE:
                return await _disable(accounts, options, PeopleStore(database, secret_keys_for(settings)))
            return await COMMANDS[options.command](accounts, options)
    finally:
        await database.close()


async def _add(accounts: StaffAccounts, options: Namespace) -> str:
    name = await accounts.may_add(options.name)
    password, shown = _password(name, generate=options.generate)
    role = Role(options.role)
    await accounts.add(name, password, role=role)
    return f"Added {name}, {role.value}.{shown}"


async def _reset(accounts: StaffAccounts, options: Namespace) -> str:
    account = await accounts.known(options.name)
    password, shown = _password(account.name, generate=options.generate)
    await accounts.reset(account.name, password, without_codes=options.remove_codes)
    codes = " One-time codes are off." if options.remove_codes else ""
    return f"Gave {account.name} a new password, and ended what was open.{codes}{shown}"


async def _disable(accounts: StaffAccounts, options: Namespace, people: PeopleStore) -> str:
    done = await accounts.disable(options.name, () if options.to_nobody else options.to, people=people)
    name = staff_name(options.name)
    count = await accounts.appointments(name)
    words = f"{count} appointment{'s' if count > 1 else ''} to come" if count else ""
    address = routes.with_query(routes.STAFF_ABSENCES, {"adviser": name})
    handing = f" This account has {words}: hand them over at {address}" if count else ""
    return disabled_words(name, cases=done.cases, complaints=done.complaints, to=done.to, passed=0, left=0) + handing


async def _enable(accounts: StaffAccounts, options: Namespace) -> str:
    await accounts.enable(options.name)
    return f"{staff_name(options.name)} can sign in."


async def _list(accounts: StaffAccounts, options: Namespace) -> str:
    del options
    lines = [_line(account) for account in await accounts.all()]
    return "\n".join(lines) or "There is no account yet. Make one with: python -m broker.staff add NAME"


COMMANDS: dict[str, Callable[[StaffAccounts, Namespace], Awaitable[str]]] = {
    "add": _add,
    "list": _list,
    "reset": _reset,
    "enable": _enable,
}


def _line(account: Account) -> str:
    state = "active" if account.enabled else "disabled"
    codes = "one-time codes" if account.code_secret else "password only"
    last = f"{account.signed_in_at:%Y-%m-%d %H:%M} UTC" if account.signed_in_at else "never"
    return f"{account.name:<40}  {account.role:<8}  {state:<8}  {codes:<14}  signed in last: {last}"


def _password(name: str, *, generate: bool) -> tuple[str, str]:
    """Return a password, and the sentence that shows a generated one; raises AccountError for one that is refused."""
    if generate:
        made = secrets.token_urlsafe(_GENERATED_BYTES)
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
