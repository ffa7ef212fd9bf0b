"""Use cases, and the one place a page's handlers reach them: `current()`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # The command line asks one service alone, and starts without the others.
    from broker.services.casework import Casework
    from broker.services.rates.best_rates import BestRates
    from broker.services.rates.lenders import LenderDirectory
    from broker.services.rates.search import RatesService
    from broker.services.staff.source_health import Health
    from broker.services.unbuilt_guides import UnbuiltGuides


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """Everything a handler may ask for; `new_guides` only where the content service is a living one."""

    rates: RatesService
    best: BestRates
    lenders: LenderDirectory
    casework: Casework
    health: Health
    new_guides: UnbuiltGuides | None = None


class ServicesMissingError(RuntimeError):
    """A handler ran before the composition root installed the services."""


_installed: list[Services] = []


def install(services: Services) -> None:
    """Make these the services of the process, in place of any before."""
    _installed[:] = [services]


def current() -> Services:
    """Return the services of the process; raises ServicesMissingError before `install`."""
    if not _installed:
        raise ServicesMissingError("broker.services.install was not called")
    return _installed[0]
