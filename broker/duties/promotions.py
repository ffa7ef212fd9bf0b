"""The register of promotions: how each public page with rates stands, and its approval."""

from collections.abc import Awaitable, Callable, Sequence
from datetime import date, datetime, timedelta

from broker.clock import uk_date, utc_now
from broker.duties.complaint import NotDone
from broker.duties.complaints import or_not_done
from broker.duties.promotion import DUE_DAYS, Approval, Promotion, PublicPage, register
from broker.duties.promotion_store import PromotionStore

CHANGED = "This page has just changed, and is not approved. Look at what it shows now"
UNKNOWN = "No public page of this address shows a rate or a payment"

Pages = Callable[[], Awaitable[Sequence[PublicPage]]]
"""Returns the public pages of the release that is served."""


class PromotionService:
    """The register, for staff; failures are values, never exceptions."""

    def __init__(
        self, store: PromotionStore, pages: Pages, *, due_days: int = DUE_DAYS, clock: Callable[[], datetime] = utc_now
    ) -> None:
        self._store, self._pages, self._due_days, self._clock = store, pages, due_days, clock

    @property
    def today(self) -> date:
        """Return the day in the UK."""
        return uk_date(self._clock())

    async def register(self) -> tuple[Promotion, ...] | NotDone:
        """Return every public page with rates, and end the approvals of those that are no longer shown."""

        async def work() -> tuple[Promotion, ...]:
            pages, approvals = await self._pages(), await self._store.current()
            found = register(pages, approvals, self.today)
            if pages:
                await self._store.end(
                    frozenset(approvals) - {page.path for each in found for page in each.pages}, self._clock()
                )
            return found

        return await or_not_done(work())

    async def approve(self, path: object, seen: object, *, who: str) -> Promotion | NotDone:
        """Approve what a page or a family shows, where its digest is the one that was `seen`."""

        async def work() -> Promotion | NotDone:
            pages, approvals = await self._pages(), await self._store.current()
            shown = next((each for each in register(pages, approvals, self.today) if each.path == path), None)
            if shown is None:
                return NotDone(words=UNKNOWN)
            if shown.digest != seen:
                return NotDone(words=CHANGED)
            now, due = self._clock(), self.today + timedelta(days=self._due_days)
            approved = [
                Approval(path=page.path, text=page.text, who=who, at=now, due=due)
                for page in shown.waiting or shown.pages
            ]
            await self._store.approve(approved, about=shown.path)
            fresh = {**approvals, **{each.path: each for each in approved}}
            return next(each for each in register(shown.pages, fresh, self.today))

        return await or_not_done(work())
