"""A browser tab as the server sees it: a bare socket that says what a page of the questionnaire would say."""

from __future__ import annotations

import asyncio
import json
import re
import ssl
from contextlib import suppress
from typing import Any

import httpx
from simple_websocket import AioClient

from broker import routes
from broker.questionnaire.flow import Choice, Rates
from broker.questionnaire.forms import CODE, JOURNEY_COOKIE
from broker.questionnaire.journeys import ANSWER_NOT_STORED, ANSWERS_UNAVAILABLE
from broker.state.questionnaire import QuestionnaireState
from tests.services import project_flow
from tests.timeouts import ANSWER_TIMEOUT

STATE = QuestionnaireState.get_full_name()
HYDRATE = "reflex___state____state.hydrate_and_load"
_CODE = re.compile(r'"cookie_code_rx_state_":"([\w=-]+)"')


def form(step: str, words: str) -> dict[str, str]:
    """Return the fields of a question's form: inputs have their keys for names, in their order, a choice has one."""
    is_choice = isinstance(project_flow().steps[step].asks, Choice | Rates)
    given = {"answer": words} if is_choice else {f"0{place}": each for place, each in enumerate(words.split(), start=1)}
    return {"step": step, **given}


class NotStoredError(Exception):
    """The server says that its database is away."""


class Socket(AioClient):
    """A socket that is closed at once: when it is left, and when its greeting fails because the server was killed."""

    async def handshake(self) -> None:
        try:
            await super().handshake()
        finally:
            if not self.connected:
                self.wsock.close()

    async def close(self, reason: Any = None, message: Any = None) -> None:
        try:
            await super().close(reason, message)
        finally:
            self.wsock.close()
            with suppress(OSError, TimeoutError):
                async with asyncio.timeout(1):
                    await self.wsock.wait_closed()


class Tab:
    """One tab; `token` is what its browser's cookie would hold."""

    def __init__(self, socket: Any, url: str, *, origin: str, ssl_context: ssl.SSLContext | None) -> None:
        self._socket, self._url, self._origin, self._ssl_context = socket, url, origin, ssl_context
        self.token = ""

    @classmethod
    async def connected(
        cls, url: str, name: str, *, cookie: str = "", origin: str = "", ssl_context: ssl.SSLContext | None = None
    ) -> Tab:
        address = f"{url.replace('http', 'ws')}/_event/?token={name}&EIO=4&transport=websocket"
        socket: Any = await Socket.connect(
            address, headers={"Origin": origin or url, "Cookie": cookie}, ssl_context=ssl_context
        )
        await socket.send("40/_event,{}")
        return cls(socket, url, origin=origin or url, ssl_context=ssl_context)

    async def open(self, step: str) -> None:
        path = routes.question(step)
        await self._call("open", path, {}, until=f'"path_rx_state_":"{path}"')

    async def answer(self, step: str, words: str) -> None:
        """Answer a question, and wait until the server says where that leads: by then it is on disk."""
        await self._call("answer", routes.question(step), {"form": form(step, words)}, until="_redirect")

    async def hydrate(self) -> str:
        """Ask for all that the server holds of this tab, and return what comes, to a silence of a second."""
        event = {"name": HYDRATE, "payload": {}, "router_data": {"pathname": "/", "asPath": "/", "query": {}}}
        await self._socket.send("42/_event," + json.dumps(["event", event]))
        said = ""
        with suppress(TimeoutError):
            while True:
                async with asyncio.timeout(1 if "42/_event" in said else ANSWER_TIMEOUT):
                    said += str(await self._socket.receive())
        return said

    async def leave(self) -> None:
        await self._socket.close()

    async def _exchange(self, code: str) -> str:
        """Return the token in the cookie that a code is exchanged for, as the page's script does."""
        async with httpx.AsyncClient(
            base_url=self._url,
            headers={"origin": self._origin},
            verify=self._ssl_context or True,
            timeout=ANSWER_TIMEOUT,
        ) as client:
            answer = await client.post(routes.JOURNEY_COOKIE, data={CODE: code})
            return answer.cookies[JOURNEY_COOKIE]

    async def _call(self, handler: str, path: str, payload: dict[str, Any], *, until: str) -> None:
        event = {
            "name": f"{STATE}.{handler}",
            "payload": payload,
            "router_data": {"pathname": path, "asPath": path, "query": {}},
        }
        await self._socket.send("42/_event," + json.dumps(["event", event]))
        told = False
        while not told:
            async with asyncio.timeout(ANSWER_TIMEOUT):  # `wait_for` swallows a cancellation that comes with a packet
                packet = str(await self._socket.receive())
            if packet == "2":
                await self._socket.send("3")
            if ANSWER_NOT_STORED in packet or ANSWERS_UNAVAILABLE in packet:
                raise NotStoredError
            if found := _CODE.search(packet):
                self.token = await self._exchange(found[1])
            told = until in packet
