"""Sign in with a password, then a one-time code where the account has them.

An unknown name, a wrong password, a locked and a disabled account get the same answer after the same work; the reason
is in the audit record.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from broker.domain.enquiries.stored_records import StorageError
from broker.domain.staff.accounts import normalised_password, staff_name
from broker.services.rate_limit import RateLimit
from broker.services.signed_tokens import TokenSigner, utc_now
from broker.services.staff.one_time_codes import CodeSecrets, digits_in, recovery_code_in, recovery_digest, step_of
from broker.services.staff.password_hashing import HashingBusyError, PasswordHashes
from broker.services.staff.sessions import StaffSessions
from broker.storage.staff.accounts import Account, StaffStore
from broker.storage.staff.sessions import SecondFactor

NO_MATCH = "Those details do not match"
NO_MATCH_MORE = "Check them and try again. After 10 tries in a row an account is locked for 15 minutes"
TOO_MANY = "That was tried too often"
TOO_MANY_MORE = "Wait 15 minutes before you try again"
BUSY = "We cannot check that just now"
BUSY_MORE = "Nothing is wrong with what you entered. Please try again in a minute"
TOO_LATE = "That took too long"
TOO_LATE_MORE = "Please sign in again: a code must be given within 5 minutes of the password"

MAX_TRIES, TRY_WINDOW = 40, timedelta(minutes=15)
"""Tries of one address in a window, right or wrong; an office shares an address."""

CODE_TIMEOUT = timedelta(minutes=5)
"""Time between the password and its one-time code."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class SignInDenied:
    """A failed sign-in: a sentence, what to do, and the HTTP status."""

    words: str = NO_MATCH
    more: str = NO_MATCH_MORE
    status: int = 403


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeRequired:
    """The password was right; a one-time code must come with this step_token."""

    step_token: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedIn:
    """Somebody is signed in; the token is for their cookie."""

    token: str


class SignIn:
    """Signs staff in."""

    def __init__(
        self,
        store: StaffStore,
        sessions: StaffSessions,
        *,
        hashes: PasswordHashes,
        codes: CodeSecrets,
        step_tokens: TokenSigner,
        clock: Callable[[], datetime] = utc_now,
    ) -> None:
        self._store, self._sessions, self._hashes = store, sessions, hashes
        self._codes, self._step_tokens, self._clock = codes, step_tokens, clock
        self._tries = RateLimit(MAX_TRIES, TRY_WINDOW, clock=clock)

    async def with_password(
        self, name: object, password: object, *, address: str
    ) -> SignedIn | CodeRequired | SignInDenied:
        """Sign in with a name and a password, or require a code."""
        if not self._tries.take(address):
            return SignInDenied(words=TOO_MANY, more=TOO_MANY_MORE, status=429)
        try:
            return await self._with_password(staff_name(name), normalised_password(password))
        except (StorageError, HashingBusyError) as error:
            return _busy(error)

    async def with_code(self, step_token: str, code: object, *, address: str) -> SignedIn | SignInDenied:
        """Sign in with the step_token of a password, and a one-time code or a recovery code."""
        if not self._tries.take(address):
            return SignInDenied(words=TOO_MANY, more=TOO_MANY_MORE, status=429)
        try:
            return await self._with_code(step_token, code)
        except StorageError as error:
            return _busy(error)

    def awaits_code(self, step_token: str) -> bool:
        return self._read(step_token) is not None

    async def confirms(self, account: Account, password: object, *, why: str) -> bool:
        """Return whether a password is the account's; a failure counts like one at the sign-in.

        `why` is the purpose, for the audit record. Raises StorageError, HashingBusyError.
        """
        is_right = await self._hashes.matches(account.password, normalised_password(password))
        now = self._clock()
        if is_right and account.enabled and not account.is_locked(now):
            return True
        await self._store.failed(account, now=now, why=why)
        return False

    async def _with_password(self, name: str, password: str) -> SignedIn | CodeRequired | SignInDenied:
        account = await self._store.find(name)
        is_right = await self._hashes.matches(account.password if account else "", password)
        now = self._clock()
        if account is None or not is_right or not account.enabled or account.is_locked(now):
            return await self._fail(account, _why(account, now, otherwise="password"))
        if self._hashes.is_outdated(account.password):
            await self._store.rehash(account, await self._hashes.hash(password))
        if account.code_secret:
            return CodeRequired(step_token=self._step_tokens.write(f"{account.id} {account.epoch}", made=now))
        return await self._start(account, SecondFactor())

    async def _with_code(self, step_token: str, code: object) -> SignedIn | SignInDenied:
        read = self._read(step_token)
        if read is None:
            return SignInDenied(words=TOO_LATE, more=TOO_LATE_MORE)
        account_id, epoch = read
        account, now = await self._store.with_id(account_id), self._clock()
        if account is None or account.epoch != epoch:
            return SignInDenied(words=TOO_LATE, more=TOO_LATE_MORE)
        proven = self._proven(account, code, now)
        if proven is None or not account.enabled or account.is_locked(now):
            return await self._fail(account, _why(account, now, otherwise="one-time code"))
        return await self._start(account, proven)

    def _proven(self, account: Account, code: object, now: datetime) -> SecondFactor | None:
        if recovery := recovery_code_in(code):
            return SecondFactor(recovery=recovery_digest(recovery, account.id))
        secret = self._codes.decrypt(account.code_secret, account.id) if account.code_secret else b""
        step = step_of(digits_in(code), secret, now=now, after=account.code_step)
        return SecondFactor(step=step) if secret and step is not None else None

    async def _start(self, account: Account, proven: SecondFactor) -> SignedIn | SignInDenied:
        token = await self._sessions.start(account, proven=proven)
        if token:
            return SignedIn(token=token)
        now = self._clock()
        return await self._fail(account, _why(account, now, otherwise="code used before, or the account changed"))

    async def _fail(self, account: Account | None, why: str) -> SignInDenied:
        await self._store.failed(account, now=self._clock(), why=why)
        return SignInDenied()

    def _read(self, text: str) -> tuple[int, int] | None:
        step_token = self._step_tokens.read(text)
        if step_token is None or self._clock() >= step_token.made + CODE_TIMEOUT:
            return None
        account_id, _, epoch = step_token.value.partition(" ")
        return int(account_id), int(epoch)


def _why(account: Account | None, now: datetime, *, otherwise: str) -> str:
    if account is None:
        return "no such account"
    return "disabled" if not account.enabled else "locked" if account.is_locked(now) else otherwise


def _busy(error: Exception) -> SignInDenied:
    log.error("staff sign-in: %s", error)
    return SignInDenied(words=BUSY, more=BUSY_MORE, status=503)
