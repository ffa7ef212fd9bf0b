"""A visitor's tabs on the questionnaire without a browser, over services that store their answers."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self, cast

from broker import routes, services
from broker.questionnaire.flow import Flow
from broker.questionnaire.flows import QuestionnaireFlows
from broker.questionnaire.forms import ANSWER, DEALT, JOURNEY_COOKIE, STEP, VERSION
from broker.services import Services
from broker.settings import Settings
from broker.state.questionnaire import QuestionnaireState, SavedAnswersState, empty_unless_owned
from tests.databases.fixtures import KEY
from tests.services import closed_services
from tests.unit.enquiries.enquiring import Calendar, running
from tests.unit.questionnaire.flows import FLOW, reply
from tests.unit.rates.sources import ListSource, many
from tests.unit.state.tab import StateTab


@dataclass(frozen=True, slots=True, kw_only=True)
class Led:
    """Where a handler sends the visitor: a path, and whether in place of this page."""

    path: str
    replace: bool = False


def led(event: Any) -> Led | None:
    if event is None or isinstance(event, list) or event.handler.fn.__qualname__ != "_redirect":
        return None
    given = {name._js_expr: value._var_value for name, value in event.args}
    assert not given["external"], "that opens another tab"
    return Led(path=given["path"], replace=given["replace"])


def form(step: str, words: str, *, flow: Flow = FLOW) -> dict[str, str]:
    """Return the fields that a browser without scripts sends for a reply written as a line of words."""
    value = reply(flow.steps[step], words)
    fields = {ANSWER: value} if isinstance(value, str) else value
    return {STEP: step, **{name: str(each) for name, each in fields.items()}}


@dataclass(slots=True)
class Browser:
    """What the tabs of one browser share, and the number of its last socket."""

    cookie: str = ""
    sockets: int = 0


class Asker(StateTab[QuestionnaireState]):
    """A tab: each page has a socket of its own, which brings the cookie."""

    def __init__(self, browser: Browser | None = None) -> None:
        super().__init__(QuestionnaireState)
        self.browser = browser or Browser()
        self.saved = cast(SavedAnswersState, self.root.get_substate(SavedAnswersState.get_full_name().split(".")))

    def second_tab(self) -> Self:
        return type(self)(self.browser)

    def load(self, address: str) -> None:
        self.browser.sockets += 1
        cookie = f"{JOURNEY_COOKIE}={self.browser.cookie}"
        self.go(address, socket=f"{id(self)}-{self.browser.sockets}", cookie=cookie)
        empty_unless_owned(self.state)

    def exchange(self) -> None:
        """Exchange the code of the page for the cookie, as its script does."""
        token = services.current().journeys.cookies.token(self.state.cookie_code)
        self.browser.cookie = self.browser.cookie if token is None else token

    async def open(self, address: str) -> Led | None:
        self.load(address)
        event = await self.state.open()
        self.exchange()
        if isinstance(event, list):
            await self.do("read_deals")
        return led(event)

    async def settle(self, address: str) -> str:
        """Load a page and follow where it leads, and return the path that it comes to rest at."""
        for _ in range(5):
            onwards = await self.open(address)
            if onwards is None:
                return self.state.path
            address = onwards.path
        raise AssertionError(f"{address} leads on without end")

    def form(self, step: str, words: str) -> dict[str, str]:
        return {**form(step, words), VERSION: str(self.state.version), DEALT: self.state.dealt}

    async def send(self, fields: Any) -> Any:
        event = await self.state.answer(fields)
        self.exchange()
        return event

    async def answer(self, step: str, words: str) -> Led | None:
        return led(await self.send(self.form(step, words)))

    async def reply(self, replies: str) -> None:
        """Open the page of each reply, written as `q1 remortgage, q2 residential`, and answer there."""
        for part in replies.split(","):
            step, _, words = part.strip().partition(" ")
            await self.open(routes.question(step))
            onwards = await self.answer(step, words or "seen")
            assert onwards, (step, self.state.problems, self.state.problem)
            await self.open(onwards.path)

    @property
    def shown(self) -> Mapping[str, str]:
        return {row.label: row.words for row in self.state.answers}


@asynccontextmanager
async def broken(database: Path) -> AsyncIterator[None]:
    """Take the table of journeys away for a while, as it is in a database that is being restored.

    A thread waits for SQLite's lock: the job that holds it needs the event loop to go on.
    """
    await asyncio.to_thread(_rename, database, "journeys", "journeys_away")
    try:
        yield
    finally:
        await asyncio.to_thread(_rename, database, "journeys_away", "journeys")


def _rename(database: Path, table: str, to: str) -> None:
    connection = sqlite3.connect(database)
    connection.execute(f"ALTER TABLE {table} RENAME TO {to}")
    connection.close()


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The services, their database and its time, and the source of the deals."""

    database: Path
    services: Services
    calendar: Calendar
    source: ListSource


@asynccontextmanager
async def asking(folder: Path, flows: QuestionnaireFlows | None = None) -> AsyncIterator[Asked]:
    """Open the site's questions over a database in a folder, as the services that handlers reach."""
    settings, calendar, source = Settings(state_dir=folder, secret_keys=(KEY,)), Calendar(), ListSource(many(12))
    opened = closed_services(source)
    async with running(settings, calendar, services=opened, flow=FLOW, flows=flows):
        services.install(opened)
        yield Asked(database=folder / "enquiries.db", services=opened, calendar=calendar, source=source)
