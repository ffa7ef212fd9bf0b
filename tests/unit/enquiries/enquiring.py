"""Visitors who enquire: what their forms send, a calendar that goes on when it is told to, and the whole services."""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from broker.enquiries.enquiry import TOKEN, EnquiryKind
from broker.enquiries.service import EnquiryReceipt, Limits, Submission
from broker.mail.rendering import Firm
from broker.questionnaire.flow import Flow
from broker.questionnaire.flow_reader import read_flow
from broker.questionnaire.flows import QuestionnaireFlows
from broker.questionnaire.journeys import VisitorJourney
from broker.runtime import Runtime
from broker.services import Services
from broker.settings import Settings
from broker.staff.credentials import Cost
from broker.storage.database import Database
from broker.storage.migrations import migrate
from tests.services import closed_services
from tests.unit.questionnaire.flows import tree

FLOW = read_flow(tree())
"""Four steps: q1 leads to q5, q6 and q4, or straight to q4."""

FIRM = Firm(
    name="Hearthgate Mortgages",
    telephone="020 7946 0123",
    tel="+442079460123",
    address="1 Bread Street, London",
    regulation="Hearthgate Mortgages is authorised and regulated by the Financial Conduct Authority (FRN 1, sample).",
    site_url="https://broker.example",
    risk_warning="Your home may be repossessed if you do not keep up repayments on your mortgage.",
    buy_to_let="Most buy-to-let mortgages are not regulated by the Financial Conduct Authority.",
)
BEGINNING = datetime(2026, 3, 31, 12, 0, tzinfo=UTC)
ADDRESS = "192.0.2.7"
FORM: Mapping[str, object] = {
    "name": "Zebedee Quillfeather",
    "telephone": "07700 900123",
    "email": "zebedee@quill.example",
    "when": "morning",
    "message": "About the cottage at Nether Wallop",
    "privacy": "on",
    "marketing": ["email"],
}
CHEAP = Cost(memory=8, passes=1)
"""Hashes that cost next to nothing."""

BUILT = {"01": 1_985}
"""An answer to q4, where was it built."""


class Calendar:
    """The time as it was told."""

    def __init__(self, now: datetime = BEGINNING) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now

    def forward(self, **parts: float) -> None:
        """Let time pass: `forward(days=3)`."""
        self.now += timedelta(**parts)


def sent(kind: EnquiryKind = EnquiryKind.CALLBACK, /, **fields: object) -> Submission:
    return Submission(kind=kind, given={**FORM, **fields}, page="/contact/", text_version="2026-03", address=ADDRESS)


@asynccontextmanager
async def running(
    settings: Settings,
    clock: Callable[[], datetime] | None = None,
    *,
    limits: Limits | None = None,
    services: Services | None = None,
    flow: Flow = FLOW,
    flows: QuestionnaireFlows | None = None,
) -> AsyncIterator[Services]:
    """Open services over a database, by a calendar that stands still unless given another clock.

    The questionnaire is `flow`, or the current one of `flows`. A database that the settings name is a copy of one with
    all tables, and is not migrated again.
    """
    opened, clock = services or closed_services(), clock or Calendar()
    prepare = as_it_is if settings.database_url.startswith("sqlite") else migrate
    runtime = Runtime(
        opened,
        settings,
        flows or QuestionnaireFlows(flow),
        firm=lambda: FIRM,
        limits=limits,
        prepare=prepare,
        hash_cost=CHEAP,
        clock=clock,
    )
    async with runtime.running():
        yield opened


async def as_it_is(_: Database) -> None:
    """Change no table."""


async def with_token(services: Services, calendar: Calendar, form: Submission) -> Submission:
    token = services.enquiries.forms.token()
    calendar.forward(minutes=1)
    return replace(form, given={**form.given, TOKEN: token})


async def answered(services: Services) -> VisitorJourney:
    held = await services.journeys.begin()
    assert isinstance(await services.journeys.answer(held.token, "q1", answer="stay"), VisitorJourney)
    done = await services.journeys.answer(held.token, "q4", answer=BUILT)
    assert isinstance(done, VisitorJourney)
    return done


def questionnaire(held: VisitorJourney) -> Submission:
    return replace(sent(EnquiryKind.QUESTIONNAIRE), token=held.token, page="/questionnaire/check/")


def thanked(answer: object) -> EnquiryReceipt:
    assert isinstance(answer, EnquiryReceipt), answer
    return answer
