"""The stand-in on a port of this machine: in a thread for tests, in its own process for people."""

import asyncio
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import replace

from tests.standin.setting import OK, Published, Setting
from tests.standin.site import Edit, Site
from tests.standin.wire import HOST, converse


class Standin:
    """A stand-in in a thread of its own; `url` is what BROKER_API_URL is set to."""

    def __init__(self, port: int = 0, setting: Setting | None = None) -> None:
        """Set the port, 0 for any free one, and the first setting."""
        self.site = Site(setting)
        self.port = port
        self._listening: Future[int] = Future()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run()), daemon=True)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._done: asyncio.Event | None = None

    @property
    def url(self) -> str:
        return f"http://{HOST}:{self.port}/api"

    def switch(self, name: str = OK, *, only: str = "", **numbers: int) -> None:
        """Change how requests are answered; `only` limits a name to one call, `numbers` are delay, rows and lenders."""
        self.site.setting = replace(self.site.setting, name=name, only=only, **numbers)

    def rename(self, names: Mapping[int, str]) -> None:
        """Call lenders otherwise than the market does, by id."""
        self.site.setting = replace(self.site.setting, names=tuple(names.items()))

    def publish(self, *guides: Published) -> None:
        self.site.setting = replace(self.site.setting, published=guides)

    def edit(self, edit: Edit = lambda _call, tree: tree) -> None:
        """Change the good answers as an editor does; without an argument they are as recorded."""
        self.site.edit(edit)

    def asked(self) -> dict[str, int]:
        return dict(self.site.asked)

    def forget(self) -> None:
        self.site.asked.clear()
        self.site.waits.clear()

    def start(self) -> None:
        """Listen; raises OSError where the port is taken."""
        self._thread.start()
        self.port = self._listening.result()

    def stop(self) -> None:
        if self._loop is not None and self._done is not None:
            self._loop.call_soon_threadsafe(self._done.set)
        self._thread.join()

    async def _run(self) -> None:
        self._loop, self._done = asyncio.get_running_loop(), asyncio.Event()
        try:
            await listen(self.site, self.port, done=self._done, heard=self._listening.set_result)
        except OSError as error:
            self._listening.set_exception(error)


async def listen(site: Site, port: int, *, done: asyncio.Event, heard: Callable[[int], None]) -> None:
    """Serve a site on this machine until `done`; `heard` is told the port. Raises OSError where it is taken."""
    talks: set[asyncio.Task[None]] = set()

    def begin(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        talk = asyncio.create_task(converse(site.answer, reader, writer))
        talks.add(talk)
        talk.add_done_callback(talks.discard)

    server = await asyncio.start_server(begin, HOST, port, backlog=512)
    heard(server.sockets[0].getsockname()[1])
    try:
        await done.wait()
    finally:
        server.close()
        for talk in talks:
            talk.cancel()
        await asyncio.gather(*talks, return_exceptions=True)


@contextmanager
def running(port: int = 0, setting: Setting | None = None) -> Iterator[Standin]:
    standin = Standin(port, setting)
    standin.start()
    try:
        yield standin
    finally:
        standin.stop()
