"""Sign in with a password, then a one-time code where the account has them.

An unknown name, a wrong password, a locked and a disabled account get the same answer after the same work; the reason
is in the audit record.
"""

import asyncio
import logging
import secrets
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from broker.domain.enquiries.stored_records import StorageError
from broker.domain.staff.accounts import normalised_password, staff_name
from broker.domain.staff.audit import UNKNOWN_ACTOR
from broker.services.rate_limit import RateLimits
from broker.services.signed_tokens import TokenSigner, utc_now
from broker.services.staff.one_time_codes import CodeSecrets, digits_in, recovery_code_in, recovery_digest, step_of
from broker.services.staff.password_hashing import HashingBusyError, PasswordHashes
from broker.services.staff.sessions import StaffSessions
from broker.services.staff.sign_in_limits import ACCOUNT_CODES_HOURS, MAX_STEP_CODES, Client, SignInLimits, Sleep
from broker.storage.staff.accounts import Account, StaffStore
from broker.storage.staff.sessions import SecondFactor

NO_MATCH = "Those details do not match"
NO_MATCH_MORE = "Check them and try again. After 10 failed tries you must wait 15 minutes"
TOO_MANY = "That was tried too often"
TOO_MANY_MORE = "Wait 15 minutes before you try again"
BUSY = "We cannot check that just now"
BUSY_MORE = "Nothing is wrong with what you entered. Please try again in a minute"
TOO_LATE = "That took too long"
TOO_LATE_MORE = "Please sign in again: a code must be given within 5 minutes of the password"

STEP_OVER = f"That code was wrong {MAX_STEP_CODES} times"
STEP_OVER_MORE = "Please enter your password again, then the code that your authenticator shows now"
TOO_MANY_CODES = "Too many wrong codes were tried for this account"
TOO_MANY_CODES_MORE = (
    "Use a recovery code, or a computer or telephone that you have signed in on before; otherwise wait up to "
    f"{ACCOUNT_CODES_HOURS} hours. If it was not you, somebody knows your password: change it"
)

CODE_TIMEOUT = timedelta(minutes=5)
"""Time between the password and its one-time code."""

DEVICE_LIFETIME = timedelta(days=180)
"""How long a device that signed in is known, from its last sign-in."""

OWN_ACCOUNT = "own account"
"""Counts failures at the password of one's own account, typed by somebody who is signed in."""

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
    """Somebody is signed in; the tokens are for their cookies: of the session, and of the device."""

    token: str
    device: str = ""


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
        device_tokens: TokenSigner,
        rate_limits: RateLimits | None = None,
        clock: Callable[[], datetime] = utc_now,
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        self._store, self._sessions, self._hashes = store, sessions, hashes
        self._codes, self._step_tokens, self._device_tokens, self._clock = codes, step_tokens, device_tokens, clock
        self._unlisted = Counter[str]()
        self._limits = SignInLimits(rate_limits or RateLimits(clock=clock), sleep=sleep)

    async def with_password(
        self, name: object, password: object, *, address: str, device: str = ""
    ) -> SignedIn | CodeRequired | SignInDenied:
        """Sign in with a name and a password, or require a code; `device` is the token of one that signed in before."""
        async with self._limits.turn(Client(address=address)) as may_try:
            if not may_try:
                return SignInDenied(words=TOO_MANY, more=TOO_MANY_MORE, status=429)
            try:
                return await self._with_password(
                    staff_name(name), normalised_password(password), address=address, device=device
                )
            except (StorageError, HashingBusyError) as error:
                return _busy(error)

    async def with_code(
        self, step_token: str, code: object, *, address: str, device: str = ""
    ) -> SignedIn | SignInDenied:
        """Sign in with the step_token of a password, and a one-time code or a recovery code."""
        async with self._limits.turn(Client(address=address)) as may_try:
            if not may_try:
                return SignInDenied(words=TOO_MANY, more=TOO_MANY_MORE, status=429)
            try:
                return await self._with_code(step_token, code, address=address, device=device)
            except StorageError as error:
                return _busy(error)

    async def awaits_code(self, step_token: str) -> bool:
        """Return whether a code may be entered with a step_token; otherwise the password comes first."""
        return self._read(step_token) is not None and not await self._limits.is_step_over(step_token)

    async def confirms(self, account: Account, password: object, *, why: str) -> bool:
        """Return whether a password is the account's; a failure counts like one at the sign-in.

        `why` is the purpose, for the audit record. Raises StorageError, HashingBusyError.
        """
        is_right = await self._hashes.matches(account.password, normalised_password(password))
        client = Client(address="", device=OWN_ACCOUNT)
        if is_right and account.enabled and not await self._limits.is_locked(account, client):
            return True
        await self._fail(account, client, why)
        return False

    async def _with_password(
        self, name: str, password: str, *, address: str, device: str
    ) -> SignedIn | CodeRequired | SignInDenied:
        account = await self._store.find(name)
        client = self._client(account, address, device)
        is_right = await self._hashes.matches(account.password if account else "", password)
        now = self._clock()
        if account is None or not is_right or not account.enabled or await self._limits.is_locked(account, client):
            return await self._fail(account, client, "password")
        if self._hashes.is_outdated(account.password):
            await self._store.rehash(account, await self._hashes.hash(password))
        if account.code_secret:
            return CodeRequired(step_token=self._step_tokens.write(f"{account.id} {account.epoch}", made=now))
        return await self._start(account, SecondFactor(), client)

    async def _with_code(self, step_token: str, code: object, *, address: str, device: str) -> SignedIn | SignInDenied:
        read = self._read(step_token)
        if read is None:
            return SignInDenied(words=TOO_LATE, more=TOO_LATE_MORE)
        account_id, epoch = read
        account = await self._store.with_id(account_id)
        if account is None or account.epoch != epoch:
            return SignInDenied(words=TOO_LATE, more=TOO_LATE_MORE)
        if not await self._limits.take_step(step_token):
            return SignInDenied(words=STEP_OVER, more=STEP_OVER_MORE)
        client = self._client(account, address, device)
        if not recovery_code_in(code) and not await self._limits.take_account(account, client):
            await self._fail(account, client, "too many one-time codes")
            return SignInDenied(words=TOO_MANY_CODES, more=TOO_MANY_CODES_MORE, status=429)
        proven = self._proven(account, code, self._clock())
        if proven is None or not account.enabled or await self._limits.is_locked(account, client):
            denied = await self._fail(account, client, "one-time code")
            is_over = await self._limits.is_step_over(step_token)
            return SignInDenied(words=STEP_OVER, more=STEP_OVER_MORE) if is_over else denied
        return await self._start(account, proven, client)

    def _client(self, account: Account | None, address: str, device: str) -> Client:
        """Return who tries to sign in to an account; a device of another account counts as its network."""
        known = self._device_tokens.read(device)
        account_id, _, number = known.value.partition(" ") if known else ("", "", "")
        is_known = account is not None and account_id == str(account.id)
        return Client(address=address, device=number if is_known else "")

    def _proven(self, account: Account, code: object, now: datetime) -> SecondFactor | None:
        if recovery := recovery_code_in(code):
            return SecondFactor(recovery=recovery_digest(recovery, account.id))
        secret = self._codes.decrypt(account.code_secret, account.id) if account.code_secret else b""
        step = step_of(digits_in(code), secret, now=now, after=account.code_step)
        return SecondFactor(step=step) if secret and step is not None else None

    async def _start(self, account: Account, proven: SecondFactor, client: Client) -> SignedIn | SignInDenied:
        token = await self._sessions.start(account, proven=proven)
        if not token:
            return await self._fail(account, client, "code used before, or the account changed")
        await self._limits.succeeded(account, client)
        number = client.device or secrets.token_hex(16)
        device = self._device_tokens.write(f"{account.id} {number}", made=self._clock())
        return SignedIn(token=token, device=device)

    async def _fail(self, account: Account | None, client: Client, what: str) -> SignInDenied:
        """Count a failure at `what`, or for a better reason, and record it where it is not one of many."""
        why = what
        if account is None:
            why = "no such account"
        elif not account.enabled:
            why = "disabled"
        elif await self._limits.is_locked(account, client):
            why = "locked"
        locks = await self._limits.failed(account, client)
        who = account.name if account else UNKNOWN_ACTOR
        if not await self._limits.is_listed(who):
            self._unlisted[who] += 1
        else:
            more = self._unlisted.pop(who, 0)
            detail = f"{why}; {more:,} more failures before this one are not listed" if more else why
            await self._store.failed(account, now=self._clock(), why=detail, locks=locks)
        return SignInDenied()

    def _read(self, text: str) -> tuple[int, int] | None:
        step_token = self._step_tokens.read(text)
        if step_token is None or self._clock() >= step_token.made + CODE_TIMEOUT:
            return None
        account_id, _, epoch = step_token.value.partition(" ")
        return int(account_id), int(epoch)


def _busy(error: Exception) -> SignInDenied:
    log.error("staff sign-in: %s", error)
    return SignInDenied(words=BUSY, more=BUSY_MORE, status=503)
