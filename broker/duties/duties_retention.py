"""Retention of what the duties keep: advice is held for its years; complaints, requests and promotions are deleted."""

from datetime import datetime, timedelta

from broker.clock import uk_date
from broker.duties.complaint_store import ComplaintStore
from broker.duties.person_store import PersonStore
from broker.duties.promotion_store import PromotionStore
from broker.duties.retention_rules import PROMOTION_DAYS, REQUEST_YEARS


class DutiesRetention:
    """Methods raise StorageError."""

    def __init__(self, complaints: ComplaintStore, people: PersonStore, promotions: PromotionStore) -> None:
        self._complaints, self._people, self._promotions = complaints, people, promotions

    async def hold(self, now: datetime) -> int:
        """Keep complaints and cases with advice as long as the rules say; return of how many the date was moved."""
        return await self._complaints.hold() + await self._people.hold_advice(now)

    async def delete_due(self, until: datetime, *, after: datetime) -> None:
        """Delete what is due until a time and after another."""
        last = uk_date(until)
        await self._complaints.delete_due(last, after=uk_date(after))
        await self._people.delete_requests(last.replace(year=last.year - REQUEST_YEARS, day=min(last.day, 28)))
        await self._promotions.delete_ended(until - timedelta(days=PROMOTION_DAYS))
