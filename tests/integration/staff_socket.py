"""Staff states behind a real socket: Reflex's own server in this process, and a state with handlers of every kind."""

import asyncio
import itertools
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from types import SimpleNamespace
from typing import Any, ClassVar, Self, cast

import pytest
import reflex as rx
from reflex_base.registry import RegistrationContext
from starlette.testclient import TestClient, WebSocketTestSession

from broker import services
from broker.settings import Settings
from broker.staff.roles import Right
from broker.state.staff.access import StaffAccessCheck, StaffState
from tests.timeouts import ANSWER_TIMEOUT
from tests.unit.enquiries.enquiring import Calendar, running
from tests.unit.staff.staff_testbed import SITE, StaffTestbed, staff_testbed

SECRET = "Zebedee Quillfeather"
"""What staff alone may see."""

PAGE = "/staff/enquiries/"

GIVEN_ANOTHER_TAB = "new_token"
"""What a socket is told that asked for somebody else's tab while they have it open."""

_numbers = itertools.count(1)


class Extra(rx.State, mixin=True):
    def from_mixin(self) -> None:
        Planted.done.append("from_mixin")
        cast(Any, self).shown = SECRET


class Planted(Extra, StaffState):
    """Handlers of every kind, each of which shows the secret, and keeps that it was run."""

    right: ClassVar[Right] = Right.CASES

    shown: str = ""
    done: ClassVar[list[str]] = []
    waits: ClassVar[asyncio.Event | None] = None

    def plain(self) -> None:
        Planted.done.append("plain")
        self.shown = SECRET

    @rx.event
    async def coroutine(self, given: str = "") -> None:
        Planted.done.append("coroutine")
        self.shown = SECRET + given

    @rx.event
    def generator(self) -> Iterator[None]:
        Planted.done.append("generator")
        self.shown = SECRET[:4]
        yield
        self.shown = SECRET

    @rx.event
    async def async_generator(self) -> AsyncIterator[None]:
        Planted.done.append("async_generator")
        self.shown = SECRET[:4]
        yield
        self.shown = SECRET

    @rx.event(background=True, supersedes=True)
    async def behind(self) -> None:
        Planted.done.append("behind")
        if Planted.waits:
            await Planted.waits.wait()
        async with self:
            self.shown = SECRET

    @rx.event(background=True)
    async def behind_in_parts(self) -> AsyncIterator[None]:
        Planted.done.append("behind_in_parts")
        async with self:
            self.shown = SECRET
        yield

    @rx.event
    async def chained(self) -> Any:
        Planted.done.append("chained")
        return type(self).coroutine("!")

    @rx.event
    async def awaited(self) -> None:
        Planted.done.append("awaited")
        await cast(Any, self.plain)()

    @rx.event
    def change(self, wanted: dict[str, Any]) -> None:
        Planted.done.append("change")
        self.shown = SECRET + str(wanted)

    def quiet(self) -> None:
        Planted.done.append("quiet")


KINDS = (
    "from_mixin",
    "plain",
    "coroutine",
    "generator",
    "async_generator",
    "behind",
    "behind_in_parts",
    "chained",
    "awaited",
)
"""The handlers that need no argument."""


class Socket:
    """A socket of somebody's, with the frames that came."""

    def __init__(self, socket: WebSocketTestSession) -> None:
        self._socket = socket
        self.frames: list[str] = []
        self.page = PAGE
        self._read()
        socket.send_text("40/_event,{}")
        self.until("40/_event")

    def call(self, handler: str, **payload: object) -> Self:
        here = {"pathname": self.page, "asPath": self.page}
        sent = ["event", {"name": handler, "payload": payload, "router_data": here}]
        self._socket.send_text("42/_event," + json.dumps(sent))
        return self

    def until(self, words: str) -> str:
        """Wait for a frame that holds some words, and return what came up to it since the last one."""
        came = [self._read()]
        while words not in came[-1]:
            came.append(self._read())
        return "".join(came)

    def everything(self) -> str:
        """Return all that came before the answer to one more call, which anybody may make."""
        mark = f"mark-{next(_numbers)}"
        self.call(f"{Public.get_full_name()}.say", word=mark)
        return self.until(mark)

    def _read(self) -> str:
        # the session's own way to receive has no end where nothing comes
        coming = self._socket.portal.start_task_soon(self._socket._send_rx.receive)
        frame = str(coming.result(timeout=ANSWER_TIMEOUT)["text"])
        if frame == "2":
            self._socket.send_text("3")
        self.frames.append(frame)
        return frame


class Public(rx.State):
    said: str = ""

    @rx.event
    def say(self, word: str) -> None:
        self.said = word


class StaffSite:
    def __init__(self, client: TestClient, room: StaffTestbed, app: rx.App) -> None:
        self.client, self.room, self._app = client, room, app

    def do(self, action: Any, *given: Any) -> Any:
        assert self.client.portal
        return self.client.portal.call(action, *given)

    @contextmanager
    def socket(self, *, tab: str = "", token: str = "", cookie: str = "") -> Iterator[Socket]:
        """Open a socket, as the tab of a name, with the token of a session in its cookie or a whole cookie header."""
        header = cookie or (f"staff={token}" if token else "")
        headers = {"upgrade": "websocket", "connection": "Upgrade", "origin": SITE}
        tab = tab or f"tab-{next(_numbers)}"
        address = f"/_event/?token={tab}&EIO=4&transport=websocket"
        with self.client.websocket_connect(address, headers=headers | ({"cookie": header} if header else {})) as socket:
            opened = Socket(socket)
            yield opened
            socket.send_text("41/_event,")
            self.do(self._let_go, tab)
        assert GIVEN_ANOTHER_TAB not in "".join(opened.frames)

    async def _let_go(self, tab: str) -> None:
        """Wait until nobody has a tab: who asks for one that somebody has is given another."""
        namespace = self._app.event_namespace
        assert namespace
        async with asyncio.timeout(ANSWER_TIMEOUT):
            while tab in namespace.token_to_sid:
                await asyncio.sleep(0)


@contextmanager
def staff_site(
    url: str, monkeypatch: pytest.MonkeyPatch, *, watched: bool = True, settings: Settings | None = None
) -> Iterator[StaffSite]:
    """Run a site over a database, with ada's account in it; `watched` as a site is, or by its states alone.

    With `settings`, of the same database, it has all services; else those of signing in alone.
    """
    monkeypatch.setenv("__REFLEX_SKIP_COMPILE", "true")
    monkeypatch.setattr(services, "_installed", [])
    rooms: list[StaffTestbed] = []

    @asynccontextmanager
    async def open_room() -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            room = await stack.enter_async_context(staff_testbed(url, calendar=Calendar()))
            rooms.append(room)
            opened: Any = SimpleNamespace(staff=room.admin, is_demo=False)
            if settings:
                opened = await stack.enter_async_context(running(settings, room.calendar))
            services.install(opened)
            yield

    Planted.done.clear()
    with RegistrationContext.ensure_context().fork():
        app = rx.App()
        if watched:
            app.add_middleware(StaffAccessCheck())
        app.register_lifespan_task(open_room)
        with TestClient(app(), base_url=SITE) as client:
            yield StaffSite(client, rooms[0], app)


def staff_states(state: type[StaffState] = StaffState) -> Iterator[type[StaffState]]:
    yield state
    for below in state.__subclasses__():
        yield from staff_states(below)
