"""A casework for tests that ask nothing of it: over the flow of the project, and closed."""

from __future__ import annotations

from functools import cache

from broker.domain.questionnaire.check import checked
from broker.domain.questionnaire.flow import Flow
from broker.services.casework import Casework
from broker.services.rates.lenders import LenderDirectory
from broker.services.rates.search import RatesService
from broker.services.staff.logos.admin import LogoAdmin
from broker.services.staff.source_health import Health
from broker.settings import Settings
from tools.project import Project


@cache
def project_flow() -> Flow:
    """Return the questions of the project."""
    return checked((Project().root / "data" / "questionnaire.json").read_text(encoding="utf-8"))


def closed_casework() -> Casework:
    """Return a casework that was never opened: asking it for anything is CaseworkClosedError."""
    return Casework(Settings(), project_flow(), staff_url="http://localhost/staff/")


def closed_health(rates: RatesService) -> Health:
    """Return what looks at some rates, over a casework that was never opened."""
    return Health(Settings(), closed_casework(), rates=rates, logos=LogoAdmin(LenderDirectory(())))
