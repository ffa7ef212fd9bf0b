"""What an editor saves in the content service before the webhook fires, and where each of it shows on the site.

A `SavedEdit` is one of them: it changes the good answer of a call, as `Standin.edit` wants it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from broker import routes
from tests.soak import edited_content
from tests.soak.edited_content import Content, Item
from tests.standin.site import Edit

GUIDE = "what-is-ltv"


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedEdit:
    """One thing that was saved: `words` are new, and show at `path` once it is published."""

    words: str
    path: str
    edit: Callable[[str, Any, str], Any]


def page_heading(slug: str, words: str, *, path: str) -> SavedEdit:
    """Return a page's new heading; `slug` is WordPress's, `path` is where our site has the page."""

    def edit(call: str, tree: Any, words: str) -> Any:
        return [_headed(row, words) if row["slug"] == slug else row for row in tree] if call == "pages" else tree

    return SavedEdit(words=words, path=path, edit=edit)


def _headed(row: dict[str, Any], words: str) -> dict[str, Any]:
    return row | {"title": {"rendered": words}}


def _question(call: str, tree: Any, words: str) -> Any:
    """Reword the first question of the first customer type."""
    if call != "faqs":
        return tree
    kind, (first, *others) = next(iter(tree.items()))
    return tree | {kind: [first | {"post_title": words}, *others]}


def _menu_entry(call: str, tree: Any, words: str) -> Any:
    """Rename the entry of the calculators in the main menu."""
    if call != "graphql" or "mainMenu" not in tree.get("data", {}):
        return tree
    menu = tree["data"]["mainMenu"]
    nodes = [node | {"label": words} if node["path"].endswith("/calculators/") else node for node in menu["nodes"]]
    return tree | {"data": tree["data"] | {"mainMenu": menu | {"nodes": nodes}}}


def _guide(call: str, tree: Any, words: str) -> Any:
    """Add a sentence to the text of a guide."""
    if call != "pages":
        return tree
    return [_saying(row, words) if row["slug"] == GUIDE else row for row in tree]


def _saying(row: dict[str, Any], words: str) -> dict[str, Any]:
    return row | {"content": row["content"] | {"rendered": f"{row['content']['rendered']}<p>{words}</p>"}}


EDITS = (
    SavedEdit(words="A deposit of a tenth makes a loan to value of 90%.", path=routes.guide(GUIDE), edit=_guide),
    page_heading("home", "Mortgage advice for every home", path=routes.HOME),
    page_heading("about-us", "Who we are and how we work", path=routes.ABOUT),
    SavedEdit(words="What can I afford to borrow?", path="/first-time-buyer/", edit=_question),
    SavedEdit(words="Work out your payments", path=routes.LENDERS, edit=_menu_entry),
)
"""A guide, which is data; then what is compiled: two headings, a question, and an entry of the menu of every page."""


def saving(edits: Sequence[SavedEdit] = EDITS) -> Edit:
    """Return what makes the good answers say all that was saved."""

    def edit(call: str, tree: Any) -> Any:
        for one in edits:
            tree = one.edit(call, tree, one.words)
        return tree

    return edit


REMOVED = (
    "conveyancing-basics",
    "what-is-aprc",
    "improve-your-credit-score",
    "shared-ownership",
    "leasehold-explained",
)


def removing() -> Edit:
    """Return what takes so many guides out of the good answers that it must be asked for."""
    gone = (Item(kind=edited_content.GUIDE, key=routes.guide(slug), slug=slug, is_gone=True) for slug in REMOVED)
    return Content(items={item.key: item for item in gone}).edit
