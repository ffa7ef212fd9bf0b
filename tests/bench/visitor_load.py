"""Visitors of a site, as a process of their own that reads what to do from standard input: `bench_workers` starts it.

It counts in a window of time what was answered, and the processor time that each part of the site and itself took in
the same window. It does no more than sending, and looking for words in the answers: it shares the machine's cores.
"""

import asyncio
import json
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from itertools import count
from typing import Any, TypedDict, TypeVar

import redis

from tests.bench.process_times import idle_seconds, processor_seconds
from tests.bench.tab_sockets import TabSocket, event
from tests.integration.hostile import resident

WARM_SECONDS = 1.0
SETTLED_SECONDS = 2.0
AT_ONCE = 32
"""Tabs that connect, or search, at the same time before they are at rest."""

Done = TypeVar("Done")


class Site(TypedDict):
    """What the load is told of a site.

    `processes` are its parts by name, `journey` the steps of a questionnaire as path and form; `first` is a number from
    which those of tabs and amounts count, so that no two loads have the same.
    """

    port: int
    redis_url: str
    processes: dict[str, list[int]]
    search: str
    path: str
    page: str
    open_question: str
    answer: str
    journey: list[tuple[str, dict[str, str]]]
    first: int


class Window(TypedDict):
    """What was answered in some seconds, and what it cost; `times` are milliseconds, where each answer is timed."""

    done: int
    seconds: float
    spent: dict[str, list[float]]
    load: float
    idle: float
    times: list[float]


class Rest(TypedDict):
    """Bytes of the worker and of Redis: before, with open tabs, once each has searched, and with others in their place.

    `expiries` are the least and the most seconds until Redis drops a key of a tab, -1 for never; `window` are searches.
    """

    before: tuple[int, int]
    opened: tuple[int, int]
    searched: tuple[int, int]
    renewed: tuple[int, int]
    expiries: tuple[int, int]
    window: Window


class Load:
    """The visitors of one site."""

    def __init__(self, site: Site) -> None:
        self._site, self._numbers = site, count(site["first"])
        self._done, self._times, self._under_way = 0, list[float](), set[asyncio.Task[None]]()
        self._kinds: dict[str, Callable[[], Awaitable[None]]] = {
            "pages": lambda: self._requests(lambda: site["page"]),
            "search pages": lambda: self._requests(self._address),
            "searches": self._searches,
            "answers": self._answers,
        }

    async def measured(self, kind: str, *, clients: int, seconds: float) -> Window:
        """Return what clients are answered who ask again as soon as they are."""
        tasks = [asyncio.ensure_future(self._kinds[kind]()) for _ in range(clients)]
        try:
            await asyncio.sleep(WARM_SECONDS)
            return await self._window(seconds)
        finally:
            for task in tasks:
                task.cancel()
            ends = await asyncio.gather(*tasks, return_exceptions=True)
            failed = [end for end in ends if not isinstance(end, asyncio.CancelledError)]
            assert not failed, failed

    async def at_rest(self, *, tabs: int, rate: float, seconds: float) -> Rest:
        """Open hydrated tabs at one worker, have them search so many times a second in all, then open others."""
        before = self._held()
        shown = await self._opened(tabs)
        opened = await self._settled()
        await self._by_turns([lambda tab=tab: self._search(tab) for tab in shown])
        searched = await self._settled()
        store: Any = redis.Redis.from_url(self._site["redis_url"])
        keys = [store.ttl(key) for key in store.scan_iter(match="*load-*", count=1_000)]
        window = await self._searched(shown, rate, seconds)
        for tab in shown:
            tab.leave()
        await asyncio.sleep(SETTLED_SECONDS)
        others = await self._opened(tabs)
        renewed = await self._settled()
        for tab in others:
            tab.leave()
        expiries = (min(keys), max(keys))
        return Rest(before=before, opened=opened, searched=searched, renewed=renewed, expiries=expiries, window=window)

    async def _settled(self) -> tuple[int, int]:
        await asyncio.sleep(SETTLED_SECONDS)
        return self._held()

    def _held(self) -> tuple[int, int]:
        """Return the bytes of the only worker and of Redis."""
        store: Any = redis.Redis.from_url(self._site["redis_url"])
        (worker,) = self._site["processes"]["workers"]
        return resident(worker), store.info("memory")["used_memory"]

    async def _searched(self, opened: list[TabSocket], rate: float, seconds: float) -> Window:
        searching = asyncio.ensure_future(self._paced(opened, rate))
        try:
            return await self._window(seconds)
        finally:
            searching.cancel()
            await asyncio.gather(*self._under_way)

    async def _opened(self, tabs: int) -> list[TabSocket]:
        return await self._by_turns([self._hydrated for _ in range(tabs)])

    async def _by_turns(self, tasks: Sequence[Callable[[], Awaitable[Done]]]) -> list[Done]:
        """Do all tasks, AT_ONCE of them at the same time."""
        turn = asyncio.Semaphore(AT_ONCE)

        async def done(task: Callable[[], Awaitable[Done]]) -> Done:
            async with turn:
                return await task()

        return await asyncio.gather(*map(done, tasks))

    async def _paced(self, tabs: list[TabSocket], rate: float) -> None:
        """Search in one tab after the other, whether or not those before are answered."""
        clock = asyncio.get_running_loop().time
        began = clock()
        for number in count():
            await asyncio.sleep(max(0.0, began + number / rate - clock()))
            task = asyncio.create_task(self._search(tabs[number * 7 % len(tabs)]))
            self._under_way.add(task)
            task.add_done_callback(self._under_way.discard)

    async def _hydrated(self) -> TabSocket:
        number = next(self._numbers)
        address = f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"
        tab = await TabSocket.opened(self._site["port"], f"load-{number}", address=address)
        await tab.hydrate(self._site["path"])
        return tab

    async def _search(self, tab: TabSocket) -> None:
        began = time.perf_counter()
        sent = event(self._site["search"], {"customer": ""}, self._address())
        await tab.send(sent, until=b'"status_rx_state_":"loaded"')
        self._times.append((time.perf_counter() - began) * 1_000)
        self._done += 1

    def _address(self) -> str:
        number = next(self._numbers)
        price = 200_000 + 10 * (number % 60_000)
        return f"{self._site['path']}?price={price}&amount={price * (60, 75, 85)[number % 3] // 100}"

    async def _searches(self) -> None:
        tab = await self._hydrated()
        while True:
            await self._search(tab)

    async def _answers(self) -> None:
        """Begin a questionnaire, answer all of it, and begin the next in a new tab."""
        site = self._site
        while True:
            tab = await self._hydrated()
            for path, form in site["journey"]:
                await tab.send(event(site["open_question"], {}, path), until=f'"path_rx_state_":"{path}"'.encode())
                await tab.send(event(site["answer"], {"form": form}, path), until=b"_redirect")
                self._done += 1
            tab.leave()

    async def _requests(self, address: Callable[[], str]) -> None:
        """Ask over one connection for one page after the other."""
        port = self._site["port"]
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        while True:
            asked = f"GET {address()} HTTP/1.1\r\nhost: localhost:{port}\r\naccept-encoding: gzip\r\n\r\n"
            writer.write(asked.encode())
            head = (await reader.readuntil(b"\r\n\r\n")).lower()
            assert head.startswith(b"http/1.1 200 "), head
            await reader.readexactly(int(head.partition(b"\r\ncontent-length: ")[2].split(b"\r\n", 1)[0]))
            self._done += 1

    async def _window(self, seconds: float) -> Window:
        parts = self._site["processes"]
        self._times.clear()
        done, began, idle, load = self._done, time.perf_counter(), idle_seconds(), time.process_time()
        before = {part: [processor_seconds(each) for each in held] for part, held in parts.items()}
        await asyncio.sleep(seconds)
        spent = {
            part: [processor_seconds(each) - then for each, then in zip(held, before[part], strict=True)]
            for part, held in parts.items()
        }
        took = time.perf_counter() - began
        return Window(
            done=self._done - done,
            seconds=took,
            spent=spent,
            load=time.process_time() - load,
            idle=idle_seconds() - idle,
            times=list(self._times),
        )


async def told(asked: dict[str, Any]) -> dict[str, Any]:
    """Return the windows of the kinds that are asked for, or those of tabs at rest."""
    load = Load(asked["site"])
    if rest := asked.get("rest"):
        return {"rest": await load.at_rest(**rest)}
    windows = {
        kind: await load.measured(kind, clients=n, seconds=asked["seconds"]) for kind, n in asked["kinds"].items()
    }
    return {"windows": windows}


if __name__ == "__main__":
    print(json.dumps(asyncio.run(told(json.load(sys.stdin)))))
