"""Sign in with a password, then a one-time code where the account has them.

An unknown name, a wrong password, a locked and a disabled account get the same answer after the same work; the reason
is in the audit record.
"""

import asyncio
import logging
import secrets
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from weakref import WeakValueDictionary

from broker.clock import utc_now
from broker.staff.account_store import Account, StaffStore
from broker.staff.accounts import LOCKOUT, MAX_FAILURES, normalised_password, staff_name
from broker.staff.audit import UNKNOWN_ACTOR
from broker.staff.credentials import (
    CodeSecrets,
    HashingBusyError,
    PasswordHashes,
    digits_in,
    recovery_code_in,
    recovery_digest,
    step_of,
)
from broker.staff.passkeys import Passkeys
from broker.staff.people import DEFAULT_LOOK, Look
from broker.staff.session_store import SecondFactor
from broker.staff.sessions import StaffSessions
from broker.storage.errors import StorageError
from broker.storage.rate_limit import RateLimits, client_network
from broker.storage.signed_tokens import TokenSigner

MAX_NETWORK_FAILURES, FAILURE_WINDOW = 40, timedelta(minutes=15)
"""Failures of one network in a window, over all accounts; an office shares a network."""

MAX_QUICK_FAILURES = 10
"""Failures of one network after which each further attempt waits `SLOW_SECONDS`."""

SLOW_SECONDS = 1.0

MAX_STEP_CODES = 5
"""Attempts at a code after one entry of the password."""

MAX_ACCOUNT_CODES, ACCOUNT_CODES_HOURS = 20, 6
"""Attempts at the codes of an account over all networks, and their window in hours."""

MAX_LISTED_FAILURES, LISTED_WINDOW = 20, timedelta(hours=1)
"""Failures of an account that the audit record lists in a window; the next entry counts the others."""

MAX_AT_ONCE = 4
"""Attempts of one network that are checked concurrently; the others wait."""

Sleep = Callable[[float], Awaitable[None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Client:
    """Client of a sign-in: network address, empty for a signed-in account; number of a known device; browser.

    Failures are counted by network or, for a device with a signed cookie of an earlier sign-in, by device: guesses from
    elsewhere lock neither (OWASP, Slow Down Online Guessing Attacks with Device Cookies).
    """

    address: str
    device: str = ""
    agent: str = ""


class SignInLimits:
    """Limits of failed sign-ins; the counts hold no address.

    One-time codes have their own limits, since one guess in 333,333 is right: for each entry of the password, and for
    an account over all networks. The second leaves out known devices and recovery codes, so the owner can sign in.
    """

    def __init__(self, rate_limits: RateLimits, *, sleep: Sleep = asyncio.sleep) -> None:
        self._sleep = sleep
        self._by_name = rate_limits.limit("failures of a name", most=MAX_FAILURES, window=LOCKOUT)
        self._quick = rate_limits.limit("quick failures", most=MAX_QUICK_FAILURES, window=FAILURE_WINDOW)
        self._by_network = rate_limits.limit("failures of a network", most=MAX_NETWORK_FAILURES, window=FAILURE_WINDOW)
        code_window = timedelta(hours=ACCOUNT_CODES_HOURS)
        self._by_step = rate_limits.limit("codes of a step", most=MAX_STEP_CODES, window=code_window)
        self._by_account = rate_limits.limit("codes of an account", most=MAX_ACCOUNT_CODES, window=code_window)
        self._listed = rate_limits.limit("listed failures", most=MAX_LISTED_FAILURES, window=LISTED_WINDOW)
        self._turns: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()

    @asynccontextmanager
    async def turn(self, client: Client) -> AsyncIterator[bool]:
        """Wait for the turn of a client, and yield whether it may try; False if its network failed too often."""
        network = client_network(client.address)
        turns = self._turns.setdefault(network, asyncio.Semaphore(MAX_AT_ONCE))
        async with turns:
            if await self._quick.reached(client.address) and not await self._by_network.reached(client.address):
                await self._sleep(SLOW_SECONDS)
            yield not await self._by_network.reached(client.address)

    async def is_locked(self, account: Account, client: Client) -> bool:
        """Return whether a client has failed too often at an account since its credentials were changed."""
        return await self._by_name.reached(_key(account, client))

    async def failed(self, account: Account | None, client: Client) -> bool:
        """Count a failure, and return whether it locks the account for the client."""
        if client.address:
            await self._quick.take(client.address)
            await self._by_network.take(client.address)
        if account is None or not await self._by_name.take(_key(account, client)):
            return False
        return await self.is_locked(account, client)

    async def succeeded(self, account: Account, client: Client) -> None:
        """Reset the failures of a client at an account."""
        await self._by_name.forget(_key(account, client))
        if not client.device:
            await self._by_account.forget(_account_key(account))

    async def take_step(self, step_token: str) -> bool:
        """Count an attempt at a code before it is compared; return False above the limit of its password entry."""
        return await self._by_step.take(step_token)

    async def is_step_over(self, step_token: str) -> bool:
        """Return whether the password must be entered again."""
        return await self._by_step.reached(step_token)

    async def take_account(self, account: Account, client: Client) -> bool:
        """Count an attempt at a code before it is compared; return False above the limit of its account."""
        return bool(client.device) or await self._by_account.take(_account_key(account))

    async def is_listed(self, who: str) -> bool:
        """Count a failure of an account; return whether the audit record lists it."""
        return await self._listed.take(who)


def _account_key(account: Account) -> str:
    """Return the key of an account, which changes with its credentials."""
    return f"{account.id} {account.epoch}"


def _key(account: Account, client: Client) -> str:
    return f"{_account_key(account)} {client.device or client_network(client.address)}"


NO_MATCH = "Those details do not match"
NO_MATCH_MORE = "Check them and try again. After 10 failed tries you must wait 15 minutes"
TOO_MANY = "That was tried too often"
TOO_MANY_MORE = "Wait 15 minutes before you try again"
BUSY = "We cannot check that just now"
BUSY_MORE = "Nothing is wrong with what you entered. Please try again in a minute"
TOO_LATE = "That took too long"
TOO_LATE_MORE = "Please sign in again: a code must be given within 5 minutes of the password"

NO_PASSKEY = "This passkey does not sign in here"
NO_PASSKEY_MORE = "It may have been removed, or it took too long. Try again, or use your password"

PASSKEY_NEEDED = "This account signs in with its passkey"
PASSKEY_NEEDED_MORE = "A password alone is not enough here. If the passkey is lost, ask an owner for a new link"

STEP_OVER = f"That code was wrong {MAX_STEP_CODES} times"
STEP_OVER_MORE = "Please enter your password again, then the code that your authenticator shows now"
TOO_MANY_CODES = "Too many wrong codes were tried for this account"
TOO_MANY_CODES_MORE = (
    "Use a recovery code, or a computer or telephone that you have signed in on before; otherwise wait up to "
    f"{ACCOUNT_CODES_HOURS} hours. If it was not you, somebody knows your password: change it"
)

CODE_TIMEOUT = timedelta(minutes=5)
"""Maximum time between the password and its one-time code."""

DEVICE_LIFETIME = timedelta(days=180)
"""Time for which a device is known after a sign-in."""

_OWN_ACCOUNT = "own account"
"""Device that failures at the password of a signed-in account are counted under."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class SignInDenied:
    """A failed sign-in: the reason, what to do, and the HTTP status."""

    words: str = NO_MATCH
    more: str = NO_MATCH_MORE
    status: int = 403


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeRequired:
    """The password was right; `step_token` must be sent with a one-time code."""

    step_token: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedIn:
    """A successful sign-in, with the tokens of the session's and the device's cookies, and the look of its account."""

    token: str
    device: str = ""
    look: Look = DEFAULT_LOOK


class SignIn:
    def __init__(
        self,
        store: StaffStore,
        sessions: StaffSessions,
        *,
        hashes: PasswordHashes,
        codes: CodeSecrets,
        passkeys: Passkeys,
        step_tokens: TokenSigner,
        device_tokens: TokenSigner,
        codes_required: bool = False,
        rate_limits: RateLimits | None = None,
        clock: Callable[[], datetime] = utc_now,
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        """With `codes_required`, an account that has passkeys and no one-time codes needs a passkey.

        Its password alone could set up codes, and would then be all that somebody else needs.
        """
        self._codes_required = codes_required
        self._store, self._sessions, self._hashes, self._passkeys = store, sessions, hashes, passkeys
        self._codes, self._step_tokens, self._device_tokens, self._clock = codes, step_tokens, device_tokens, clock
        self._unlisted = Counter[str]()
        self._limits = SignInLimits(rate_limits or RateLimits(clock=clock), sleep=sleep)

    async def with_password(
        self, name: object, password: object, *, address: str, device: str = "", agent: str = ""
    ) -> SignedIn | CodeRequired | SignInDenied:
        """Sign in with a name and a password, or require a code; `device` is the token of a known device.

        `agent` names the browser and the system of the session.
        """
        async with self._limits.turn(Client(address=address)) as may_try:
            if not may_try:
                return SignInDenied(words=TOO_MANY, more=TOO_MANY_MORE, status=429)
            try:
                client = Client(address=address, device=device, agent=agent)
                return await self._with_password(staff_name(name), normalised_password(password), client)
            except (StorageError, HashingBusyError) as error:
                return _busy(error)

    async def with_code(
        self, step_token: str, code: object, *, address: str, device: str = "", agent: str = ""
    ) -> SignedIn | SignInDenied:
        """Sign in with the token of a password entry, and a one-time code or a recovery code."""
        async with self._limits.turn(Client(address=address)) as may_try:
            if not may_try:
                return SignInDenied(words=TOO_MANY, more=TOO_MANY_MORE, status=429)
            try:
                client = Client(address=address, device=device, agent=agent)
                return await self._with_code(step_token, code, client)
            except StorageError as error:
                return _busy(error)

    async def with_passkey(
        self, answer: object, *, address: str, device: str = "", agent: str = ""
    ) -> SignedIn | SignInDenied:
        """Sign in with what a browser answered for a passkey, which stands for the password and the code."""
        async with self._limits.turn(Client(address=address)) as may_try:
            if not may_try:
                return SignInDenied(words=TOO_MANY, more=TOO_MANY_MORE, status=429)
            try:
                account = await self._passkeys.proven(answer)
                client = self._client(account, Client(address=address, device=device, agent=agent))
                if account is not None and account.enabled:
                    return await self._start(account, SecondFactor(), client, by_passkey=True)
                await self._fail(account, client, "passkey")
            except StorageError as error:
                return _busy(error)
        return SignInDenied(words=NO_PASSKEY, more=NO_PASSKEY_MORE)

    async def awaits_code(self, step_token: str) -> bool:
        """Return whether a code may still be entered with a token, without the password again."""
        return self._read(step_token) is not None and not await self._limits.is_step_over(step_token)

    async def confirms(self, account: Account, password: object, *, why: str) -> bool:
        """Return whether a password is the account's; a failure counts like a failed sign-in.

        `why` is the purpose, for the audit record. Raises StorageError, HashingBusyError.
        """
        is_right = await self._hashes.matches(account.password, normalised_password(password))
        client = Client(address="", device=_OWN_ACCOUNT)
        if is_right and account.enabled and not await self._limits.is_locked(account, client):
            return True
        await self._fail(account, client, why)
        return False

    async def _with_password(self, name: str, password: str, sender: Client) -> SignedIn | CodeRequired | SignInDenied:
        account = await self._store.find(name)
        client = self._client(account, sender)
        is_right = await self._hashes.matches(account.password if account else "", password)
        now = self._clock()
        if account is None or not is_right or not account.enabled or await self._limits.is_locked(account, client):
            return await self._fail(account, client, "password")
        if self._hashes.is_outdated(account.password):
            await self._store.rehash(account, await self._hashes.hash(password))
        if account.code_secret:
            return CodeRequired(step_token=self._step_tokens.write(f"{account.id} {account.epoch}", made=now))
        if self._codes_required and await self._passkeys.known(account):
            return SignInDenied(words=PASSKEY_NEEDED, more=PASSKEY_NEEDED_MORE)
        return await self._start(account, SecondFactor(), client)

    async def _with_code(self, step_token: str, code: object, sender: Client) -> SignedIn | SignInDenied:
        read = self._read(step_token)
        if read is None:
            return SignInDenied(words=TOO_LATE, more=TOO_LATE_MORE)
        account_id, epoch = read
        account = await self._store.with_id(account_id)
        if account is None or account.epoch != epoch:
            return SignInDenied(words=TOO_LATE, more=TOO_LATE_MORE)
        if not await self._limits.take_step(step_token):
            return SignInDenied(words=STEP_OVER, more=STEP_OVER_MORE)
        client = self._client(account, sender)
        if not recovery_code_in(code) and not await self._limits.take_account(account, client):
            await self._fail(account, client, "too many one-time codes")
            return SignInDenied(words=TOO_MANY_CODES, more=TOO_MANY_CODES_MORE, status=429)
        proven = self._proven(account, code, self._clock())
        if proven is None or not account.enabled or await self._limits.is_locked(account, client):
            denied = await self._fail(account, client, "one-time code")
            is_over = await self._limits.is_step_over(step_token)
            return SignInDenied(words=STEP_OVER, more=STEP_OVER_MORE) if is_over else denied
        return await self._start(account, proven, client)

    def _client(self, account: Account | None, sender: Client) -> Client:
        """Return the client of a sign-in; a device of another account is not known to this one."""
        known = self._device_tokens.read(sender.device)
        account_id, _, number = known.value.partition(" ") if known else ("", "", "")
        is_known = account is not None and account_id == str(account.id)
        return replace(sender, device=number if is_known else "")

    def _proven(self, account: Account, code: object, now: datetime) -> SecondFactor | None:
        if recovery := recovery_code_in(code):
            return SecondFactor(recovery=recovery_digest(recovery, account.id))
        secret = self._codes.decrypt(account.code_secret, account.id) if account.code_secret else b""
        step = step_of(digits_in(code), secret, now=now, after=account.code_step)
        return SecondFactor(step=step) if secret and step is not None else None

    async def _start(
        self, account: Account, proven: SecondFactor, client: Client, *, by_passkey: bool = False
    ) -> SignedIn | SignInDenied:
        token = await self._sessions.start(account, proven=proven, agent=client.agent, by_passkey=by_passkey)
        if not token:
            return await self._fail(account, client, "code used before, or the account changed")
        await self._limits.succeeded(account, client)
        number = client.device or secrets.token_hex(16)
        device = self._device_tokens.write(f"{account.id} {number}", made=self._clock())
        return SignedIn(token=token, device=device, look=account.look)

    async def _fail(self, account: Account | None, client: Client, what: str) -> SignInDenied:
        """Count a failure, and record it with its reason up to the limit; `what` is the reason of no other."""
        why = what
        if account is None:
            why = "no such account" if what != "passkey" else "no such passkey"
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
