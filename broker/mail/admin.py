"""Mail for staff and for reports: what waits and failed, another try, and what came back."""

from collections.abc import Callable
from datetime import datetime

from broker.clock import utc_now
from broker.mail.mail import ReportOutcome, UnsentMails
from broker.mail.outbox_store import OutboxStore
from broker.mail.reports import MailReport
from broker.staff.audit import Act, AuditEntry
from broker.staff.audit_log import AuditStore


class MailAdmin:
    """Every method raises StorageError."""

    def __init__(
        self,
        store: OutboxStore,
        audit: AuditStore,
        *,
        notify: Callable[[], None] = lambda: None,
        clock: Callable[[], datetime] = utc_now,
    ) -> None:
        """`notify` is called when mail is due."""
        self._store, self._audit, self._notify, self._clock = store, audit, notify, clock

    @property
    def now(self) -> datetime:
        return self._clock()

    async def unsent(self) -> UnsentMails:
        return await self._store.unsent()

    async def retry(self, *, who: str) -> None:
        """Try all waiting mail again now, for a member of staff."""
        now = self._clock()
        count = await self._store.retry(now)
        await self._audit.add(AuditEntry(at=now, who=who, what=Act.MAIL_RETRIED, detail=f"{count:,}"))
        self._notify()

    async def lift(self, address: str, *, who: str) -> bool:
        """Send mail again to an address that it came back from; return whether it had. The record does not name it."""
        is_lifted = await self._store.lift(address)
        if is_lifted:
            await self._audit.add(AuditEntry(at=self._clock(), who=who, what=Act.ADDRESS_LIFTED))
        return is_lifted

    async def record(self, report: MailReport) -> ReportOutcome:
        """Suppress the address of a mail that came back for good, or was reported as spam."""
        return await self._store.record_return(report.key, is_complaint=report.is_complaint, at=self._clock())
