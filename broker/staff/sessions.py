"""Sessions of staff, found by the cookie of a request or a socket and cached for a few seconds.

A session that this process ends is over at once; one that another process ends (an account disabled on the command
line, a sign-out elsewhere) when the cache expires.
"""

import re
import secrets
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from urllib.parse import urlsplit

from cachetools import LRUCache

from broker.staff.account_store import Account
from broker.staff.accounts import StaffSession
from broker.staff.session_store import SecondFactor, StaffSessionStore, session_key
from broker.storage.signed_tokens import utc_now

# Its name begins with `__Host-`, which a browser takes over https only, without a domain and for every path, so that
# no other host of the same domain can set it. On one's own machine, without https, the name has no prefix.

OWN_MACHINE = frozenset({"localhost", "127.0.0.1", "::1"})

TOKEN_BYTES = 32
"""256 random bits."""

_TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")
_LONGEST = 16_000


@dataclass(frozen=True, slots=True, kw_only=True)
class StaffCookies:
    """The cookies of a session, and of a sign-in between its two steps."""

    site_url: str

    @property
    def is_secure(self) -> bool:
        return self.site_url.startswith("https://")

    @property
    def session(self) -> str:
        return self._named("staff")

    @property
    def step(self) -> str:
        """Return the name of the cookie between the password and the one-time code."""
        return self._named("staff-step")

    @property
    def device(self) -> str:
        """Return the name of the cookie by which a device that signed in before is known."""
        return self._named("staff-device")

    def may_be_set(self, host: str) -> bool:
        """Tell whether staff can sign in at a host, which may have its port: over https, or on one's own machine."""
        if self.is_secure:
            return True
        try:
            return {urlsplit(self.site_url).hostname, urlsplit(f"//{host}").hostname} <= OWN_MACHINE
        except ValueError:
            return False

    def token_in(self, cookie_header: str) -> str:
        """Return the token in a request's Cookie header; empty where there is none that could be ours."""
        token = self.value_in(cookie_header, self.session)
        return token if _TOKEN.fullmatch(token) else ""

    def value_in(self, cookie_header: str, name: str) -> str:
        """Return a cookie of a header by its name, empty where it is not there."""
        pairs = (pair.partition("=") for pair in cookie_header[:_LONGEST].split(";"))
        return next((value.strip() for key, _, value in pairs if key.strip() == name), "")

    def put(self, name: str, value: str, *, seconds: int | None = None) -> str:
        """Return the header that sets a cookie: until the browser closes, or for some seconds; 0 takes it away."""
        age = "" if seconds is None else f"; Max-Age={seconds}"
        secure = "; Secure" if self.is_secure else ""
        return f"{name}={value}{age}; Path=/; HttpOnly; SameSite=Strict{secure}"

    def _named(self, name: str) -> str:
        return f"__Host-{name}" if self.is_secure else name


CACHE_LIFETIME = timedelta(seconds=3)
"""Time for which a session is not read again."""

TOUCH_INTERVAL = timedelta(minutes=1)
"""Shortest time between two writes of a session's last use."""

MAX_CACHED = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class _Seen:
    """A cached session, and when it was read."""

    session: StaffSession
    at: datetime


class StaffSessions:
    """Sessions by the cookies that carry their tokens."""

    def __init__(
        self,
        store: StaffSessionStore,
        cookies: StaffCookies,
        *,
        codes_required: bool = False,
        clock: Callable[[], datetime] = utc_now,
    ) -> None:
        """With `codes_required` a session of an account without one-time codes is good for setting them up alone."""
        self.cookies = cookies
        self._codes_required = codes_required
        self._store, self._clock = store, clock
        self._seen: LRUCache[str, _Seen] = LRUCache(MAX_CACHED)
        self._ended = 0

    async def signed_in(self, cookie_header: str) -> StaffSession | None:
        """Return the live session of a Cookie header and extend it; None where there is none. Raises StorageError."""
        session = await self.for_own_account(cookie_header)
        return None if session and self._codes_required and not session.has_codes else session

    async def for_own_account(self, cookie_header: str) -> StaffSession | None:
        """Return the session as `signed_in`, also where codes are required and not set up yet."""
        key = self.key_of(cookie_header)
        session = await self._found(key) if key else None
        return await self._touched(session) if session else None

    def key_of(self, cookie_header: str) -> str:
        """Return the key of the session that a Cookie header names, live or not; empty for none."""
        token = self.cookies.token_in(cookie_header)
        return session_key(token) if token else ""

    async def start(self, account: Account, *, proven: SecondFactor | None = None) -> str:
        """Start a session and return its token; empty where the account may no longer sign in. Raises StorageError."""
        token = _new_token()
        is_started = await self._store.start(account, token, now=self._clock(), factor=proven)
        return token if is_started else ""

    async def renew(self, session: StaffSession) -> str:
        """Return a new token for a session, in place of the one it had; raises StorageError."""
        token = _new_token()
        self._forget(lambda seen: seen.key == session.key)
        await self._store.replace(session, token)
        return token

    async def end(self, session: StaffSession, *, everywhere: bool = False) -> None:
        """End a session, or all of its account's; raises StorageError."""
        self._forget(lambda seen: seen.account_id == session.account_id if everywhere else seen.key == session.key)
        await self._store.end(session, self._clock(), everywhere=everywhere)
        self._forget(lambda seen: seen.account_id == session.account_id if everywhere else seen.key == session.key)

    def forget(self, account_id: int) -> None:
        self._forget(lambda seen: seen.account_id == account_id)

    async def _found(self, key: str) -> StaffSession | None:
        now, ended = self._clock(), self._ended
        seen = self._seen.get(key)
        if seen and timedelta(0) <= now - seen.at < CACHE_LIFETIME:  # less than none: the clock was set back since
            return None if seen.session.has_ended(now) else seen.session
        session = await self._store.find(key, now)
        self._seen.pop(key, None)
        # do not cache a session that ended while it was read
        if session and ended == self._ended:
            self._seen[session.key] = _Seen(session=session, at=now)
        return session

    async def _touched(self, session: StaffSession) -> StaffSession:
        now = self._clock()
        if abs(now - session.touched) < TOUCH_INTERVAL:
            return session
        touched = replace(session, touched=now)
        if seen := self._seen.get(session.key):
            self._seen[session.key] = replace(seen, session=touched)
        await self._store.touch(session.key, now)
        return touched

    def _forget(self, which: Callable[[StaffSession], bool]) -> None:
        self._ended += 1
        for key in [key for key, seen in self._seen.items() if which(seen.session)]:
            del self._seen[key]


def _new_token() -> str:
    return secrets.token_urlsafe(TOKEN_BYTES)
