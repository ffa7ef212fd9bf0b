"""Staff's lists of cases: pages, counts, searches, saved filters and files of them."""

import asyncio
from collections.abc import Callable, Collection, Coroutine, Hashable, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from broker.cases.case import EnquiryExport, EnquirySummary, Refused
from broker.cases.case_list import ENCRYPTED, ME, CaseFilter, CasePage, Column, Listing
from broker.cases.saved_filters import SavedFilter, SavedFilterStore
from broker.cases.search_store import CaseSearch
from broker.cases.service import _or_refused
from broker.cases.store import EnquiryListStore, Sorter
from broker.clock import utc_now
from broker.enquiries.contact_details import single_line
from broker.staff.audit import Act, AuditEntry
from broker.staff.audit_log import AuditStore

MAX_NAME = 40
"""Characters of the name of a saved filter."""

NO_NAME = f"Give the filter a name of at most {MAX_NAME} characters"


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnFilters:
    """The filters that an account saved, and the columns that it hides."""

    filters: tuple[SavedFilter, ...] = ()
    hidden: frozenset[Column] = frozenset()


class _Shared:
    """Answers that many tabs ask for after one change, each found once; a refusal is not kept."""

    def __init__(self) -> None:
        self._position = 0
        self._answers: dict[Hashable, asyncio.Task[Any]] = {}

    async def get(self, position: int, key: Hashable, find: Callable[[], Coroutine[Any, Any, Any]]) -> Any:
        """Return the answer of a key at a position of the change feed; `find` finds it where nobody has asked yet."""
        if position != self._position:
            self._position, self._answers = position, {}
        answers = self._answers
        if key not in answers:
            answers[key] = asyncio.create_task(find())
        found = await asyncio.shield(answers[key])
        if isinstance(found, Refused):
            answers.pop(key, None)
        return found


class CaseLists:
    """The lists of a database, for staff; failures are values, never exceptions.

    `who` is the account that looks, authenticated by the caller.
    """

    def __init__(
        self,
        store: EnquiryListStore,
        search: CaseSearch,
        saved: SavedFilterStore,
        audit: AuditStore,
        *,
        clock: Callable[[], datetime] = utc_now,
    ) -> None:
        self._store, self._search, self._saved, self._audit, self._clock = store, search, saved, audit, clock
        self._shared = _Shared()

    @property
    def now(self) -> datetime:
        return self._clock()

    async def page(self, listing: Listing, *, who: str) -> CasePage | Refused:
        """Return a page of a list."""

        async def work() -> CasePage:
            found = await self._found(listing.wanted)
            sorter = await self._sorter(listing)
            return await self._store.page(listing, found=found, sorter=sorter, who=who, now=self._clock())

        return await _or_refused(work())

    async def counts(self, filters: Iterable[CaseFilter], *, who: str) -> tuple[int, ...] | Refused:
        """Return how many cases each filter has, without its words."""
        return await _or_refused(self._store.counts(tuple(filters), who=who, now=self._clock()))

    async def heads_after(self, position: int, references: Collection[str]) -> tuple[EnquirySummary, ...] | Refused:
        """Return the cases of references that still are one, as of a position of the change feed.

        All tabs follow the feed, so what they ask for at one position is read once.
        """
        wanted = frozenset(references)
        return await self._shared.get(position, wanted, lambda: _or_refused(self._store.heads(wanted)))

    async def counts_after(
        self, position: int, filters: Iterable[CaseFilter], *, who: str
    ) -> tuple[int, ...] | Refused:
        """Return the counts of filters as of a position of the change feed, counted once for all tabs."""
        wanted = tuple(filters)
        key = (wanted, who if any(each.adviser == ME for each in wanted) else "")
        return await self._shared.get(position, key, lambda: self.counts(wanted, who=who))

    async def own_filters(self, who: str) -> OwnFilters | Refused:
        async def work() -> OwnFilters:
            filters, hidden = await self._saved.all(who)
            columns = (column for column in Column if column in hidden.split(","))
            return OwnFilters(filters=filters, hidden=frozenset(columns))

        return await _or_refused(work())

    async def save_filter(self, name: object, query: str, *, who: str) -> Refused | None:
        """Save the query of an address under a name; one of the same name is replaced."""
        given = single_line(name, MAX_NAME)
        return await _or_refused(self._saved.save(who, given, query)) if given else Refused(words=NO_NAME)

    async def rename_filter(self, number: int, name: object, *, who: str) -> Refused | None:
        given = single_line(name, MAX_NAME)
        return await _or_refused(self._saved.rename(who, number, given)) if given else Refused(words=NO_NAME)

    async def delete_filter(self, number: int, *, who: str) -> Refused | None:
        return await _or_refused(self._saved.delete(who, number))

    async def hide_columns(self, columns: Iterable[Column], *, who: str) -> Refused | None:
        return await _or_refused(self._saved.hide_columns(who, ",".join(sorted(columns))))

    async def export(self, listing: Listing, *, form: str, own: bool, who: str) -> EnquiryExport | Refused:
        """Return the cases of a list in full for a file of a format, once the audit record lists the export.

        With `own`, only the cases of `who`.
        """

        async def work() -> EnquiryExport:
            found, now = await self._found(listing.wanted), self._clock()
            sorter = await self._sorter(listing)
            exported = await self._store.export(listing, found=found, sorter=sorter, own=own, who=who, now=now)
            detail = f"{len(exported.cases)} as {form}: {listing.wanted.words}{', own alone' if own else ''}"
            await self._audit.add(AuditEntry(at=now, who=who, what=Act.ENQUIRIES_EXPORTED, detail=detail))
            return exported

        return await _or_refused(work())

    async def _found(self, wanted: CaseFilter) -> frozenset[int] | None:
        """Return the ids of the rows that the words of a filter find; None without words."""
        return await self._search.find(wanted.text) if wanted.text.strip() and not wanted.references else None

    async def _sorter(self, listing: Listing) -> Sorter | None:
        if listing.sort not in ENCRYPTED:
            return None
        return await self._search.sorter(
            "name" if listing.sort is Column.NAME else "action", descending=listing.descending
        )
