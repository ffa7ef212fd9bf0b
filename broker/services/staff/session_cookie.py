"""Session cookie of staff: host-only, HttpOnly, SameSite=Strict.

Its name begins with `__Host-`, which a browser takes over https only, without a domain and for every path, so that no
other host of the same domain can set it. On one's own machine, without https, the name has no prefix.
"""

import re
from dataclasses import dataclass
from urllib.parse import urlsplit

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
