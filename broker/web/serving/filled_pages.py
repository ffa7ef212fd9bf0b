"""Answers made of an unfilled page: whole pages of plain HTML, which carry none of the site's scripts.

React would look for what it drew, and a page that was filled holds something else.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from starlette.datastructures import Headers, MutableHeaders

from broker import routes
from broker.presenters.marks import Values
from broker.web.serving.cookie_notice import is_accepted
from broker.web.serving.edge import file_answer
from broker.web.serving.exported_site import ExportedFile, page, with_notice_closed
from broker.web.serving.filling import filled
from broker.web.serving.releases import LiveExport
from broker.web.serving.response import Answer

RETRY = {503: "60", 429: "3600"}
"""Seconds after which it may be tried again."""


def filled_file(html: str, request: Headers, *, site_url: str) -> ExportedFile:
    """Return a page as a file, without the cookie notice for a visitor who closed it."""
    file = page(html, site_url)
    return with_notice_closed(file, site_url) if is_accepted(";".join(request.getlist("cookie"))) else file


def personal_answer(html: str, request: Headers, *, site_url: str, status: int = 200) -> Answer:
    """Return the answer with a page for one visitor alone: nobody keeps it, and no search engine lists it."""
    asked = MutableHeaders(raw=list(request.raw))
    del asked["if-none-match"]
    answer = file_answer(filled_file(html, request, site_url=site_url), asked, status=status)
    headers = {name: value for name, value in answer.headers.items() if name != "etag"}
    own = {"cache-control": "no-store", "x-robots-tag": "noindex"}
    return Answer(status=status, headers={**headers, **own}, body=answer.body)


@dataclass(frozen=True, slots=True, kw_only=True)
class FormPages:
    """What the pages that answer forms are made with: the unfilled pages of the export that is served."""

    live: LiveExport

    def page(self, name: str, values: Values, *, headers: Headers, status: int = 200) -> Answer:
        """Return the answer with an unfilled page, filled for one visitor; a plain sentence where there is no page."""
        export = self.live.export
        html = export.unfilled.get(routes.unfilled(name), "")
        if not html:
            words = "Please call us: this page is not there just now."
            return Answer(status=503, headers={"content-type": "text/plain; charset=utf-8"}, body=words.encode())
        answer = personal_answer(filled(html, values), headers, site_url=export.site_url, status=status)
        more = {"retry-after": RETRY[status]} if status in RETRY else {}
        return replace(answer, headers={**answer.headers, **more})
