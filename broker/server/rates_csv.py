"""Serve `/rates.csv`: the list of a rates search, by the parameters of the page's URL."""

import asyncio
import gzip
import logging

from starlette.datastructures import Headers
from starlette.types import Scope

from broker.domain.rates.product import RatesAnswer, RatesError
from broker.domain.rates.query import QueryError
from broker.presenters.rates.rates_csv import file_name, query_asked, rates_csv
from broker.presenters.rates.search_params import filters_words, offered_lenders
from broker.server.file_answers import GZIP, accepts
from broker.server.paths import parameters_of
from broker.server.pdf_files import FileCounter
from broker.server.response import Answer, Handler
from broker.services import current

log = logging.getLogger(__name__)

RETRY = {"retry-after": "30"}

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
"""Makes Excel read the file as UTF-8."""

_HEADERS = {"cache-control": "no-store", "x-robots-tag": "noindex"}


def rates_csv_handler(*, proxies: int) -> Handler:
    """Return the handler of the file; `proxies` of our own stand before the server."""
    counter = FileCounter(proxies=proxies)

    async def answer(scope: Scope) -> Answer:
        if not await counter.allows(scope):
            return _sentence(429, "That is a lot of lists. Please try again in a minute.", RETRY)
        return await _rates_file(scope)

    return answer


async def _rates_file(scope: Scope) -> Answer:
    """Answer with the list of a search as a CSV file: 400 for an invalid search, 503 without rates."""
    lenders = current().lenders.lenders
    try:
        query = query_asked(parameters_of(scope), lenders)
        answer = await current().rates.search(query)
    except QueryError as error:
        return _sentence(400, f"This list cannot be made. {'. '.join(error.problems.values())}.")
    except RatesError as error:
        log.warning("list to download could not be read: %s", error)
        words = error.words.rstrip(".") or "The rates service did not answer"
        return _sentence(503, f"{words}. Please try again in a minute.", RETRY)
    headers = {
        "content-type": "text/csv; charset=utf-8",
        "content-disposition": f'attachment; filename="{file_name(answer)}"',
        "vary": "Accept-Encoding",
    }
    packed = accepts(GZIP, Headers(scope=scope).get("accept-encoding", "").lower())
    filters = filters_words(query, offered_lenders(query.customer, lenders))
    # A thousand rows take tens of milliseconds, which would block other visitors.
    body = await asyncio.to_thread(_body, answer, filters, packed=packed)
    return Answer(status=200, headers=_HEADERS | headers | ({"content-encoding": "gzip"} if packed else {}), body=body)


def _body(answer: RatesAnswer, filters: str, *, packed: bool) -> bytes:
    body = BYTE_ORDER_MARK + rates_csv(answer, filters=filters).encode()
    return gzip.compress(body, compresslevel=6, mtime=0) if packed else body


def _sentence(status: int, text: str, more: dict[str, str] | None = None) -> Answer:
    headers = _HEADERS | {"content-type": "text/plain; charset=utf-8"} | (more or {})
    return Answer(status=status, headers=headers, body=f"{text}\n".encode())
