"""Pages of the staff area without scripts, rendered from `server/templates/staff`."""

import base64
import hashlib
from collections.abc import Iterable
from contextvars import ContextVar
from dataclasses import dataclass

import segno
from markupsafe import Markup

from broker.server.export.scripts import inline_script
from broker.server.response import Answer
from broker.server.templating import OWN_TEMPLATES
from broker.staff.accounts import account_tone, initials
from broker.staff.menu import ACCOUNT_MENU, MENU, Entry
from broker.staff.path_rights import right_for
from broker.staff.roles import Role, may

CONTENT_SECURITY_POLICY = (
    "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
"""No scripts, and nothing from another host."""

PASSKEY_SCRIPT = inline_script("passkeys", "watchPasskeys", asks="data-asks", adds="data-adds")
"""The inline script of the pages that have forms of passkeys, which work without it by password alone."""

_WITH_PASSKEYS = frozenset(("sign_in", "account"))
"""Templates of those pages."""

_HASH = base64.b64encode(hashlib.sha256(PASSKEY_SCRIPT.encode()).digest()).decode()
_SCRIPT_POLICY = f"{CONTENT_SECURITY_POLICY}; script-src 'sha256-{_HASH}'; connect-src 'self'"
"""The policy of those pages: this script alone, and requests to the site."""

HEADERS = {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": CONTENT_SECURITY_POLICY,
    "cache-control": "no-store",
    "x-robots-tag": "noindex",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Viewer:
    """Who looks at a page: the account and its role, none before the sign-in, where in the menu, and a chosen theme.

    `demo` is what the page says where everything is made up.
    """

    name: str = ""
    role: Role | None = None
    here: str = ""
    theme: str = ""
    demo: str = ""

    @property
    def initials(self) -> str:
        return initials(self.name)

    @property
    def tone(self) -> str:
        return account_tone(self.name)

    def menu(self, entries: Iterable[Entry]) -> tuple[Entry, ...]:
        """Return the entries whose pages the role may use."""
        return tuple(each for each in entries if self.role and may(self.role, right_for(each.href)))


viewer: ContextVar[Viewer] = ContextVar("viewer")
"""The viewer of this request, which `StaffAccess` sets."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """A message at the top of a page: `tone` is `bad` or `good`."""

    title: str
    text: str = ""
    tone: str = "bad"


DATABASE_AWAY = Message(
    title="We cannot check who you are just now", text="Nothing is lost. Please load this page again in a minute."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class StaffPages:
    firm: str

    def answer(
        self, template: str, title: str, *, message: Message | None = None, status: int = 200, **values: object
    ) -> Answer:
        who = viewer.get(Viewer())
        menus = {"viewer": who, "menu": who.menu(MENU), "account_menu": who.menu(ACCOUNT_MENU)}
        context = {"firm": self.firm, "title": title, "message": message, "status": status, **menus, **values}
        script = PASSKEY_SCRIPT if template in _WITH_PASSKEYS else ""
        html = OWN_TEMPLATES.render(f"staff/{template}.html", {**context, "script": Markup(script)})
        headers = HEADERS | ({"content-security-policy": _SCRIPT_POLICY} if script else {})
        return Answer(status=status, headers=headers, body=html.encode())

    def problem(self, title: str, message: Message, *, status: int = 503, link: tuple[str, str] = ("", "")) -> Answer:
        """Return the answer with a page of a message; `link` is a path and its words."""
        return self.answer("message", title, message=message, status=status, link=link)


def redirect(location: str, *cookies: str) -> Answer:
    """Return an uncached redirect (303) with cookies to set."""
    return Answer(status=303, headers={"location": location, "cache-control": "no-store"}, cookies=cookies)


def qr_code(text: str) -> Markup:
    """Return a text as a QR code in SVG, black on white in every colour scheme."""
    return Markup(segno.make(text, error="m", micro=False).svg_inline(scale=4, border=4, light="#fff", svgclass=None))
