"""The register of promotions: how each public page with rates stands, and its approval."""

from collections.abc import Awaitable, Callable, Sequence
from datetime import date, datetime, timedelta

from broker.clock import UK, utc_now
from broker.duties.complaint import NotDone
from broker.duties.complaints import or_not_done
from broker.duties.promotion import DUE_DAYS, Approval, Promotion, PublicPage, digest_of, is_promotion, register
from broker.duties.promotion_store import PromotionStore

CHANGED = "This page has just changed, and is not approved. Look at what it shows now"
UNKNOWN = "No public page of this address shows a rate"

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
        return self._clock().astimezone(UK).date()

    async def register(self) -> tuple[Promotion, ...] | NotDone:
        """Return every public page with rates, and end the approvals of those that are no longer shown."""

        async def work() -> tuple[Promotion, ...]:
            pages, approvals = await self._pages(), await self._store.current()
            found = register(pages, approvals, self.today)
            if pages:
                await self._store.end(frozenset(approvals) - {each.page.path for each in found}, self._clock())
            return found

        return await or_not_done(work())

    async def approve(self, path: object, seen: object, *, who: str) -> Promotion | NotDone:
        """Approve what a page shows, where its digest is the one that was `seen`."""

        async def work() -> Promotion | NotDone:
            page = next((each for each in await self._pages() if each.path == path), None)
            if page is None or not is_promotion(page.text):
                return NotDone(words=UNKNOWN)
            digest = digest_of(page.text)
            if digest != seen:
                return NotDone(words=CHANGED)
            due = self.today + timedelta(days=self._due_days)
            approval = Approval(path=page.path, text=page.text, who=who, at=self._clock(), due=due)
            await self._store.approve(approval, digest=digest)
            return register([page], {page.path: approval}, self.today)[0]

        return await or_not_done(work())
