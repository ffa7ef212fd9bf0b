"""Downloads: PDFs of results, and the rates list as CSV."""

import asyncio
import gzip
import logging
from collections.abc import Awaitable, Callable, Mapping
from datetime import timedelta
from typing import TypeAlias

from starlette.datastructures import Headers
from starlette.types import Scope

from broker.documents.document import Document, Letterhead
from broker.documents.pdf import PdfError
from broker.rates.downloads import averages_csv, file_name, rates_csv, requested_query
from broker.rates.product import RatesAnswer, RatesError
from broker.rates.query import QueryError
from broker.rates.search_params import filters_words, offered_lenders
from broker.server.forms.posts import client_address
from broker.server.paths import local_address, parameters_of
from broker.server.rendered_pages import GZIP, accepts
from broker.server.response import Answer, Handler, plain_text
from broker.server.templating import MARK
from broker.services import current
from broker.storage.rate_limit import RateLimits

log = logging.getLogger(__name__)

MAX_FILES = (60, timedelta(minutes=1))
"""Files of one network in a window."""

RETRY_SECONDS = 30

POLICY = "frame-ancestors 'none'"
"""Content security policy of a PDF: a stricter one breaks the PDF viewers of some browsers."""

Source: TypeAlias = Callable[[Mapping[str, str]], Awaitable[Document | None]]
"""Returns the document of a page's parameters, None without a result; raises RatesError."""


class FileCounter:
    """Limits files by network; `proxies` is the number of our own proxies."""

    def __init__(self, *, proxies: int) -> None:
        self._proxies = proxies
        most, window = MAX_FILES
        self._limit = RateLimits().limit("files", most=most, window=window)

    async def allows(self, scope: Scope) -> bool:
        return await self._limit.take(client_address(scope, proxies=self._proxies))


def pdf_handler(source: Source, letterhead: Callable[[], Letterhead], *, counter: FileCounter) -> Handler:
    """Return the handler of a PDF, which redirects to its page if there is no result."""

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
    """Return the answer with a PDF, which browsers display, and save under the document's name."""
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


BYTE_ORDER_MARK = b"\xef\xbb\xbf"
"""Makes Excel read the file as UTF-8."""

_CSV_HEADERS = {"cache-control": "no-store", "x-robots-tag": "noindex"}


def rates_csv_handler(*, proxies: int) -> Handler:
    """Return the handler of the rates list as CSV; `proxies` is the number of our own proxies."""
    counter = FileCounter(proxies=proxies)

    async def answer(scope: Scope) -> Answer:
        if not await counter.allows(scope):
            return _sentence(429, "That is a lot of lists. Please try again in a minute.", retry=True)
        return await _rates_file(scope)

    return answer


def rate_history_csv_handler(*, proxies: int) -> Handler:
    """Return the handler of the published averages as CSV; `proxies` is the number of our own proxies."""
    counter = FileCounter(proxies=proxies)

    async def answer(scope: Scope) -> Answer:
        if not await counter.allows(scope):
            return _sentence(429, "That is a lot of lists. Please try again in a minute.", retry=True)
        of = current().rate_history({})
        body = await asyncio.to_thread(averages_csv, of.history, of.ours)
        headers = {
            "content-type": "text/csv; charset=utf-8",
            "content-disposition": 'attachment; filename="mortgage-rates-since-2017.csv"',
        }
        return Answer(status=200, headers=_CSV_HEADERS | headers, body=BYTE_ORDER_MARK + body.encode())

    return answer


async def _rates_file(scope: Scope) -> Answer:
    """Return the list of a search as a CSV file; 400 for an invalid search, 503 without rates."""
    lenders = current().lenders.lenders
    try:
        query = requested_query(parameters_of(scope), lenders)
        answer = await current().rates.search(query)
    except QueryError as error:
        return _sentence(400, f"This list cannot be made. {'. '.join(error.problems.values())}.")
    except RatesError as error:
        log.warning("list to download could not be read: %s", error)
        words = error.words.rstrip(".") or "The rates service did not answer"
        return _sentence(503, f"{words}. Please try again in a minute.", retry=True)
    headers = {
        "content-type": "text/csv; charset=utf-8",
        "content-disposition": f'attachment; filename="{file_name(answer)}"',
        "vary": "Accept-Encoding",
    }
    packed = accepts(GZIP, Headers(scope=scope).get("accept-encoding", "").lower())
    filters = filters_words(query, offered_lenders(query.customer, lenders))
    # A thousand rows take tens of milliseconds, which would block other visitors.
    body = await asyncio.to_thread(_csv_body, answer, filters, packed=packed)
    return Answer(
        status=200, headers=_CSV_HEADERS | headers | ({"content-encoding": "gzip"} if packed else {}), body=body
    )


def _csv_body(answer: RatesAnswer, filters: str, *, packed: bool) -> bytes:
    body = BYTE_ORDER_MARK + rates_csv(answer, filters=filters).encode()
    return gzip.compress(body, compresslevel=6, mtime=0) if packed else body


def _sentence(status: int, text: str, *, retry: bool = False) -> Answer:
    later = {"retry-after": str(RETRY_SECONDS)} if retry else {}
    headers = _CSV_HEADERS | {"content-type": "text/plain; charset=utf-8"} | later
    return Answer(status=status, headers=headers, body=f"{text}\n".encode())
