"""The inline script in the head of every exported page (decisions 20, 21 and 25): `js/head.js` with its parameters."""

from lxml.html import HtmlElement

from broker.markup import add_styles_and_scripts
from broker.routes import COOKIE_NOTICE
from broker.server.cookie_notice import ACCEPTED, MARK, acceptance
from broker.server.inline_script import inline_script

MARKER = "data-head"
"""Attribute of the head script."""

MOVED_ATTRIBUTE = "data-moved"
"""Attribute of the root element once a link of this site was followed: later pages have every font."""

STORAGE_ATTRIBUTE = "data-storage"
"""Attribute of the root element of a visit's first page where the browser stores nothing."""

HEAD_SCRIPT = inline_script(
    "head",
    "prepareDocument",
    notice={"action": COOKIE_NOTICE, "attribute": MARK, "accepted": ACCEPTED, "cookie": acceptance(secure=False)},
    moved=MOVED_ATTRIBUTE,
    storage=STORAGE_ATTRIBUTE,
)


def has_head_script(page: HtmlElement) -> bool:
    """Return whether a page was rewritten before."""
    return bool(page.xpath(f"head/script[@{MARKER}]"))


def add_head_script(page: HtmlElement) -> None:
    """Add the head script before the first stylesheet of a page, or at the end of its head."""
    script = page.makeelement("script", {MARKER: ""})
    script.text = HEAD_SCRIPT
    add_styles_and_scripts(page, [script])
