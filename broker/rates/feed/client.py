"""A client of the broker's API: a GET may be repeated, and no POST reaches the service twice."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar
from urllib.parse import urlencode, urlsplit

from broker.bounded_http import (
    BoundedClient,
    HttpSettings,
    NoAnswerError,
    Reply,
    TooLargeAnswerError,
    UnreadableAnswerError,
)
from broker.rates.feed.errors import FeedParseError, FeedTooLargeError, FeedUnavailableError
from broker.rates.feed.response_tree import Tree, parse_reply

MEGABYTE = 1024 * 1024


class Prefix(StrEnum):
    """Base of a call's path: the API's own address, or `/promotion` on its host."""

    API = "api"
    PROMOTION = "promotion"


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """An endpoint: `number` as in specification 7, `max_bytes` of its decompressed answer.

    `timeout_factor` multiplies the timeouts; it is above 1 only for calls that no visitor waits for.
    """

    number: int
    name: str
    method: str
    prefix: Prefix
    path: str
    max_bytes: int = 8 * MEGABYTE
    timeout_factor: int = 1


FAQS = Call(number=2, name="faqs", method="GET", prefix=Prefix.API, path="/wp-json/faqs/v1/get")
SAVED_RATES = Call(
    number=3, name="get_saved_rates", method="POST", prefix=Prefix.API, path="/wp-json/get_saved_rates/v2/get"
)
SAVED_LTV_RATES = Call(
    number=4,
    name="get_saved_ltv_rates",
    method="POST",
    prefix=Prefix.API,
    path="/wp-json/get_saved_ltv_rates/v1/get",
    timeout_factor=4,
)
RATES = Call(number=5, name="get_rates", method="POST", prefix=Prefix.API, path="/wp-json/get_rates/v1/get")
SERVICE = Call(
    number=6,
    name="get_saved_rates service",
    method="POST",
    prefix=Prefix.API,
    path="/wp-json/get_saved_rates/v2/service",
)
QUESTIONNAIRE = Call(number=8, name="query", method="GET", prefix=Prefix.API, path="/wp-json/query/v2/get")
LENDERS = Call(number=9, name="get_lenders", method="POST", prefix=Prefix.PROMOTION, path="/wp-json/get_lenders/v1/get")
LOGOS = Call(
    number=10,
    name="get_logos",
    method="POST",
    prefix=Prefix.PROMOTION,
    path="/wp-json/get_logos/v1/get",
    max_bytes=16 * MEGABYTE,
    timeout_factor=4,
)
SAVED_LENDERS = Call(
    number=11,
    name="get_saved_lenders",
    method="POST",
    prefix=Prefix.PROMOTION,
    path="/wp-json/get_saved_lenders/v1/get",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedSettings(HttpSettings):
    """The settings of the broker's API, whose address is the `{api}` of specification 7."""

    connect_timeout: float = 2.0
    read_timeout: float = 4.0
    total_timeout: float = 4.5

    def address(self, call: Call, query: str = "") -> str:
        """Return the URL of a call; `query` is an encoded query string."""
        parts = urlsplit(self.api_url)
        api, origin = self.api_url.rstrip("/"), f"{parts.scheme}://{parts.netloc}"
        root = api if call.prefix is Prefix.API else f"{origin}/promotion"
        return f"{root}{call.path}" + (f"?{query}" if query else "")


FORM_TYPE = "application/x-www-form-urlencoded"


def encode_form(fields: Mapping[str, str | int | bool]) -> bytes:
    """Return fields as a form body, in order; booleans as `true` and `false`."""
    return urlencode({name: _text(value) for name, value in fields.items()}).encode("ascii")


def encode_form_list(items: Sequence[Mapping[str, str | int | bool]]) -> bytes:
    """Return a list as a form body: `0[lenderId]=75&0[value]=...&1[lenderId]=...`, brackets percent-encoded."""
    return encode_form({f"{place}[{name}]": value for place, item in enumerate(items) for name, value in item.items()})


def _text(value: str | int | bool) -> str:
    """Return a value as text; PHP takes any text but a lower-case `false` for true."""
    return str(value).lower() if isinstance(value, bool) else str(value)


Parsed = TypeVar("Parsed")


class FeedClient(BoundedClient[FeedSettings]):
    """A client to be shared by the process and closed when it ends."""

    async def read(self, call: Call, *, form: bytes = b"", query: str = "") -> Tree:
        """Make a call and return its parsed body; raises FeedError."""
        reply = await self.fetch(call, form=form, query=query)
        return parse_reply(call.name, reply.status, body=reply.body)

    async def read_in_thread(
        self, call: Call, parser: Callable[[Tree], Parsed], *, form: bytes = b"", query: str = ""
    ) -> Parsed:
        """Make a call and parse its body in a thread, so that large answers block no search; raises FeedError."""
        reply = await self.fetch(call, form=form, query=query)
        return await asyncio.to_thread(lambda: parser(parse_reply(call.name, reply.status, body=reply.body)))

    async def fetch(self, call: Call, *, form: bytes = b"", query: str = "") -> Reply:
        """Make a call; raises FeedUnavailableError or FeedParseError."""
        posted = call.method == "POST"
        try:
            return await self.send(
                call.method,
                self.settings.address(call, query),
                max_bytes=call.max_bytes,
                is_repeatable=not posted,
                timeout_factor=call.timeout_factor,
                content=form if posted else None,
                headers={"Content-Type": FORM_TYPE} if posted else None,
            )
        except NoAnswerError as error:
            raise FeedUnavailableError(call.name, str(error)) from error
        except TooLargeAnswerError as error:
            raise FeedTooLargeError(call.name, str(error)) from error
        except UnreadableAnswerError as error:
            raise FeedParseError(call.name, str(error)) from error
