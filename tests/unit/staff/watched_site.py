"""A site whose sources a test has fail and come back: with the sample market, or with a live feed."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Any

from broker.lenders.directory import LenderDirectory
from broker.lenders.logos.admin import LogoAdmin
from broker.questionnaire.flows import QuestionnaireFlows
from broker.rates.feed.client import (
    LENDERS,
    LOGOS,
    QUESTIONNAIRE,
    SAVED_LENDERS,
    SAVED_LTV_RATES,
    SAVED_RATES,
    SERVICE,
    Call,
)
from broker.rates.feed.site_content import fetch_questionnaire
from broker.rates.lender_rates import LenderRates
from broker.rates.live_feed import BestRates, LiveFeed
from broker.rates.search import RatesService
from broker.services import Services
from broker.settings import Settings
from broker.staff.health import Health
from tests.services import project_averages
from tests.unit.enquiries.enquiring import FLOW, Calendar, running
from tests.unit.questionnaire.flows import tree
from tests.unit.rates.feed.answers import answer, row
from tests.unit.rates.feed.changing_feed import Feed
from tests.unit.rates.sources import HeldRates, ListSource

EVERY = timedelta(minutes=10)
TREES: dict[Call, Any] = {
    SAVED_RATES: {"first-time-buyer": answer([row()])},
    SAVED_LTV_RATES: {"103": {"50": answer([row()])}},
    SERVICE: {"saved": 0},
    SAVED_LENDERS: [],
    LENDERS: {"GetLenderListResponse": {"Lenders": {"MBLender": [{"ID": "7", "Name": "Cedar"}]}}},
    QUESTIONNAIRE: {"queries": tree()},
    LOGOS: {"GetLenderLogosResponse": {"Logos": {"MBLenderLogo": []}}},
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """A site whose feed and source a test changes."""

    health: Health
    services: Services
    calendar: Calendar
    feed: Feed
    source: ListSource


@asynccontextmanager
async def site(settings: Settings) -> AsyncIterator[Site]:
    calendar, feed, source, directory = Calendar(), Feed(dict(TREES)), ListSource(), LenderDirectory(())
    client = feed.client if settings.api_url else None
    logos = LogoAdmin(directory, client, clock=calendar)
    live = LiveFeed(client, directory, every=EVERY, lenders=logos.refresh) if client else None
    if live:
        live.by_customer.source_status._clock = live.by_lender.source_status._clock = calendar
    rates = RatesService(source, fresh_for=EVERY if client else None)
    rates.source_status._clock = calendar
    services: Services
    fetch = partial(fetch_questionnaire, client) if client else None
    flows = QuestionnaireFlows(FLOW, fetch=fetch, clock=calendar)
    health = Health(settings, lambda: services, rates=rates, logos=logos, flows=flows, live=live, clock=calendar)
    services = Services(
        rates=rates,
        best=BestRates(rates),
        lender_rates=LenderRates(HeldRates(source)),
        lenders=directory,
        logos=logos,
        health=health,
        rate_history=project_averages(),
    )
    async with running(settings, calendar, services=services):
        yield Site(health=health, services=services, calendar=calendar, feed=feed, source=source)
