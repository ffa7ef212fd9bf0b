"""A small export with the pages of enquiries that the edge fills, and the forms that are posted to it."""

from __future__ import annotations

from pathlib import Path

from starlette.datastructures import FormData, Headers

from broker import routes
from broker.presenters.marks import CLOSES, OPENS
from broker.web.forms.posts import Sender
from broker.web.serving.releases import LiveExport
from broker.web.serving.response import Answer
from tests.unit.services.enquiring import ADDRESS, FORM
from tests.unit.web.site import SITE, put_release

HOSTILE = '"><script>alert(1)</script>'
NAMES = ("name", "telephone", "email", "message", "came_from", "reference")
FIELDS = "".join(f"<i>__{name}__</i>" for name in NAMES)
FACTS = "__label__: __words__ "


def part(name: str, inner: str = "") -> str:
    """Return a part of a page, with its name in it."""
    return f"{OPENS.format(name)}<u>{name}</u>{inner}{CLOSES.format(name)}"


LIST = part("problems", part("problem", "__reason__ " + part("linked", "__place__")))
SENT = part("sent", FACTS)
QUESTION = (
    part("fixed", "__name__=__value__ ")
    + part("box", f"__name__=__value__ {part('told', '__reason__ ')}")
    + part("choice", "__name__ " + part("options", '<b data-if-checked="__chosen__">__value__</b> '))
)
PAGES = {
    "contact": f'{LIST}{FIELDS}<b data-if-checked="__kind-contact__"></b>',
    "check": f"{LIST}{FIELDS}{part('answers', f'{FACTS}__href__ ')}",
    "unsent": "__reason__ __go-on__ __href__",
    "question": f"{LIST}__question__ __action__ __step__ {part('fields', QUESTION)}",
    "thank-you": f"__next-call__{part('known', f'__reference__ __link__ {SENT}')}",
    "your-enquiry": "__heading__" + LIST + part("gone") + part("asked") + part("found", SENT) + part("look", FIELDS),
}


def live_export(folder: Path) -> LiveExport:
    """Return the export, opened."""
    pages = {f"__{routes.edge_template(name)}.html": f"<html><body>{html}</body></html>" for name, html in PAGES.items()}
    put_release(folder, **pages)
    export = LiveExport(folder, SITE)
    export.open()
    return export


def form(**fields: object) -> FormData:
    """Return a good form, with some fields otherwise."""
    given = {**FORM, "text_version": "2026-11-21", **fields}
    pairs = [(name, each) for name, value in given.items() for each in (value if isinstance(value, list) else [value])]
    return FormData([(name, str(value)) for name, value in pairs])


def sender(cookie: str = "", address: str = ADDRESS) -> Sender:
    """Return who sends a form, with a cookie."""
    return Sender(address=address, headers=Headers({"cookie": cookie, "accept-encoding": "identity"}))


def text(answer: Answer) -> str:
    """Return the page of an answer."""
    return answer.body.decode()
