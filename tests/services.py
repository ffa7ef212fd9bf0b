"""Services for tests: over the flow of the project, with no database open unless a test opens one."""

from collections.abc import Callable, Mapping
from datetime import date
from functools import cache, partial

from broker import services
from broker.build_inputs import read_method
from broker.lenders.directory import LenderDirectory
from broker.lenders.logos.admin import LogoAdmin
from broker.pages.registry import Method
from broker.plans.rate_history import Visit, visit
from broker.questionnaire.check import load_flow
from broker.questionnaire.flow import Flow
from broker.questionnaire.flows import QuestionnaireFlows
from broker.rates.averages import read_history
from broker.rates.daily_lowest import NO_LOWEST
from broker.rates.lender_rates import LenderRates
from broker.rates.live_feed import BestRates
from broker.rates.product import RateSource
from broker.rates.search import RatesService
from broker.services import Services
from broker.settings import Settings
from broker.staff.health import Health
from tests.unit.rates.sources import HeldRates, ListSource
from tools.project import Project


@cache
def project_flow() -> Flow:
    return load_flow((Project().root / "data" / "questionnaire.json").read_text(encoding="utf-8"))


@cache
def project_method() -> Method:
    return read_method(Project().root / "data")


@cache
def project_averages() -> Callable[[Mapping[str, str]], Visit]:
    """Return what finds the averages of an address on 26 November 2026, without a feed of our own."""
    history = read_history(Project().root / "data" / "market" / "bank_of_england")
    return partial(visit, history, ours=NO_LOWEST, today=date(2026, 11, 26))


def closed_services(source: RateSource | None = None, lenders: LenderDirectory | None = None) -> Services:
    """Return services without a database: one that needs it raises DatabaseClosedError."""
    rates, directory = RatesService(source or ListSource()), lenders or LenderDirectory(())
    logos = LogoAdmin(directory)
    flows = QuestionnaireFlows(project_flow())
    health = Health(Settings(), services.current, rates=rates, logos=logos, flows=flows)
    return Services(
        rates=rates,
        best=BestRates(rates),
        lender_rates=LenderRates(HeldRates(ListSource())),
        lenders=directory,
        logos=logos,
        health=health,
        rate_history=project_averages(),
    )
