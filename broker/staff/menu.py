"""The menu of the staff area, which its pages with and without scripts draw alike."""

from collections.abc import Mapping
from dataclasses import dataclass

from broker import routes

DEMO_WORDS = "Demo: everything here is made up"
"""What every page says where it is so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """An entry: its words, path, icon in the tab bar of small screens, and the key that goes to it after `g`.

    `is_template`: the server draws the page, so the browser loads it; React's router knows no such page.
    """

    words: str
    href: str
    icon: str = ""
    key: str = ""
    is_template: bool = False


MENU = (
    Entry(words="Today", href=routes.STAFF, icon="home", key="t"),
    Entry(words="Cases", href=routes.STAFF_ENQUIRIES, icon="list", key="c"),
    Entry(words="Diary", href=routes.STAFF_DIARY, icon="call", key="d", is_template=True),
    Entry(words="Figures", href=routes.STAFF_FIGURES, icon="chart", key="f"),
    Entry(words="Duties", href=routes.STAFF_DUTIES, key="u"),
    Entry(words="Logos", href=routes.UPDATE_LENDERS, key="l"),
    Entry(words="Accounts", href=routes.STAFF_ACCOUNTS, key="a"),
)
"""The top bar. Entries with an icon stand in the tab bar of small screens, the others under its last, More."""

ACCOUNT_MENU = (
    Entry(words="Your account", href=routes.STAFF_ACCOUNT, is_template=True),
    Entry(words="Mail", href=routes.STAFF_MAIL, is_template=True),
    Entry(words="Watches to call", href=routes.STAFF_WATCHES, is_template=True),
    Entry(words="Promotions", href=routes.STAFF_PROMOTIONS),
    Entry(words="Health of the site", href=routes.STAFF_HEALTH, key="o"),
    Entry(words="When lenders let borrowers book", href=routes.STAFF_WINDOWS, is_template=True),
    Entry(words="Record of what was done", href=routes.STAFF_RECORD, key="r"),
)
"""The menu of the signed-in account."""


def keys() -> Mapping[str, Entry]:
    """Return the entries that have keys by the keys that go to them."""
    return {f"g {each.key}": each for each in (*MENU, *ACCOUNT_MENU) if each.key}


def here(path: str) -> str:
    """Return the path of the entry that a page belongs to; empty for none."""
    hrefs = (each.href for each in (*ACCOUNT_MENU, *MENU) if each.href not in (routes.STAFF, routes.HOME))
    return path if path == routes.STAFF else next((href for href in hrefs if path.startswith(href)), "")
