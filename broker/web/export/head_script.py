"""The inline script in the head of every exported page (decisions 20, 21 and 25): `js/head.js` with its parameters."""

from markupsafe import Markup

from broker.routes import COOKIE_NOTICE
from broker.web.inline_script import inline_script
from broker.web.markup import first_stylesheet
from broker.web.serving.cookie_notice import ACCEPTED, MARK, acceptance

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
START_TAG = Markup("<script {}>").format(MARKER)
"""Start of the head script's element; a page that has it was rewritten before."""

HEAD_ELEMENT = Markup("{}{}</script>").format(START_TAG, Markup(HEAD_SCRIPT))


def add_head_script(html: str) -> str:
    """Return a page with the head script before its first stylesheet, or at the end of its head."""
    return html.replace(before := first_stylesheet(html), f"{HEAD_ELEMENT}{before}", 1)
