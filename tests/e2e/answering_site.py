"""A site whose visitors answer questions: what it keeps of them, and answers put there without a browser."""

import asyncio
import sqlite3
from collections.abc import Coroutine, Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import TypeVar

import httpx

from broker import routes
from broker.enquiries.enquiry import StoredEnquiry
from broker.questionnaire.answers import Value
from broker.questionnaire.forms import JOURNEY_COOKIE
from broker.questionnaire.journey_store import JourneyStore, StoredJourney, token_digest
from broker.settings import Settings
from broker.storage.database import database_for
from broker.storage.encryption import secret_keys_for
from broker.storage.signed_tokens import TokenSigner
from tests.integration.enquiry_site import EnquirySite
from tests.timeouts import ANSWER_TIMEOUT
from tests.unit.questionnaire.flows import SHIPPED
from tests.unit.questionnaire.journeys import ScriptedJourney, scripted_journey
from tests.unit.state.asking import form
from tools.server import Server

Found = TypeVar("Found")


class AnsweringSite:
    """A running site, and what its visitors answered."""

    def __init__(self, site: EnquirySite) -> None:
        self._site = site

    @property
    def url(self) -> str:
        return self._site.url

    @property
    def server(self) -> Server:
        return self._site.server

    def given(self, replies: str | ScriptedJourney) -> str:
        """Give answers as a browser without scripts does, written as `q1 remortgage, q2 residential`.

        Return the token that leads to them.
        """
        journey = scripted_journey(replies) if isinstance(replies, str) else replies
        with httpx.Client(base_url=self.url, headers={"origin": self.url}, timeout=ANSWER_TIMEOUT) as client:
            for step, words in journey.replies:
                answer = client.post(routes.GIVE_ANSWER, data=form(step, words, flow=SHIPPED))
                assert answer.status_code == 303, (step, answer.text)
            return client.cookies[JOURNEY_COOKIE]

    def journey(self, token: str) -> StoredJourney | None:
        async def read() -> StoredJourney | None:
            database = database_for(self._settings)
            try:
                return await JourneyStore(database, secret_keys_for(self._settings)).find(token, datetime.now(UTC))
            finally:
                await database.close()

        return _elsewhere(read())

    def answers(self, token: str) -> Mapping[str, Value]:
        journey = self.journey(token)
        return journey.answers if journey else {}

    def enquiries(self) -> list[StoredEnquiry]:
        with ThreadPoolExecutor(1) as other:
            return other.submit(self._site.kept).result()

    def end(self, token: str) -> None:
        with sqlite3.connect(self._site.state_dir / "enquiries.db", timeout=ANSWER_TIMEOUT) as connection:
            over = "UPDATE journeys SET delete_after = '2020-01-01 00:00:00.000000' WHERE token = ?"
            assert connection.execute(over, (token_digest(token),)).rowcount == 1
        connection.close()

    def link(self, token: str, *, days: float) -> str:
        """Return the address of a saved link that was made so many days ago."""
        made = datetime.now(UTC) - timedelta(days=days)
        tokens = TokenSigner(secret_keys_for(self._settings).cipher_for("resume link"))
        return f"{self.url}{routes.SAVED_ANSWERS}#{tokens.write(token, made=made)}"

    @property
    def _settings(self) -> Settings:
        return Settings().changed(state_dir=self._site.state_dir)


def _elsewhere(work: Coroutine[None, None, Found]) -> Found:
    """Run a coroutine in a thread of its own: Playwright keeps a loop in this one."""
    with ThreadPoolExecutor(1) as other:
        return other.submit(asyncio.run, work).result()
