"""Notice at once when Redis goes, and when it is back, also where it was restarted within a second."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

EMPTY_LIST = "broker:watch"
"""Key of a list that is never filled: whoever waits for it is told only that the connection ended."""

WAIT_SECONDS = 5
ANSWER_SECONDS = 2.0
RETRY_SECONDS = 0.5


async def watch_redis(url: str, *, tell: Callable[[bool], Awaitable[None]]) -> None:
    """Tell for ever whether Redis answers: True once a connection is open, False when it ends or none can be opened."""
    redis: Any = Redis.from_url(
        url,
        retry=Retry(NoBackoff(), 0),  # else a connection that ended is replaced without a word
        socket_connect_timeout=ANSWER_SECONDS,
        socket_timeout=WAIT_SECONDS + ANSWER_SECONDS,
    )
    async with redis:
        while True:
            try:
                await redis.ping()
                await tell(True)
                while True:
                    await redis.blpop([EMPTY_LIST], timeout=WAIT_SECONDS)
            except RedisError:
                await tell(False)
            await asyncio.sleep(RETRY_SECONDS)
