"""Forms that browsers post to the edge: who may send one, and how much of it is read.

A form is taken from our own pages alone: a browser names the page's origin, and one from elsewhere is refused. Nothing
of a form is in its address, and what is answered is never kept by a cache.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass, replace
from typing import TypeAlias

from starlette.datastructures import FormData, Headers
from starlette.formparsers import MultiPartException
from starlette.requests import ClientDisconnect, Request
from starlette.types import Message, Receive, Scope

from broker.web.serving.response import Answer, Handler

FIELDS, FILES = 60, 0
"""Fields and files that a form may have, unless it says otherwise."""

MAX_BYTES = 64 * 1024
"""Bytes of a form without files: the longest message ten times over."""

FORWARDED = 200
"""Characters of a proxy's header that are looked at."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sender:
    """Who posts: the network address (for limits only, never kept), and the request's headers."""

    address: str
    headers: Headers


PostAnswer: TypeAlias = Callable[[FormData, Sender], Awaitable[Answer]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Post:
    """What answers a form, and how large that form may be; `files` is how many it may bring."""

    answer: PostAnswer
    most: int = MAX_BYTES
    files: int = FILES


class _TooLargeError(Exception):
    """More bytes came than the form may have."""


class _TooManyError(Exception):
    """More fields came than any form of ours has."""


def sent_from(scope: Scope, *, proxies: int) -> str:
    """Return the network address of who asks, as seen by the outermost of so many proxies of ours; 0 for none.

    What stands further left in the header was written by whoever asks, and may be invented.
    """
    if proxies:
        named = [each.strip() for each in Headers(scope=scope).get("x-forwarded-for", "")[-FORWARDED:].split(",")]
        if len(named) >= proxies and named[-proxies]:
            return named[-proxies]
    client = scope.get("client")
    return str(client[0]) if client else ""


def is_foreign(headers: Headers, origins: Collection[str]) -> bool:
    """Tell whether a browser says that a form comes from another site's page."""
    origin, site = headers.get("origin", ""), headers.get("sec-fetch-site", "")
    if origin:
        return origin not in origins
    return site not in ("", "same-origin", "none")


async def posted(scope: Scope, receive: Receive, *, post: Post, origins: Collection[str], proxies: int) -> Answer:
    """Return the answer to a form: 403 for one of another site, 413 for one too large, 400 for what is no form."""
    headers = Headers(scope=scope)
    if is_foreign(headers, origins):
        return _refusal(
            403, "This form was sent from another site. Please open the page on our own site and try again."
        )
    try:
        async with Request(scope, _bounded(receive, post.most)).form(
            max_files=post.files, max_fields=FIELDS, max_part_size=post.most
        ) as form:
            if len(form.multi_items()) > FIELDS:
                raise _TooManyError
            answer = await post.answer(form, Sender(address=sent_from(scope, proxies=proxies), headers=headers))
    except _TooLargeError:
        return _refusal(413, f"This is larger than the {post.most // 1024:,} kB that may be sent at once.")
    except (MultiPartException, ClientDisconnect, _TooManyError):
        return _refusal(400, "This did not arrive as a form. Please go back, and send it again.")
    return replace(answer, headers={"cache-control": "no-store"} | dict(answer.headers))


def elsewhere(path: str, page: str) -> Handler:
    """Return what answers who asks for the address of a form, which has no page of its own: one that has."""

    async def answer(scope: Scope) -> Answer | None:
        here = scope["path"] == path
        return Answer(status=303, headers={"location": page, "cache-control": "no-store"}) if here else None

    return answer


def _bounded(receive: Receive, most: int) -> Receive:
    """Return what receives a body up to a size, and raises _TooLargeError past it."""
    taken = 0

    async def bounded() -> Message:
        nonlocal taken
        message = await receive()
        taken += len(message.get("body", b""))
        if taken > most:
            raise _TooLargeError
        return message

    return bounded


def _refusal(status: int, words: str) -> Answer:
    headers = {"content-type": "text/plain; charset=utf-8", "cache-control": "no-store"}
    return Answer(status=status, headers=headers, body=words.encode())
