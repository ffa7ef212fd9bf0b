"""Judges pages of lenders and of guides: what their HTML shows, and that React reads the same."""

import json
import re
from collections.abc import Iterator
from html import unescape
from typing import Any

from broker import routes
from broker.content.guide_pages import GuidePage
from broker.lenders.page_view import LenderPage
from broker.pages.data_page import shape
from broker.server.data_pages import IN_DOCUMENT
from tests.soak.live_world import AWAY, World

LENDERS, GUIDES = "/lenders/", "/mortgage-guides/"
SHAPES = {LENDERS: shape(LenderPage), GUIDES: shape(GuidePage)}

_START = re.compile(r'<script[^>]* id="edge-answer"[^>]*>(.*?)</script>', re.DOTALL)
_NOT_WORDS = re.compile(r"<!--.*?-->|<(script|style)\b.*?</\1>", re.DOTALL)
_TAGS, _SPACES = re.compile(r"<[^>]*>"), re.compile(r"\s+")


def is_data(path: str) -> bool:
    """Return whether a path has the form of a page of data."""
    return any(path.startswith(folder) and path != folder for folder in SHAPES)


def data_address(path: str) -> str:
    """Return the address of what React reads for a page."""
    folder = next(each for each in SHAPES if path.startswith(each))
    return f"{path}{routes.PAGE_DATA.strip('/')}?shape={SHAPES[folder]}"


def view_of(html: str) -> dict[str, Any] | None:
    """Return the view in a page, from which React starts; None for a page without one."""
    found = _START.search(html)
    return json.loads(found[1])["page"] if found else None


def is_same(data: dict[str, Any], view: dict[str, Any], html: str) -> bool:
    """Return whether the JSON of a page equals its view; a long text is in the document instead."""
    return {**data, IN_DOCUMENT: ""} == {**view, IN_DOCUMENT: ""} and data.get(IN_DOCUMENT, "") in html


def check_lender(world: World, path: str, html: str, view: dict[str, Any]) -> None:
    """Judge the rates of a lender's page: filled tables with their time, or a sentence in their place."""
    blocks = view["blocks"]
    best, tables, own = blocks["best"], blocks["tables"], blocks["lender"]
    rows = [row for table in tables["tables"] for row in table["rows"]]
    words = _SPACES.sub(" ", unescape(_TAGS.sub(" ", _NOT_WORDS.sub("", html))))
    if view["problem"]:
        world.blocks["a sentence in place of a lender's rates"] += 1
        if world.deals.get(path) or view["problem"] not in words or best["deals"] or rows:
            world.violated("a lender's page lost its rates", f"{path}: {view['problem']}")
        return
    world.blocks["of a lender"] += 1
    world.blocks["of a lender, marked as old"] += bool(best["away"]) or AWAY in words
    cells = [cell for row in own["rows"] for cell in row["cells"] if cell["rate"]]
    if (not rows and not cells) or any(not table["rows"] for table in tables["tables"]):
        world.violated("a table of a lender's rates is empty", path)
    parts = (
        ([deal["fees"] for deal in best["deals"]], best["dated"], bool(best["away"])),
        ([row["fees"] for row in rows], tables["dated"], AWAY in tables["dated"]),
    )
    for fees, dated, is_marked in parts:
        world.check_fees(fees, dated, path, is_marked=is_marked)
    shown = best["deals"] if view["is_top3"] else []
    missing = [text for text in _figures(shown, rows, cells) if text not in words]
    if missing:
        world.violated("a figure of React's is not in the HTML", f"{path}: {missing[:3]}")


def _figures(*parts: list[dict[str, Any]]) -> Iterator[str]:
    """Yield the figures of deals, rows and cells."""
    for each in (row for part in parts for row in part):
        yield from (each[name] for name in ("rate", "aprc", "fees", "payment") if each.get(name))
