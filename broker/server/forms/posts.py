"""Posts to the edge: forms from pages of this site, and messages of other programs, with limits on size and time."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from starlette.datastructures import FormData, Headers
from starlette.exceptions import HTTPException
from starlette.formparsers import MultiPartException
from starlette.requests import ClientDisconnect, Request
from starlette.types import Message, Receive, Scope

from broker.server.paths import parameters_of
from broker.server.response import Answer, Handler, plain_text

MAX_FIELDS = 60

MAX_BYTES = 64 * 1024
"""Bytes of a form without files: ten times the longest message."""

BODY_SECONDS = 20.0
"""Maximum time for receiving the body of a request."""

TOO_SLOW = plain_text(408, "That took too long to reach us. Please go back and send it again.")

MAX_FORWARDED_LENGTH = 200
"""Characters of X-Forwarded-For that are read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sender:
    """The client of a post: its network address, for rate limits only and never stored, and the headers.

    `parameters` are those of the address that it posts to.
    """

    address: str
    headers: Headers
    parameters: Mapping[str, str] = field(default_factory=dict)


PostAnswer: TypeAlias = Callable[[FormData, Sender], Awaitable[Answer]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Post:
    """The handler of a form, with its limits."""

    answer: PostAnswer
    max_bytes: int = MAX_BYTES
    max_files: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class MessagePost:
    """The handler of a message of another program, which must authenticate it."""

    answer: Callable[[bytes, Sender], Awaitable[Answer]]
    max_bytes: int = MAX_BYTES


class _TooLargeError(Exception):
    """More bytes than allowed."""


class _TooManyError(Exception):
    """More fields than MAX_FIELDS."""


def text_fields(form: FormData) -> dict[str, str]:
    """Return the fields of a form without its files."""
    return {name: value for name, value in form.items() if isinstance(value, str)}


def whole_number(value: object, *, digits: int = 9) -> int:
    """Return a number of a form or an address, of at most some digits; 0 for anything else."""
    is_number = isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= digits
    return int(value) if isinstance(value, str) and is_number else 0


def client_address(scope: Scope, *, proxies: int) -> str:
    """Return the client's network address, as the outermost of our `proxies` (a number) reports it.

    Entries further left in X-Forwarded-For are the client's own, and may be forged.
    """
    if proxies:
        forwarded = Headers(scope=scope).get("x-forwarded-for", "")[-MAX_FORWARDED_LENGTH:]
        addresses = [each.strip() for each in forwarded.split(",")]
        if len(addresses) >= proxies and addresses[-proxies]:
            return addresses[-proxies]
    client = scope.get("client")
    return str(client[0]) if client else ""


def is_cross_site(headers: Headers, origins: Collection[str]) -> bool:
    """Return whether a form comes from a page of another site, by Origin or Sec-Fetch-Site."""
    origin, site = headers.get("origin", ""), headers.get("sec-fetch-site", "")
    if origin:
        return origin not in origins
    return site not in ("", "same-origin", "none")


async def answer_post(
    scope: Scope, receive: Receive, *, post: Post | MessagePost, origins: Collection[str], proxies: int
) -> Answer:
    """Return the answer to a form or a message: 403 from another site, 408 too slow, 413 too large, 400 malformed."""
    address = client_address(scope, proxies=proxies)
    sender = Sender(address=address, headers=Headers(scope=scope), parameters=parameters_of(scope))
    if isinstance(post, MessagePost):
        return await _answer_message(scope, receive, post=post, sender=sender)
    if is_cross_site(sender.headers, origins):
        return plain_text(
            403, "This form was sent from another site. Please open the page on our own site and try again."
        )
    try:
        async with asyncio.timeout(BODY_SECONDS):
            form = await Request(scope, _limit_body(receive, post.max_bytes)).form(
                max_files=post.max_files, max_fields=MAX_FIELDS, max_part_size=post.max_bytes
            )
        if len(form.multi_items()) > MAX_FIELDS:
            raise _TooManyError
    except TimeoutError:
        return TOO_SLOW
    except _TooLargeError:
        return _too_large(post.max_bytes)
    except (MultiPartException, HTTPException, ClientDisconnect, _TooManyError):
        # within an application Starlette wraps its MultiPartException in an HTTPException
        return plain_text(400, "Something went wrong when you sent that. Please go back and send it again.")
    try:
        answer = await post.answer(form, sender)
    finally:
        await form.close()
    return replace(answer, headers={"cache-control": "no-store"} | dict(answer.headers))


async def _answer_message(scope: Scope, receive: Receive, *, post: MessagePost, sender: Sender) -> Answer:
    try:
        async with asyncio.timeout(BODY_SECONDS):
            body = await Request(scope, _limit_body(receive, post.max_bytes)).body()
    except TimeoutError:
        return TOO_SLOW
    except _TooLargeError:
        return _too_large(post.max_bytes)
    except ClientDisconnect:
        return plain_text(400, "The message did not arrive whole.")
    return await post.answer(body, sender)


def _too_large(max_bytes: int) -> Answer:
    return plain_text(413, f"This is larger than the {max_bytes // 1024:,} kB that may be sent at once.")


def redirect_get_to_form_page(page: str) -> Handler:
    """Redirect GET requests for a form endpoint to the page that holds the form."""

    async def answer(_: Scope) -> Answer:
        return Answer(status=303, headers={"location": page, "cache-control": "no-store"})

    return answer


def _limit_body(receive: Receive, max_bytes: int) -> Receive:
    """Return `receive` that raises _TooLargeError past a number of bytes."""
    received = 0

    async def limited() -> Message:
        nonlocal received
        message = await receive()
        received += len(message.get("body", b""))
        if received > max_bytes:
            raise _TooLargeError
        return message

    return limited
