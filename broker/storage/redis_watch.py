"""Report at once when Redis is unavailable and when it is back, also after a restart within a second."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

_EMPTY_LIST = "broker:watch"
"""Key of a list that is never filled: a blocking read of it returns early only when the connection ends."""

_READ_SECONDS = 5
_RESPONSE_SECONDS = 2.0
_RETRY_SECONDS = 0.5


async def watch_redis(url: str, *, tell: Callable[[bool], Awaitable[None]]) -> None:
    """Call `tell` forever: True once a connection is open, False when it ends or none can be opened."""
    redis: Any = Redis.from_url(
        url,
        retry=Retry(NoBackoff(), 0),  # else a connection that ended is replaced without an error
        socket_connect_timeout=_RESPONSE_SECONDS,
        socket_timeout=_READ_SECONDS + _RESPONSE_SECONDS,
    )
    async with redis:
        while True:
            try:
                await redis.ping()
                await tell(True)
                while True:
                    await redis.blpop([_EMPTY_LIST], timeout=_READ_SECONDS)
            except RedisError:
                await tell(False)
            await asyncio.sleep(_RETRY_SECONDS)
