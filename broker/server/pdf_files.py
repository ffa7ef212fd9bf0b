"""Serve what a page shows as a PDF, such as `result.pdf` below the page's own path, by the same parameters."""

import logging
from collections.abc import Awaitable, Callable, Mapping
from datetime import timedelta
from typing import TypeAlias

from starlette.types import Scope

from broker.domain.documents import Document, Letterhead
from broker.domain.rates.product import RatesError
from broker.server.forms.posts import client_address
from broker.server.paths import local_address, parameters_of
from broker.server.response import Answer, Handler, plain_text
from broker.server.templating import MARK
from broker.services import current
from broker.services.pdf import PdfError
from broker.services.rate_limit import RateLimits

log = logging.getLogger(__name__)

MAX_FILES = (60, timedelta(minutes=1))
"""Files that one network may have, and in what time."""

RETRY_SECONDS = 30

POLICY = "frame-ancestors 'none'"
"""Content security policy of a PDF: a stricter one stops the viewers of some browsers, which are pages themselves."""

Source: TypeAlias = Callable[[Mapping[str, str]], Awaitable[Document | None]]
"""Makes the document of a page's parameters; None where they have no result. May raise RatesError."""


class FileCounter:
    """Counts files by network; `proxies` of our own stand before the server."""

    def __init__(self, *, proxies: int) -> None:
        self._proxies = proxies
        most, window = MAX_FILES
        self._limit = RateLimits().limit("files", most=most, window=window)

    async def allows(self, scope: Scope) -> bool:
        return await self._limit.take(client_address(scope, proxies=self._proxies))


def pdf_handler(source: Source, letterhead: Callable[[], Letterhead], *, counter: FileCounter) -> Handler:
    """Return the handler of a PDF: without a result it leads to the page, which says why there is none."""

    async def answer(scope: Scope) -> Answer:
        if not await counter.allows(scope):
            return _later(429, "That is a lot of documents. Please try again in a minute.")
        try:
            document = await source(parameters_of(scope))
            if document is None:
                return _to_page(scope)
            return pdf_answer(document, await current().pdf.draw(document, letterhead(), mark=MARK))
        except RatesError as error:
            log.warning("rates for a document could not be read: %s", error)
            return _later(503, "The rates service did not answer. Please try again in a minute.")
        except PdfError as error:
            log.warning("document could not be drawn: %s", error)
            return _later(503, "We cannot make this document just now. Please try again in a minute.")

    return answer


def pdf_answer(document: Document, body: bytes) -> Answer:
    """Return the answer with a PDF, which browsers show, and save under the document's own name."""
    headers = {
        "content-type": "application/pdf",
        "content-disposition": f'inline; filename="{document.file_name}"',
        "cache-control": "no-store",
        "content-security-policy": POLICY,
        "x-robots-tag": "noindex",
    }
    return Answer(status=200, headers=headers, body=body)


def _to_page(scope: Scope) -> Answer:
    page = scope["path"].rpartition("/")[0] + "/"
    location = local_address(page, scope.get("query_string", b"").decode("latin-1"))
    return Answer(status=303, headers={"location": location, "cache-control": "no-store"})


def _later(status: int, sentence: str) -> Answer:
    answer = plain_text(status, f"{sentence}\n")
    return Answer(
        status=status,
        headers={**answer.headers, "retry-after": str(RETRY_SECONDS), "x-robots-tag": "noindex"},
        body=answer.body,
    )
