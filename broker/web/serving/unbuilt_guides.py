"""Guides published after the build, answered as whole pages of plain HTML: unfilled pages of the export, filled.

They carry none of the site's scripts: there is nothing in a guide that needs them, and a text that came after the build
is not what React would look for. A guide that could not be read answers 503, never 404: it may exist.
"""

from __future__ import annotations

import asyncio
import json
import re
from dataclasses import replace
from html import escape

from starlette.datastructures import Headers
from starlette.types import Scope

from broker import routes
from broker.presenters.guides import main_category
from broker.presenters.unbuilt_guide import DISCLAIMER, PROBLEM, GuideWords, guide_words, unfilled_words
from broker.services.unbuilt_guides import GuideAwayError, UnbuiltGuides
from broker.web.inline_script import inline_script
from broker.web.serving.edge import file_answer
from broker.web.serving.filled_pages import filled_file
from broker.web.serving.filling import exchanged
from broker.web.serving.releases import LiveExport
from broker.web.serving.response import Answer, Handler

RETRY_SECONDS = 5

RETRY = inline_script("retry", "retryLater", delay=RETRY_SECONDS * 1_000)
"""Asks once more after five seconds, without a sound where it fails again (specification 4)."""

CONTENTS, NO_CONTENTS = "__contents__", "<div></div>"
"""Stand for the entries of the list of contents, and for a list without any, whose column stays empty."""

_DATA = re.compile(r'(<script[^>]*type="application/ld\+json"[^>]*>.*?</script>)', re.DOTALL)
_TOC = re.compile(r'<nav\b[^>]*class="toc[^"]*"[^>]*>.*?</nav>', re.DOTALL)
_FOOT = re.compile(rf"<div[^>]*>{re.escape(DISCLAIMER)}</div>")
_LIST = re.compile(r"(?<=>)<li>.*</li>(?=</ol>)", re.DOTALL)


def new_guide_answers(guides: UnbuiltGuides, live: LiveExport) -> Handler:
    """Return what answers below `/mortgage-guides/` where the export does not; None, the error page, for no guide."""

    async def answer(scope: Scope) -> Answer | None:
        path, request, export = scope["path"], Headers(scope=scope), live.export
        if routes.permanent(path):
            return None
        slug = routes.guide_slug(path)
        try:
            guide = await guides.find(slug)
        except GuideAwayError as error:
            html = export.unfilled.get(routes.unfilled("away"), "")
            return _away(away(html, slug, problem=str(error)), request, export.site_url) if html else None
        html = export.unfilled.get(routes.unfilled(main_category(guide)), "") if guide else ""
        if guide is None or not html:
            return None
        if not path.endswith("/"):
            return Answer(status=308, headers={"location": routes.guide(slug), "cache-control": "no-cache"})
        # Filling and packing take milliseconds, which other visitors do not wait for.
        whole = await asyncio.to_thread(
            lambda: filled_file(filled(html, guide_words(guide)), request, site_url=export.site_url)
        )
        return file_answer(whole, request)

    return answer


def _away(html: str, request: Headers, site_url: str) -> Answer:
    answer = file_answer(filled_file(html, request, site_url=site_url), request, status=503)
    more = {"retry-after": str(RETRY_SECONDS), "cache-control": "no-store"}
    return replace(answer, headers={**answer.headers, **more})


def away(html: str, slug: str, *, problem: str) -> str:
    """Return the page that says why the guide of a slug could not be read, and asks for it once more."""
    told = exchanged(html, {routes.unfilled("away"): escape(slug), PROBLEM: escape(problem)})
    return told.replace("</body>", f"<script>{RETRY}</script></body>", 1)


def filled(html: str, guide: GuideWords) -> str:
    """Return an unfilled page with everything that a guide says, each text escaped as its place needs it.

    Nothing is looked for in what was filled in: a text that looks like one of ours stays a text.
    """
    old, contents = unfilled_words(guide.category), _contents(guide)
    pairs = [(old.texts[name], text) for name, text in guide.texts.items()]
    in_page = {before: escape(after) for before, after in pairs}
    in_page |= {old.picture: guide.picture, old.html: guide.html}
    in_page |= {old.disclaimer: guide.disclaimer, CONTENTS: contents}
    in_data = {before: _in_json(after) for before, after in pairs}
    if not guide.disclaimer:
        html = _FOOT.sub("", html)
    parts = _DATA.split(_TOC.sub(lambda nav: _LIST.sub(CONTENTS, nav[0]) if contents else NO_CONTENTS, html))
    return "".join(exchanged(part, in_data if place % 2 else in_page) for place, part in enumerate(parts))


def _contents(guide: GuideWords) -> str:
    entries = ((escape(heading.anchor), escape(heading.text)) for heading in guide.headings)
    return "".join(f'<li><a href="#{anchor}">{text}</a></li>' for anchor, text in entries)


def _in_json(text: str) -> str:
    """Return a text as it stands inside quotes in JSON inside a script."""
    return json.dumps(text, ensure_ascii=False)[1:-1].replace("<", "\\u003c")
