"""Staff's changes to their own account: password and one-time codes."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from broker.clock import utc_now
from broker.staff.account_admin import AccountAdmin
from broker.staff.account_store import Account, StaffStore
from broker.staff.accounts import StaffSession, normalised_password, password_problem
from broker.staff.audit import Act, AuditEntry
from broker.staff.credentials import (
    CodeSecrets,
    PasswordHashes,
    digits_in,
    new_recovery_codes,
    new_secret,
    recovery_digest,
    step_of,
)
from broker.staff.passkey_store import PasskeyStore
from broker.staff.passkeys import Passkeys
from broker.staff.people import DEFAULT_LOOK, Look, OpenSession
from broker.staff.people_store import PeopleStore
from broker.staff.session_store import StaffSessionStore
from broker.staff.sessions import StaffCookies, StaffSessions
from broker.staff.sign_in import SignIn, Sleep
from broker.storage.database import Database
from broker.storage.encryption import SecretKeys
from broker.storage.rate_limit import RateLimits
from broker.storage.signed_tokens import TokenSigner

WRONG_PASSWORD = "This is not your password, or too many tries have locked the account for 15 minutes"
NOT_ALIKE = "The two new passwords are not the same"
SAME_AS_BEFORE = "Choose a password that is not the one you have"
WRONG_CODE = "This is not the code that is shown now. Check the clock of your telephone, and enter the next one"
NOTHING_BEGUN = "This was set up in another window, or not begun. Please start again"


@dataclass(frozen=True, slots=True, kw_only=True)
class CodesState:
    """One-time codes of an account: on or off, recovery codes left, and a secret that awaits confirmation."""

    are_on: bool
    recovery_left: int
    pending: bytes = b""


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountProblem:
    """Why nothing was changed, and the field of the form with the problem."""

    field: str
    words: str


class OwnAccount:
    """Changes the account of a session, with its password; raises StorageError, HashingBusyError."""

    def __init__(
        self,
        store: StaffStore,
        sessions: StaffSessions,
        *,
        sign_in: SignIn,
        hashes: PasswordHashes,
        codes: CodeSecrets,
        passkeys: Passkeys,
        clock: Callable[[], datetime] = utc_now,
    ) -> None:
        self._store, self._sessions, self._sign_in = store, sessions, sign_in
        self._hashes, self._codes, self._clock, self._passkeys = hashes, codes, clock, passkeys

    async def change_password(
        self, session: StaffSession, *, old: object, new: object, again: object
    ) -> str | AccountProblem:
        """Change the password, end every other session, and return a new token for this one."""
        account = await self._confirmed(session, old, why="changing the password")
        if account is None:
            return AccountProblem(field="old", words=WRONG_PASSWORD)
        password = normalised_password(new)
        if problem := password_problem(password, account.name):
            return AccountProblem(field="new", words=problem)
        if password == normalised_password(old):
            return AccountProblem(field="new", words=SAME_AS_BEFORE)
        if password != normalised_password(again):
            return AccountProblem(field="again", words=NOT_ALIKE)
        made = await self._hashes.hash(password)
        await self._store.change(account.id, self._entry(session, Act.PASSWORD_CHANGED), password=made)
        self._sessions.forget(account.id)
        return await self._sessions.renew(session)

    async def codes(self, session: StaffSession) -> CodesState:
        """Return the state of the account's one-time codes."""
        account = await self._store.with_id(session.account_id)
        if account is None:
            return CodesState(are_on=False, recovery_left=0)
        pending = self._codes.decrypt(account.code_pending, account.id) if account.code_pending else b""
        left = await self._store.recovery_codes(account.id)
        return CodesState(are_on=account.code_secret is not None, recovery_left=left, pending=pending)

    async def begin_codes(self, session: StaffSession, *, password: object) -> bytes | AccountProblem:
        """Store a new secret, inactive until a code confirms it, and return it."""
        account = await self._confirmed(session, password, why="setting up one-time codes")
        if account is None:
            return AccountProblem(field="password", words=WRONG_PASSWORD)
        secret = new_secret()
        await self._store.begin_codes(account.id, self._codes.encrypt(secret, account.id))
        return secret

    async def confirm_codes(self, session: StaffSession, *, code: object) -> tuple[str, ...] | AccountProblem:
        """Turn codes on, and return the recovery codes, which are shown only once."""
        account = await self._store.with_id(session.account_id)
        if account is None or account.code_pending is None:
            return AccountProblem(field="", words=NOTHING_BEGUN)
        secret = self._codes.decrypt(account.code_pending, account.id)
        step = step_of(digits_in(code), secret, now=self._clock(), after=0)
        if not secret or step is None:
            return AccountProblem(field="code", words=WRONG_CODE)
        recovery = new_recovery_codes()
        digests = [recovery_digest(each, account.id) for each in recovery]
        entry = self._entry(session, Act.CODE_SET_UP)
        is_set = await self._store.set_codes(account, entry, step=step, digests=digests)
        self._sessions.forget(account.id)
        return recovery if is_set else AccountProblem(field="", words=NOTHING_BEGUN)

    async def remove_codes(self, session: StaffSession, *, password: object) -> AccountProblem | None:
        """Turn codes off; None on success."""
        account = await self._confirmed(session, password, why="removing one-time codes")
        if account is None:
            return AccountProblem(field="password", words=WRONG_PASSWORD)
        await self._store.set_codes(account, self._entry(session, Act.CODE_REMOVED))
        self._sessions.forget(account.id)
        return None

    async def begin_passkey(self, session: StaffSession, *, password: object) -> str | AccountProblem:
        """Return the options with which the browser makes a passkey, as JSON."""
        account = await self._confirmed(session, password, why="adding a passkey")
        if account is None:
            return AccountProblem(field="password", words=WRONG_PASSWORD)
        return await self._passkeys.adding(account)

    async def sessions(self, session: StaffSession) -> tuple[OpenSession, ...]:
        """Return the open sessions of the account, newest first."""
        return await self._sessions.of_account(session.account_id)

    async def look(self, session: StaffSession) -> Look:
        account = await self._store.with_id(session.account_id)
        return account.look if account else DEFAULT_LOOK

    async def set_look(self, session: StaffSession, look: Look) -> None:
        """Keep what the account chose for its pages, which the audit record does not list."""
        await self._store.set_look(session.account_id, look)

    async def _confirmed(self, session: StaffSession, password: object, *, why: str) -> Account | None:
        account = await self._store.with_id(session.account_id)
        is_right = account is not None and await self._sign_in.confirms(account, password, why=why)
        return account if is_right else None

    def _entry(self, session: StaffSession, what: Act) -> AuditEntry:
        return AuditEntry(at=self._clock(), who=session.name, what=what, about=session.name)


@dataclass(frozen=True, slots=True, kw_only=True)
class StaffAuthentication:
    sessions: StaffSessions
    sign_in: SignIn
    account: OwnAccount
    admin: AccountAdmin
    passkeys: Passkeys


def staff_authentication(
    database: Database,
    keys: SecretKeys,
    *,
    hashes: PasswordHashes,
    site_url: str,
    origins: Sequence[str] = (),
    codes_required: bool = False,
    rate_limits: RateLimits | None = None,
    notify: Callable[[], None] = lambda: None,
    clock: Callable[[], datetime] = utc_now,
    sleep: Sleep = asyncio.sleep,
) -> StaffAuthentication:
    """Return the services of accounts; `notify` is called when mail is due, `origins` are those of passkeys."""
    store = StaffStore(database)
    sessions = StaffSessions(
        StaffSessionStore(database), StaffCookies(site_url=site_url), codes_required=codes_required, clock=clock
    )
    codes = CodeSecrets(keys.cipher_for("one-time code secret"))
    limits = rate_limits or RateLimits(clock=clock)
    passkeys = Passkeys(
        PasskeyStore(database), store, site_url=site_url, origins=origins, rate_limits=limits, clock=clock
    )
    sign_in = SignIn(
        store,
        sessions,
        hashes=hashes,
        codes=codes,
        passkeys=passkeys,
        step_tokens=TokenSigner(keys.cipher_for("staff sign-in")),
        device_tokens=TokenSigner(keys.cipher_for("staff device")),
        codes_required=codes_required,
        rate_limits=limits,
        clock=clock,
        sleep=sleep,
    )
    account = OwnAccount(store, sessions, sign_in=sign_in, hashes=hashes, codes=codes, passkeys=passkeys, clock=clock)
    admin = AccountAdmin(PeopleStore(database, keys), store, sessions, hashes=hashes, notify=notify, clock=clock)
    return StaffAuthentication(sessions=sessions, sign_in=sign_in, account=account, admin=admin, passkeys=passkeys)
