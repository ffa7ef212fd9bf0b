"""Administration of staff accounts, for the command line `python -m broker.staff`."""

from collections.abc import Callable
from datetime import datetime

from broker.domain.staff.accounts import NAME_RULE, normalised_password, password_problem, staff_name
from broker.domain.staff.audit import COMMAND_LINE, Act, AuditEntry
from broker.services.signed_tokens import utc_now
from broker.services.staff.password_hashing import PasswordHashes
from broker.storage.staff.accounts import Account, StaffStore


class AccountError(ValueError):
    """The request cannot be carried out; the message says why, for the person at the command line."""


class StaffAccounts:
    """Adds and changes accounts; everything raises AccountError, StorageError."""

    def __init__(self, store: StaffStore, hashes: PasswordHashes, *, clock: Callable[[], datetime] = utc_now) -> None:
        self._store, self._hashes, self._clock = store, hashes, clock

    async def all(self) -> tuple[Account, ...]:
        return await self._store.all()

    async def may_add(self, name: str) -> str:
        """Return the normalised name of a new account."""
        known = staff_name(name)
        if not known:
            raise AccountError(NAME_RULE)
        if await self._store.find(known):
            raise AccountError(f"There is an account {known} already; give it a new password with: reset {known}")
        return known

    async def add(self, name: str, password: str) -> None:
        """Add an account."""
        known = await self.may_add(name)
        made = await self._hashed(password, known)
        if not await self._store.add(known, made, entry=self._entry(Act.ACCOUNT_ADDED, known)):
            raise AccountError(f"There is an account {known} already")

    async def reset(self, name: str, password: str, *, without_codes: bool = False) -> None:
        """Set another password, and end sessions and lock; `without_codes` also turns one-time codes off."""
        account = await self.known(name)
        made = await self._hashed(password, account.name)
        if without_codes:
            await self._store.set_codes(account, self._entry(Act.CODE_REMOVED, account.name))
        await self._store.change(account.id, self._entry(Act.ACCOUNT_RESET, account.name), password=made)

    async def disable(self, name: str) -> None:
        account = await self.known(name)
        await self._store.change(account.id, self._entry(Act.ACCOUNT_DISABLED, account.name), enabled=False)

    async def enable(self, name: str) -> None:
        account = await self.known(name)
        entry = self._entry(Act.ACCOUNT_ENABLED, account.name)
        await self._store.change(account.id, entry, ends=False, enabled=True)

    async def known(self, name: str) -> Account:
        """Return the account of a name."""
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
