import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

from broker.storage.redis_watch import watch_redis
from tests.databases.redis_server import RedisServer
from tests.timeouts import ANSWER_TIMEOUT


class Watch:
    """What a watch has told, of which a test waits for the next word."""

    def __init__(self) -> None:
        self._told: asyncio.Queue[bool] = asyncio.Queue()

    async def tell(self, answers: bool) -> None:
        await self._told.put(answers)

    async def next_change(self, *, to: bool) -> None:
        async with asyncio.timeout(ANSWER_TIMEOUT):
            while await self._told.get() is not to:
                pass


@contextmanager
def watching(url: str) -> Iterator[Watch]:
    watch = Watch()
    task = asyncio.create_task(watch_redis(url, tell=watch.tell))
    try:
        yield watch
    finally:
        task.cancel()


async def test_redis_that_goes_and_comes_back_is_noticed(own_redis: RedisServer) -> None:
    with watching(own_redis.url) as watch:
        await watch.next_change(to=True)
        own_redis.stop()
        await watch.next_change(to=False)
        own_redis.start()
        await watch.next_change(to=True)


async def test_restart_is_noticed_however_short_it_is(own_redis: RedisServer) -> None:
    with watching(own_redis.url) as watch:
        await watch.next_change(to=True)
        async with asyncio.timeout(ANSWER_TIMEOUT):
            with own_redis.client() as client:
                while "blpop" not in str(client.client_list()):
                    await asyncio.sleep(0.01)
        own_redis.stop()
        own_redis.start()
        await watch.next_change(to=False)
        await watch.next_change(to=True)
