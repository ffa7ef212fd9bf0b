"""Two hundred visitors of a live site: most read pages, some have tabs with blocks and searches over the socket."""

import asyncio
import itertools
import json
import random
import threading
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import httpx
from simple_websocket import ConnectionClosed
from simple_websocket import ConnectionError as SocketError

from broker import routes
from broker.rates.customers import RULES
from broker.state.rates.live_rates import LiveRatesState
from broker.state.rates.search import RatesState
from tests.integration.tabs import Socket
from tests.soak.data_pages import LENDERS, check_lender, data_address, is_data, is_same, view_of
from tests.soak.edited_content import FEES
from tests.soak.editor import Seen
from tests.soak.live_world import AWAY, World

READERS, SEARCHERS, CLIENTS = 180, 20, 20
PAUSE = (2.0, 6.0)
"""Seconds between two pages of a visitor."""

TAB_EVENTS = 12
"""Pages that a tab opens before it is closed."""

SAME_TRIES = 3
"""How often a page and its data are read that differ: an edit may come between the two."""

PATIENCE = 25.0
LIVE, SEARCH = LiveRatesState.get_full_name(), RatesState.get_full_name()

_numbers = itertools.count(1)


@contextmanager
def visiting(url: str, world: World, seed: int) -> Iterator[None]:
    """Have the visitors come and go while the context is open."""
    over = threading.Event()
    thread = threading.Thread(target=lambda: asyncio.run(_visits(url, world, over, seed)))
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


async def _visits(url: str, world: World, over: threading.Event, seed: int) -> None:
    clients = [_client(url, f"127.0.2.{number}") for number in range(1, CLIENTS + 1)]
    readers = (_read(clients[n % CLIENTS], world, over, random.Random(seed + n)) for n in range(READERS))
    searchers = (_search(url, clients[n], world, over, random.Random(-seed - n)) for n in range(SEARCHERS))
    await asyncio.gather(*readers, *searchers)
    for client in clients:
        await client.aclose()


def _client(url: str, address: str) -> httpx.AsyncClient:
    transport = httpx.AsyncHTTPTransport(local_address=address, limits=httpx.Limits(max_connections=30))
    return httpx.AsyncClient(base_url=url.replace("localhost", "127.0.0.1"), transport=transport, timeout=30)


async def _read(client: httpx.AsyncClient, world: World, over: threading.Event, chance: random.Random) -> None:
    await asyncio.sleep(chance.uniform(0, PAUSE[1]))
    while not over.is_set():
        ledger = world.ledger
        paths = ([*world.deals], [*ledger.published, *ledger.now.live()], [*world.static])
        path = chance.choice(chance.choices(paths, (4, 4, 2))[0])
        await (_data_page if path not in world.compiled and is_data(path) and chance.random() < 0.5 else page)(
            client, world, path
        )
        await asyncio.sleep(chance.uniform(*PAUSE))


async def page(client: httpx.AsyncClient, world: World, path: str) -> httpx.Response | None:
    """Ask for a page, and judge it."""
    begun, began = world.moment(), time.monotonic()
    try:
        answer = await client.get(path)
    except httpx.HTTPError as error:
        world.violated(f"no answer ({type(error).__name__})", path)
        return None
    world.times.append(time.monotonic() - began)
    world.statuses[str(answer.status_code)] += 1
    location = answer.headers.get("location", "")
    world.check_page(Seen(path=path, status=answer.status_code, location=location, text=answer.text), begun)
    return answer


async def _data_page(client: httpx.AsyncClient, world: World, path: str) -> None:
    """Ask for a page of data and for what React reads of it, which is the same but where both changed in between."""
    address = data_address(path)
    for _ in range(SAME_TRIES):
        answer = await page(client, world, path)
        if answer is None or answer.status_code != 200:
            return
        if not (view := view_of(answer.text)):
            world.violated("a page of data has no view for React", path)
            return
        if path.startswith(LENDERS):
            check_lender(world, path, answer.text, view)
        try:
            data = await client.get(address)
        except httpx.HTTPError as error:
            world.violated(f"no answer ({type(error).__name__})", address)
            return
        world.statuses[f"{data.status_code} (JSON)"] += 1
        if data.status_code == 200 and is_same(data.json(), view, answer.text):
            return
    world.violated("page.json differs from its page", address)


async def _search(
    url: str, client: httpx.AsyncClient, world: World, over: threading.Event, chance: random.Random
) -> None:
    await asyncio.sleep(chance.uniform(0, PAUSE[1]))
    while not over.is_set():
        try:
            await _tab(url, client, world, over, chance)
        except (SocketError, ConnectionClosed, OSError) as error:
            world.violated(f"a tab was cut ({type(error).__name__})", url)
            await asyncio.sleep(PAUSE[1])


async def _tab(url: str, client: httpx.AsyncClient, world: World, over: threading.Event, chance: random.Random) -> None:
    """Open a tab, look at pages with rates and search in it, and close it."""
    address = f"{url.replace('http', 'ws')}/_event/?token=soak-{next(_numbers)}&EIO=4&transport=websocket"
    socket: Any = await Socket.connect(address, headers={"Origin": url})
    await socket.send("40/_event,{}")
    for _ in range(TAB_EVENTS):
        if over.is_set():
            break
        match chance.randrange(4):
            case 0:
                await _list_as_file(client, world, _asked(chance))
            case 1:
                await _searched(socket, world, _asked(chance))
            case _:
                await _block(socket, world, chance)
        await _idle(socket, chance.uniform(*PAUSE))
    await socket.close()


def _asked(chance: random.Random) -> dict[str, str]:
    """Return a search; some are asked often, most once."""
    price = chance.choice((200_000, 300_000, 150_000 + 1_000 * chance.randrange(400)))
    purpose = chance.choice(("purchase", "remortgage"))
    return {"price": str(price), "amount": str(price * 6 // 10), "period": chance.choice("25"), "for": purpose}


async def _list_as_file(client: httpx.AsyncClient, world: World, asked: dict[str, str]) -> None:
    try:
        answer = await client.get(routes.RATES_CSV, params=asked)
    except httpx.HTTPError as error:
        world.violated(f"no answer ({type(error).__name__})", routes.RATES_CSV)
        return
    rows = answer.text.count("\n")
    status = "failed" if answer.status_code == 503 else "loaded" if rows > 3 else "empty"
    world.statuses[f"{answer.status_code} (CSV)"] += 1
    world.check_search(status, version=None, is_stale=False, where=f"{routes.RATES_CSV}?{asked}")


async def _searched(socket: Any, world: World, asked: dict[str, str]) -> None:
    """Search on the page of rates, and judge what the tab is told."""
    path = f"{routes.RATES}?{'&'.join(f'{name}={value}' for name, value in asked.items())}"
    await _call(socket, f"{SEARCH}.open", {"customer": ""}, path=path)
    async for state in _told(socket, SEARCH, world, path):
        status, found = state.get("status_rx_state_", ""), state.get("found_rx_state_") or {}
        if status in ("loaded", "empty", "failed"):
            version = _oldest(card["fees"] for card in found.get("cards", ()))
            world.check_search(status, version=version, is_stale=bool(found.get("stale")), where=path)
            return


async def _block(socket: Any, world: World, chance: random.Random) -> None:
    """Open a page with a block of rates, and judge what the tab is told."""
    customers = [customer for customer in RULES if not customer or f"/{customer}/" in world.deals]
    customer = chance.choice(customers)
    path = f"/{customer}/" if customer else "/"
    await _call(socket, f"{LIVE}.open_customer", {"customer": customer}, path=path)
    async for state in _told(socket, LIVE, world, path):
        if state.get("away_path_rx_state_"):
            world.blocks["over the socket, kept from the build with a notice"] += 1
            return
        if blocks := state.get("blocks_rx_state_"):
            _check_blocks(world, blocks, path)
            return


def _check_blocks(world: World, blocks: dict[str, Any], path: str) -> None:
    best, tables = blocks["best"], blocks["tables"]
    rows = [row["fees"] for table in tables["tables"] for row in table["rows"]]
    world.blocks["over the socket"] += 1
    world.blocks["over the socket, marked as old"] += bool(best["away"])
    if not best["deals"] or (tables["tables"] and not rows):
        world.violated("a rate block is empty", f"{path} over the socket")
    parts = (
        ([deal["fees"] for deal in best["deals"]], best["dated"], bool(best["away"])),
        (rows, tables["dated"], AWAY in tables["dated"]),
    )
    for fees, dated, is_marked in parts:
        world.check_fees(fees, dated, f"{path} over the socket", is_marked=is_marked)


def _oldest(fees: Any) -> int | None:
    return min((int(text.removeprefix("£").replace(",", "")) - FEES for text in fees), default=None)


async def _call(socket: Any, handler: str, payload: dict[str, str], *, path: str) -> None:
    pathname, _, query = path.partition("?")
    asked = dict(pair.split("=") for pair in query.split("&") if pair)
    event = {"name": handler, "payload": payload}
    event |= {"router_data": {"pathname": pathname, "asPath": path, "query": asked}}
    await socket.send("42/_event," + json.dumps(["event", event]))


async def _told(socket: Any, state: str, world: World, path: str) -> AsyncIterator[dict[str, Any]]:
    """Yield what a state's variables become; that nothing comes is a violation."""
    deadline = time.monotonic() + PATIENCE
    while (left := deadline - time.monotonic()) > 0:
        with suppress(TimeoutError):
            async with asyncio.timeout(left):
                packet = str(await socket.receive())
            if packet == "2":
                await socket.send("3")
            elif packet.startswith("42/_event,"):
                (_, told) = json.loads(packet.removeprefix("42/_event,"))
                if found := (told.get("delta") or {}).get(state):
                    yield found
    world.violated("a tab was told nothing", path)


async def _idle(socket: Any, seconds: float) -> None:
    """Stay on a page, and answer the server's pings."""
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            while True:
                if str(await socket.receive()) == "2":
                    await socket.send("3")
