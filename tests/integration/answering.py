"""A server to be killed: it stores enquiries and answers, and tells of each only once it has come back.

Run by itself it is where such servers come from: a line on its input, a `Start` in JSON, makes one, a process of its
own; a line on its output tells its number, and another that it has ended.
"""

import asyncio
import json
import os
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

from broker.clock import utc_now
from broker.enquiries.enquiry import EnquiryKind
from broker.enquiries.service import Limits
from broker.questionnaire.journeys import VisitorJourney
from broker.services import Services
from broker.settings import Settings
from tests.databases.fixtures import KEY
from tests.unit.enquiries.enquiring import running, sent, thanked

MANY = 1_000_000
YEARS = range(1_900, 2_021)


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """How a server begins: its database, the enquiry to store next, and the journey to go on with, empty for a new one.

    The enquiry may have been stored by the one before, which was killed and did not tell of it.
    """

    folder: str
    database_url: str
    number: int
    token: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What a server tells: that it runs or has ended, or what it has stored, an enquiry or an answer, by its number."""

    begun: int = 0
    ended: bool = False
    number: int = 0
    reference: str = ""
    token: str = ""


def year(number: int) -> dict[str, int]:
    return {"01": YEARS[number % len(YEARS)]}


def tell(told: Told) -> None:
    os.write(sys.stdout.fileno(), f"{json.dumps(asdict(told))}\n".encode())


def main() -> None:
    for line in sys.stdin:
        process = os.fork()
        if not process:
            asyncio.run(serve(Start(**json.loads(line))))
        tell(Told(begun=process))
        os.waitpid(process, 0)
        tell(Told(ended=True))


async def serve(start: Start) -> None:
    settings = Settings(state_dir=Path(start.folder), database_url=start.database_url, secret_keys=(KEY,))
    limits = Limits(sent=MANY, sent_without_token=MANY)
    async with running(settings, utc_now, limits=limits) as services:
        await asyncio.gather(_enquire(services, start.number), _answer(services, start.token))


async def _enquire(services: Services, number: int) -> None:
    while True:
        form = sent(EnquiryKind.CONTACT, message=f"Enquiry {number}")
        tell(Told(number=number, reference=thanked(await services.enquiries.submit(form)).reference))
        number += 1


async def _answer(services: Services, token: str) -> None:
    held = await services.journeys.find(token) or await services.journeys.begin()
    begun = await services.journeys.answer(held.token, "q1", answer="stay")
    assert isinstance(begun, VisitorJourney)
    number = begun.version
    while True:
        number += 1
        done = await services.journeys.answer(held.token, "q4", answer=year(number))
        assert isinstance(done, VisitorJourney)
        tell(Told(number=number, token=done.token))


if __name__ == "__main__":
    main()
