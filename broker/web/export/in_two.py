"""A page in two: what is below is not laid out before the whole stylesheet is there.

A script in the middle of the page asks for it, and hides what comes after; then it shows that part by part, so that no
step takes long. Without scripts the stylesheet stands there itself, and a browser reads on when it has it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from broker.web.export.deferred_boot import STYLED

LATER = "data-mid"
"""Attribute of what stands in the middle of a page for its stylesheet: it is gone before React looks."""

BELOW = "data-low"
"""Attribute of the parts of a page that are below its middle."""

MIDDLE = f"<script {LATER}>"
"""How the script begins that stands in the middle of a page in two."""

_SCRIPT = (
    "{const d=document;d.currentScript.insertAdjacentHTML('afterend',"
    f"'<style {LATER}>[{BELOW}]{{display:none!important}}</style>');"
    f"self.styled={STYLED}.then(async()=>{{for(let e of d.querySelectorAll('[{BELOW}]')){{"
    f"e.removeAttribute('{BELOW}');"
    "await new Promise(requestAnimationFrame)}"
    f"d.querySelectorAll('[{LATER}]').forEach(e=>e.remove());"
    "scrollY||d.querySelector(':target')?.scrollIntoView()})}"
)
"""Hides what is below until the stylesheet is there, then shows a part a frame: a tab in the background waits.

A link to a part below leads there once all of it is shown.
"""

BEGINNING = 1_600
"""Bytes of a page's main part that more than fill a telephone; a part of the page that begins after them may wait."""

PART = re.compile(r"<(?:section|article)\b")
TAG = re.compile(r"(<(?P<closes>/?)[a-zA-Z][\w-]*)[^>]*?(?P<alone>/?)>")


@dataclass(frozen=True, slots=True, kw_only=True)
class InTwo:
    """A page in two, and the part of it that is looked at first."""

    above: str
    html: str


def in_two(html: str, stylesheets: Iterable[str]) -> InTwo | None:
    """Return a page in two, whose stylesheets have these addresses; None where no part of it can wait."""
    main = html.find("<main")
    if not (found := PART.search(html, main + BEGINNING)):
        return None
    above, below = html[: found.start()], html[found.start() :]
    links = "".join(f'<link {LATER} rel="stylesheet" href="{address}">' for address in stylesheets)
    middle = f"<noscript {LATER}>{links}</noscript>{MIDDLE}{_SCRIPT}</script>"
    return InTwo(above=above, html=f"{above}{middle}{_parts_marked(below)}")


def _parts_marked(below: str) -> str:
    """Return the end of a page with its parts marked: those elements that stand in no other that begins there."""
    content, script, rest = below.partition("<script")
    depth = 0

    def marked(tag: re.Match[str]) -> str:
        nonlocal depth
        if tag["closes"]:
            depth = max(depth - 1, 0)
            return tag[0]
        is_part, depth = depth == 0, depth + (not tag["alone"])
        return f"{tag[1]} {BELOW}{tag[0][tag.end(1) - tag.start() :]}" if is_part else tag[0]

    return TAG.sub(marked, content) + script + rest
