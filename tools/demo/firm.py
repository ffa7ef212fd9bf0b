"""The services of the made-up firm, by a clock that its story moves on."""

import heapq
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from itertools import count

from broker import services
from broker.content.source import content_store
from broker.content.store import ContentStore
from broker.enquiries.service import Limits
from broker.enquiries.working_time import WorkingWeek, working_week
from broker.lenders.directory import LenderDirectory, known_lenders, market_lenders
from broker.lenders.logos.admin import LogoAdmin
from broker.lenders.windows import load_windows
from broker.mail.rendering import firm_of
from broker.plans.rate_history import visit
from broker.questionnaire.check import load_flow
from broker.questionnaire.flows import QuestionnaireFlows
from broker.rates.averages import read_history
from broker.rates.daily_lowest import NO_LOWEST
from broker.rates.lender_rates import LenderRates
from broker.rates.live_feed import BestRates
from broker.rates.market.catalogue import load, product_counts
from broker.rates.market.rate_source import MarketLenderRates, MarketRateSource
from broker.rates.search import RatesService
from broker.runtime import Runtime
from broker.services import Services
from broker.settings import Settings
from broker.staff.health import Health

_NO_LIMITS = Limits(sent=10_000, sent_without_token=10_000, looked=10_000, wrong=10_000, confirmed=10_000)

Work = Callable[[], Awaitable[object]]


class Story:
    """What happens at the firm, in the order of its times whatever the order in which it is told; also a clock."""

    def __init__(self, start: datetime) -> None:
        self.now = start
        self._waiting: list[tuple[datetime, int, Work]] = []
        self._numbers = count()

    def __call__(self) -> datetime:
        return self.now

    def at(self, moment: datetime, work: Work) -> None:
        """Let work happen at a moment; one that is past by then happens next."""
        heapq.heappush(self._waiting, (moment, next(self._numbers), work))

    async def run(self, until: datetime) -> None:
        """Let everything happen up to a moment; what is later never does."""
        while self._waiting and self._waiting[0][0] <= until:
            moment, _, work = heapq.heappop(self._waiting)
            self.now = max(self.now, moment)
            await work()
        self.now = until


@dataclass(frozen=True, slots=True, kw_only=True)
class Firm:
    services: Services
    week: WorkingWeek
    lenders: LenderDirectory


@asynccontextmanager
async def running(settings: Settings, clock: Story) -> AsyncIterator[Firm]:
    """Open the services of the sample firm over the database of the settings."""
    content = content_store(settings)
    week = working_week((each.days, each.hours) for each in content.site().hours)
    catalogue = load(settings.data_dir / "market")
    known = known_lenders(market_lenders(catalogue), content.content.lenders, names={})
    lenders = LenderDirectory(known, windows=load_windows(settings.data_dir))
    rates = RatesService(MarketRateSource(catalogue=catalogue))
    logos = LogoAdmin(lenders, products=product_counts(catalogue), clock=clock)
    flows = QuestionnaireFlows(load_flow((settings.data_dir / "questionnaire.json").read_text(encoding="utf-8")))
    history = read_history(settings.data_dir / "market" / "bank_of_england")
    opened = Services(
        rates=rates,
        best=BestRates(rates),
        lender_rates=LenderRates(MarketLenderRates(catalogue=catalogue)),
        lenders=lenders,
        logos=logos,
        health=Health(settings, services.current, rates=rates, logos=logos, flows=flows),
        rate_history=lambda given: visit(history, given, ours=NO_LOWEST, today=clock().date()),
    )
    runtime = _runtime(opened, settings, flows, content=content, week=week, clock=clock)
    services.install(opened)  # for the documents of results, which search rates
    async with runtime.running():
        yield Firm(services=opened, week=week, lenders=lenders)


def _runtime(
    opened: Services,
    settings: Settings,
    flows: QuestionnaireFlows,
    *,
    content: ContentStore,
    week: WorkingWeek,
    clock: Story,
) -> Runtime:
    return Runtime(
        opened,
        settings,
        flows,
        firm=lambda: firm_of(content.site(), site_url=settings.site_url),
        week=week,
        limits=_NO_LIMITS,
        clock=clock,
    )
