"""The search for the deals that a rent passes."""

import logging
from collections.abc import Awaitable, Callable

from broker.domain.rates.let_deals import AskedLets, FoundLets, passing_lets
from broker.domain.rates.product import RatesAnswer, RatesError
from broker.domain.rates.query import RatesQuery

log = logging.getLogger(__name__)


async def find_lets(search: Callable[[RatesQuery], Awaitable[RatesAnswer]], asked: AskedLets) -> FoundLets:
    """Return the deals that a rent passes; a failure of the source is part of the answer."""
    try:
        answer = await search(asked.query)
    except RatesError as error:
        log.warning("deals of a landlord's test could not be read: %s", error)
        return FoundLets(asked=asked, error=error)
    return passing_lets(asked, answer)
