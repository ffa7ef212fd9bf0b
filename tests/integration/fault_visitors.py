"""Visitors of a site that breaks meanwhile: how often each kind failed, how long it waited, what was acknowledged."""

from __future__ import annotations

import asyncio
import ssl
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from itertools import count
from time import monotonic

import httpx
from simple_websocket import ConnectionClosed
from simple_websocket import ConnectionError as NoConnectionError
from wsproto.utilities import RemoteProtocolError

from broker import routes
from broker.enquiries.enquiry import TOKEN
from broker.questionnaire.forms import JOURNEY_COOKIE
from tests.integration.enquiry_site import FORM
from tests.integration.tabs import NotStoredError, Tab
from tests.timeouts import ANSWER_TIMEOUT
from tests.unit.questionnaire.journeys import JOURNEYS

JOURNEY = JOURNEYS["home mover, still looking, a loan"]
READERS, SEARCHERS, ANSWERING, SENDERS = 3, 2, 3, 2
PAGES = (routes.HOME, routes.GUIDES, routes.LENDERS, routes.ABOUT)
PATIENCE = ANSWER_TIMEOUT / 2
"""Seconds after which a visitor gives up an attempt, and tries again."""

AGAIN, PAUSE = 0.3, 0.2
"""Seconds before another attempt, and between two things that a visitor does."""

FILLING = 2.5
"""Seconds in which a form is filled in, from its token on."""

REASONS: dict[type[Exception], str] = {
    NotStoredError: "told that nothing can be stored",
    ConnectionClosed: "socket closed",
    NoConnectionError: "socket refused",
    RemoteProtocolError: "socket cut",
    TimeoutError: "no answer in time",
    httpx.HTTPError: "connection cut",
    ConnectionError: "connection refused",
}
"""What is said of errors."""

FAILURES = (
    *(OSError, ConnectionClosed, NoConnectionError, RemoteProtocolError, httpx.HTTPError, TimeoutError),
    NotStoredError,
    KeyError,  # no cookie in exchange for a code
)


class FailedError(Exception):
    """An answer that is not the one that a visitor came for."""


@dataclass(slots=True)
class Seen:
    """What visitors saw since a moment: attempts by kind, failures by kind and reason, and the longest waits."""

    attempts: Counter[str] = field(default_factory=Counter)
    failures: Counter[tuple[str, str]] = field(default_factory=Counter)
    waits: dict[str, float] = field(default_factory=dict)
    last_failure: float = 0.0


@dataclass(slots=True)
class Acknowledged:
    """What visitors were told is kept: the steps answered under each token, and the enquiries thanked for."""

    steps: dict[str, set[str]] = field(default_factory=dict)
    sending: set[str] = field(default_factory=set)
    thanked: set[str] = field(default_factory=set)


class Journey:
    """A visitor of the questionnaire, with the tab and the cookie that the browser has at the moment."""

    def __init__(self, visitors: Visitors) -> None:
        self._visitors = visitors
        self._tab: Tab | None = None
        self.token = ""

    async def answer(self, step: str, words: str) -> None:
        """Answer a question; after a failure, load the page again first."""
        tab, self._tab = self._tab or await self._visitors.connected(self.token), None
        try:
            await tab.open(step)
            await tab.answer(step, words)
            self._tab = tab
        finally:
            self.token = tab.token or self.token
            if not self._tab:
                await _closed(tab)
        self._visitors.told.steps.setdefault(self.token, set()).add(step)

    async def leave(self) -> None:
        if self._tab:
            await _closed(self._tab)
            self._tab = None


async def _closed(tab: Tab) -> None:
    with suppress(*FAILURES):
        async with asyncio.timeout(1):
            await tab.leave()


class Visitors:
    """Visitors at a site, some of each kind; `told` is all that was acknowledged to them, `seen` can be begun again."""

    def __init__(self, url: str, *, origin: str, trust: ssl.SSLContext | None = None) -> None:
        self.told, self.seen = Acknowledged(), Seen()
        self._url, self._origin, self._trust = url, origin, trust
        self._numbers = count()

    @asynccontextmanager
    async def visiting(self) -> AsyncIterator[None]:
        """Have all of them visit while the context is open."""
        kinds = {self._reads: READERS, self._searches: SEARCHERS, self._answers: ANSWERING, self._sends: SENDERS}
        tasks = [asyncio.create_task(self._visits(kind)) for kind, most in kinds.items() for _ in range(most)]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            done = await asyncio.gather(*tasks, return_exceptions=True)
            assert all(isinstance(each, asyncio.CancelledError) for each in done), done

    async def connected(self, token: str) -> Tab:
        cookie = f"{JOURNEY_COOKIE}={token}" if token else ""
        name = f"tab-{next(self._numbers)}"
        return await Tab.connected(self._url, name, cookie=cookie, origin=self._origin, ssl_context=self._trust)

    async def _visits(self, kind: Callable[[httpx.AsyncClient, int], Awaitable[None]]) -> None:
        verify = self._trust or False
        headers = {"origin": self._origin}
        async with httpx.AsyncClient(base_url=self._url, verify=verify, headers=headers, timeout=PATIENCE) as client:
            while True:
                await kind(client, next(self._numbers))
                await asyncio.sleep(PAUSE)

    async def _until_done(self, kind: str, attempt: Callable[[], Awaitable[None]]) -> None:
        """Attempt something until it succeeds, as a visitor who presses the button again."""
        began = monotonic()
        while True:
            self.seen.attempts[kind] += 1
            try:
                async with asyncio.timeout(PATIENCE):
                    await attempt()
            except (*FAILURES, FailedError) as error:
                self.seen.failures[kind, _reason(error)] += 1
                self.seen.last_failure = monotonic()
                await asyncio.sleep(AGAIN)
            else:
                self.seen.waits[kind] = max(self.seen.waits.get(kind, 0.0), monotonic() - began)
                return

    async def _reads(self, client: httpx.AsyncClient, number: int) -> None:
        path = f"{PAGES[number % len(PAGES)]}?visit={number}"
        await self._until_done("pages", lambda: _gets(client, path, ""))

    async def _searches(self, client: httpx.AsyncClient, number: int) -> None:
        path = f"{routes.deals('')}?amount={100_000 + 500 * (number % 100)}"
        await self._until_done("searches", lambda: _gets(client, path, "data-product"))

    async def _answers(self, client: httpx.AsyncClient, number: int) -> None:
        journey = Journey(self)
        try:
            for step, words in JOURNEY.replies:
                await self._until_done("answers", lambda step=step, words=words: journey.answer(step, words))
                await asyncio.sleep(PAUSE)
        finally:
            await journey.leave()
        if number % 2:  # the others leave their answers for later, where they must be found
            self.told.sending.add(journey.token)
            await self._until_done("enquiries", lambda: self._sends_answers(client, journey.token, number))
            self.told.thanked.add(f"Enquiry {number}")

    async def _sends_answers(self, client: httpx.AsyncClient, token: str, number: int) -> None:
        """Send a journey's answers from an address of its own."""
        answer = await client.post(
            routes.SEND_ANSWERS,
            data={**FORM, "message": f"Enquiry {number}"},
            headers={"cookie": f"{JOURNEY_COOKIE}={token}", "x-forwarded-for": f"192.0.2.{number % 250}-{number}"},
        )
        if answer.status_code != 303 or not answer.headers["location"].startswith(routes.THANK_YOU):
            raise FailedError("not thanked")

    async def _sends(self, client: httpx.AsyncClient, number: int) -> None:
        form = {**FORM, "kind": "callback", "name": "Zebedee Quillfeather", "message": f"Enquiry {number}"}
        headers = {"x-forwarded-for": f"192.0.2.{number % 250}-{number}"}
        if number % 2:  # the others send it as a browser without scripts does
            await self._begins(client, form)

        async def attempt() -> None:
            answer = await client.post(routes.CONTACT, data=form, headers=headers)
            if answer.status_code != 303:
                raise FailedError(f"status {answer.status_code}")

        await self._until_done("enquiries", attempt)
        self.told.thanked.add(f"Enquiry {number}")
        await asyncio.sleep(PAUSE)

    async def _begins(self, client: httpx.AsyncClient, form: dict[str, str]) -> None:
        """Draw the token of a form, as its page does when somebody begins to fill it in."""

        async def attempt() -> None:
            answer = await client.get(routes.FORM_TOKEN)
            if answer.status_code != 200:
                raise FailedError(f"status {answer.status_code}")
            form[TOKEN] = answer.text

        await self._until_done("forms", attempt)
        await asyncio.sleep(FILLING)


async def _gets(client: httpx.AsyncClient, path: str, words: str) -> None:
    answer = await client.get(path)
    if answer.status_code != 200:
        raise FailedError(f"status {answer.status_code}")
    if words not in answer.text:
        raise FailedError(f"no {words}")


def _reason(error: Exception) -> str:
    if isinstance(error, FailedError):
        return str(error)
    return next((words for kind, words in REASONS.items() if isinstance(error, kind)), type(error).__name__)
