"""A client of the broker's API: a GET may be repeated, and no POST reaches the service twice."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

from broker.bounded_http import BoundedClient, NoAnswerError, Reply, TooLargeAnswerError, UnreadableAnswerError
from broker.feeds.endpoints import Call, FeedSettings
from broker.feeds.errors import FeedParseError, FeedTooLargeError, FeedUnavailableError
from broker.feeds.form_encoding import FORM_TYPE
from broker.feeds.parsing.status import parse_reply
from broker.feeds.parsing.tree import Tree

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
