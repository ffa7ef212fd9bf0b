"""Staff's work on support needs: record, show where somebody calls, remove, count."""

from collections.abc import Callable, Mapping
from datetime import datetime

from broker.clock import utc_now
from broker.duties.complaint import NotDone
from broker.duties.complaints import CORRECT, or_not_done
from broker.duties.needs_store import NeedsStore
from broker.duties.support_needs import CaseNeeds, SupportNeeds, count_needs, parse_needs
from broker.enquiries.enquiry import parse_reference

NOTHING = "Choose what makes a call easier, or write it"
GONE = "This case is no longer there"
OVERTAKEN = "A colleague changed this case meanwhile, and nothing was saved. Look at it, and save again if it is right"


class NeedsService:
    """Support needs by the reference of a case, for staff; failures are values, never exceptions."""

    def __init__(self, store: NeedsStore, *, clock: Callable[[], datetime] = utc_now) -> None:
        self._store, self._clock = store, clock

    async def find(self, reference: object) -> CaseNeeds | NotDone:
        return await or_not_done(self._store.find(parse_reference(reference))) or NotDone(words=GONE)

    async def record(
        self, reference: object, form: Mapping[str, object], *, version: int, who: str
    ) -> CaseNeeds | NotDone:
        """Record the needs of a form, to which the person has agreed."""
        needs = parse_needs(form, at=self._clock(), who=who)
        if needs is None:
            return NotDone(words=NOTHING)
        if isinstance(needs, tuple):
            return NotDone(words=CORRECT, problems=needs)
        return await self._set(reference, needs, version=version, who=who)

    async def remove(self, reference: object, *, version: int, who: str) -> CaseNeeds | NotDone:
        """Delete the needs of a case, as the person may ask at any time."""
        return await self._set(reference, None, version=version, who=who)

    async def counts(self) -> tuple[tuple[str, str], ...] | NotDone:
        """Return each kind in words with how many cases have it; small counts are not given."""
        found = await or_not_done(self._store.all())
        return found if isinstance(found, NotDone) else count_needs(found)

    async def _set(
        self, reference: object, needs: SupportNeeds | None, *, version: int, who: str
    ) -> CaseNeeds | NotDone:
        known = parse_reference(reference)
        done = await or_not_done(self._store.set(known, needs, version=version, who=who, at=self._clock()))
        if done is None:
            return NotDone(words=GONE)
        is_done = isinstance(done, NotDone) or (done.version, done.needs) == (version + 1, needs)
        return done if is_done else NotDone(words=OVERTAKEN)
