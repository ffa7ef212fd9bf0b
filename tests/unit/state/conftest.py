"""Services of a test's own, and a tab that uses them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from broker import services
from broker.services import Services
from broker.services.best_rates import BestRates
from broker.services.lenders import KnownLender, LenderDirectory
from broker.services.rates import RatesService
from tests.unit.services.sources import ListSource, many
from tests.unit.state.tab import Tab


@pytest.fixture
def source(monkeypatch: pytest.MonkeyPatch) -> Iterator[ListSource]:
    """Return the source behind the services, which has twelve products; what the process had is put back after."""
    monkeypatch.setattr(services, "_installed", [])
    source = ListSource(many(12))
    lenders = LenderDirectory([KnownLender(lender_id=1, name="Alder Bank", slug="alder-bank")])
    rates = RatesService(source)
    services.install(Services(rates=rates, best=BestRates(rates), lenders=lenders))
    yield source


@pytest.fixture
def tab(source: ListSource) -> Tab:  # noqa: ARG001 - a tab needs the services to be there
    """Return a visitor's tab."""
    return Tab()
