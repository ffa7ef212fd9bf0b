"""Staff sessions and their cookies."""

import re
import secrets
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from urllib.parse import urlsplit

from cachetools import LRUCache

from broker.clock import utc_now
from broker.staff.account_store import Account
from broker.staff.accounts import StaffSession
from broker.staff.people import OpenSession
from broker.staff.session_store import SecondFactor, StaffSessionStore, session_key

_LOOPBACK_HOSTS = frozenset({"localhost", "127.0.0.1", "::1"})

THEME_COOKIE, KEYS_COOKIE = "desk_theme", "desk_keys"
"""Cookies of the theme and of single keys, which scripts of the staff pages read and set."""

TOKEN_BYTES = 32
"""256 random bits."""

_BY_PASSKEY = "passkey."
"""How the token of a session begins that a passkey began: its digest is stored, so nobody can add or remove that."""

_TOKEN = re.compile(rf"(?:{re.escape(_BY_PASSKEY)})?[A-Za-z0-9_-]{{43}}")
_MAX_COOKIE_HEADER = 16_000


@dataclass(frozen=True, slots=True, kw_only=True)
class StaffCookies:
    """The cookies of a session, of a sign-in between its two steps, and of a known device.

    Over https their names begin with `__Host-`, so that no other host of the domain can set them.
    """

    site_url: str

    @property
    def is_secure(self) -> bool:
        return self.site_url.startswith("https://")

    @property
    def session(self) -> str:
        return self._named("staff")

    @property
    def step(self) -> str:
        """Name of the cookie between the password and the one-time code."""
        return self._named("staff-step")

    @property
    def device(self) -> str:
        """Name of the cookie of a device that has signed in before."""
        return self._named("staff-device")

    def may_be_set(self, host: str) -> bool:
        """Return whether staff can sign in at a host, with or without port: over https, or on loopback."""
        if self.is_secure:
            return True
        try:
            return {urlsplit(self.site_url).hostname, urlsplit(f"//{host}").hostname} <= _LOOPBACK_HOSTS
        except ValueError:
            return False

    def token_in(self, cookie_header: str) -> str:
        """Return the session token in a Cookie header, empty for none or a malformed one."""
        token = self.value_in(cookie_header, self.session)
        return token if _TOKEN.fullmatch(token) else ""

    def value_in(self, cookie_header: str, name: str) -> str:
        """Return the value of a cookie in a Cookie header, empty if it is missing."""
        pairs = (pair.partition("=") for pair in cookie_header[:_MAX_COOKIE_HEADER].split(";"))
        return next((value.strip() for key, _, value in pairs if key.strip() == name), "")

    def put(self, name: str, value: str, *, seconds: int | None = None) -> str:
        """Return the Set-Cookie value of a cookie: until the browser closes, or for some seconds; 0 deletes it."""
        age = "" if seconds is None else f"; Max-Age={seconds}"
        secure = "; Secure" if self.is_secure else ""
        return f"{name}={value}{age}; Path=/; HttpOnly; SameSite=Strict{secure}"

    def put_for_scripts(self, name: str, value: str, *, seconds: int) -> str:
        """Return the Set-Cookie value of a choice that scripts of pages read, as `desk.js` sets it."""
        secure = "; Secure" if self.is_secure else ""
        return f"{name}={value}; Max-Age={seconds}; Path=/; SameSite=Lax{secure}"

    def _named(self, name: str) -> str:
        return f"__Host-{name}" if self.is_secure else name


CACHE_LIFETIME = timedelta(seconds=3)
"""Time for which a session is cached."""

TOUCH_INTERVAL = timedelta(minutes=1)
"""Minimum time between two writes of a session's last use."""

MAX_CACHED = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class _CachedSession:
    """A session, and when it was read."""

    session: StaffSession
    at: datetime


class StaffSessions:
    """Sessions by their cookies, cached for `CACHE_LIFETIME`.

    A session that this process ends is over at once; one that another process ends, when the cache expires.
    """

    def __init__(
        self,
        store: StaffSessionStore,
        cookies: StaffCookies,
        *,
        codes_required: bool = False,
        clock: Callable[[], datetime] = utc_now,
    ) -> None:
        """With `codes_required`, a session without a second factor can only set up one-time codes or add a passkey."""
        self.cookies = cookies
        self._codes_required = codes_required
        self._store, self._clock = store, clock
        self._cache: LRUCache[str, _CachedSession] = LRUCache(MAX_CACHED)
        self._ended = 0

    async def signed_in(self, cookie_header: str) -> StaffSession | None:
        """Return the session of a Cookie header and extend it, None without one; raises StorageError."""
        return self._full(await self.for_own_account(cookie_header))

    async def current(self, cookie_header: str) -> StaffSession | None:
        """Return the session like `signed_in` without extending it; raises StorageError."""
        return self._full(await self._of(cookie_header))

    async def for_own_account(self, cookie_header: str) -> StaffSession | None:
        """Return the session like `signed_in`, also where required codes are not set up yet."""
        session = await self._of(cookie_header)
        return await self._touch(session) if session else None

    def key_of(self, cookie_header: str) -> str:
        """Return the key of the session in a Cookie header, expired or not; empty for none."""
        token = self.cookies.token_in(cookie_header)
        return session_key(token) if token else ""

    async def start(
        self, account: Account, *, proven: SecondFactor | None = None, agent: str = "", by_passkey: bool = False
    ) -> str:
        """Start a session in a browser (`agent`) and return its token; raises StorageError.

        It is empty if the account may no longer sign in.
        """
        token = _new_token(by_passkey=by_passkey)
        is_started = await self._store.start(account, token, now=self._clock(), factor=proven, agent=agent)
        return token if is_started else ""

    async def of_account(self, account_id: int) -> tuple[OpenSession, ...]:
        """Return the open sessions of an account, newest first; raises StorageError."""
        return await self._store.sessions_of(account_id, self._clock())

    async def renew(self, session: StaffSession) -> str:
        """Replace the token of a session and return the new one; raises StorageError."""
        token = _new_token(by_passkey=session.by_passkey)
        self._forget(lambda cached: cached.key == session.key)
        await self._store.replace(session, token)
        return token

    async def end(self, session: StaffSession, *, everywhere: bool = False) -> None:
        """End a session, or all of its account's; raises StorageError."""

        def is_ended(cached: StaffSession) -> bool:
            return cached.account_id == session.account_id if everywhere else cached.key == session.key

        self._forget(is_ended)
        await self._store.end(session, self._clock(), everywhere=everywhere)
        self._forget(is_ended)  # it may have been read again meanwhile

    def forget(self, account_id: int) -> None:
        self._forget(lambda cached: cached.account_id == account_id)

    def _full(self, session: StaffSession | None) -> StaffSession | None:
        """Return a session that may do all that its role may; None for one that lacks a factor."""
        return None if session and self._codes_required and not session.has_two_factors else session

    async def _of(self, cookie_header: str) -> StaffSession | None:
        token = self.cookies.token_in(cookie_header)
        session = await self._find(session_key(token)) if token else None
        return replace(session, by_passkey=token.startswith(_BY_PASSKEY)) if session else None

    async def _find(self, key: str) -> StaffSession | None:
        now, ended = self._clock(), self._ended
        cached = self._cache.get(key)
        if cached and timedelta(0) <= now - cached.at < CACHE_LIFETIME:  # negative where the clock was set back
            return None if cached.session.has_ended(now) else cached.session
        session = await self._store.find(key, now)
        self._cache.pop(key, None)
        # do not cache a session that ended while it was read
        if session and ended == self._ended:
            self._cache[session.key] = _CachedSession(session=session, at=now)
        return session

    async def _touch(self, session: StaffSession) -> StaffSession:
        now = self._clock()
        if abs(now - session.touched) < TOUCH_INTERVAL:
            return session
        touched = replace(session, touched=now)
        if cached := self._cache.get(session.key):
            self._cache[session.key] = replace(cached, session=touched)
        await self._store.touch(session.key, now)
        return touched

    def _forget(self, which: Callable[[StaffSession], bool]) -> None:
        self._ended += 1
        for key in [key for key, cached in self._cache.items() if which(cached.session)]:
            del self._cache[key]


def _new_token(*, by_passkey: bool) -> str:
    return f"{_BY_PASSKEY if by_passkey else ''}{secrets.token_urlsafe(TOKEN_BYTES)}"
