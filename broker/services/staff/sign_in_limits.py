"""Limits of guesses at the sign-in: for a name from one client, and for all names from one network.

A client is a network, or a device that has signed in before, which its signed cookie proves: whoever guesses elsewhere
locks neither (OWASP, Slow Down Online Guessing Attacks with Device Cookies). Counts hold no address.

One-time codes have limits of their own, because one of 333,333 guesses is right: for one entry of the password, and for
an account over all networks. The second counts no known device and no recovery code, so its owner can still sign in.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from weakref import WeakValueDictionary

from broker.domain.staff.accounts import LOCKOUT, MAX_FAILURES
from broker.services.rate_limit import RateLimits, client_network
from broker.storage.staff.accounts import Account

MAX_NETWORK_FAILURES, FAILURE_WINDOW = 40, timedelta(minutes=15)
"""Failures of one network in a window, whatever the names; an office shares a network."""

MAX_QUICK_FAILURES = 10
"""Failures of one network after which each further try waits `SLOW_SECONDS`."""

SLOW_SECONDS = 1.0

MAX_STEP_CODES = 5
"""Codes that may be tried after one entry of the password."""

MAX_ACCOUNT_CODES, ACCOUNT_CODES_HOURS = 20, 6
"""Codes that may be tried for an account in a window of so many hours, whatever the networks."""

MAX_LISTED_FAILURES, LISTED_WINDOW = 20, timedelta(hours=1)
"""Failures of a name that the audit record lists in a window; the others are counted in its next entry."""

MAX_AT_ONCE = 4
"""Tries of one network that are checked at the same time; the others wait for their turn."""

Sleep = Callable[[float], Awaitable[None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Client:
    """Who tries to sign in: the network address, empty for somebody signed in, and the number of a known device."""

    address: str
    device: str = ""


class SignInLimits:
    """Counts failures, and tells who must wait."""

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
        """Wait for the turn of a client; yields whether it may try, False where its network failed too often."""
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
        """Forget a client's failures at an account."""
        await self._by_name.forget(_key(account, client))
        if not client.device:
            await self._by_account.forget(_account_key(account))

    async def take_step(self, step_token: str) -> bool:
        """Count a code that is tried after the password, before it is compared; False for one too many."""
        return await self._by_step.take(step_token)

    async def is_step_over(self, step_token: str) -> bool:
        """Return whether the password must be entered again."""
        return await self._by_step.reached(step_token)

    async def take_account(self, account: Account, client: Client) -> bool:
        """Count a one-time code that is tried for an account, before it is compared; False for one too many."""
        return bool(client.device) or await self._by_account.take(_account_key(account))

    async def is_listed(self, who: str) -> bool:
        """Return whether the audit record lists another failure of a name."""
        return await self._listed.take(who)


def _account_key(account: Account) -> str:
    """Return the key of an account, which is another once its credentials are changed."""
    return f"{account.id} {account.epoch}"


def _key(account: Account, client: Client) -> str:
    return f"{_account_key(account)} {client.device or client_network(client.address)}"
