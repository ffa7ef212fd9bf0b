"""Counts of opened pages, searches and plans: from requests, and from what tabs send.

A link inside the site makes no request for a compiled page, but every event of a tab has the address of its page. Of an
address only the kind of its page is counted. That of a tab's last page is held as hashes, to be compared with its next.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from cachetools import LRUCache
from starlette.datastructures import Headers
from starlette.types import Scope

from broker import routes
from broker.analytics.counted import Counted
from broker.plans.buying_plan import BUYING_PLAN
from broker.plans.remortgage_plan import remortgage_form
from broker.rates.search_params import COMPARE, FIELDS, PAGE, PRODUCT
from broker.server.socket_events import SOCKET_OPENED

MAX_TABS = 10_000
"""Tabs whose last page is held; the least recently used are dropped, and their next event counts as a new page."""

NAMED_BOTS = ("bot", "crawl", "spider", "slurp", "preview", "monitor", "prometheus", "curl", "wget", "python-")
"""Words in the User-Agent of programs that name themselves; others are counted as visitors are."""

_PLAN_FIGURES = frozenset(BUYING_PLAN.defaults()) | frozenset(remortgage_form({}).defaults())


@dataclass(frozen=True, slots=True, kw_only=True)
class _Opened:
    """An opened page: hashes of its path and of its search, 0 for none, and whether a plan has figures.

    `is_list` is whether the search is open at the beginning of its list, without a deal or a comparison.
    """

    kind: Counted | None = None
    path: int = 0
    search: int = 0
    is_list: bool = True
    has_figures: bool = False


class VisitCounts:
    """Passes what visitors do to `add`; `kinds` returns the kind of each path that is counted."""

    def __init__(self, add: Callable[[Counted], None], kinds: Callable[[], Mapping[str, Counted]]) -> None:
        self._add, self._kinds = add, kinds
        self._tabs: LRUCache[str, _Opened] = LRUCache(MAX_TABS)

    def count_request(self, scope: Scope, status: int) -> None:
        """Count an answered GET request, unless a program names itself."""
        agent = Headers(scope=scope).get("user-agent", "").lower()
        if scope["method"] == "GET" and status in (200, 304) and not any(word in agent for word in NAMED_BOTS):
            self._count(self._opened(scope["path"], scope.get("query_string", b"").decode("latin-1")), _Opened())

    def count_event(self, tab: str, event: Mapping[str, Any]) -> None:
        """Count what differs in a tab's address from that of its last event; its first was counted as a request."""
        address = str(event["router_data"].get("asPath", ""))
        path, _, query = address.partition("#")[0].partition("?")
        opened = self._opened(routes.slashed(path), query)
        if event["name"] != SOCKET_OPENED:
            self._count(opened, self._tabs.get(tab, _Opened()))
        self._tabs[tab] = opened

    def _opened(self, path: str, query: str) -> _Opened:
        kind, given = self._kinds().get(path), routes.parameters_in(query)
        search = [given.get(name) for name in FIELDS] if kind is Counted.RATES else []
        return _Opened(
            kind=kind,
            path=hash(path),
            search=hash((path, *search)) if any(search) else 0,
            is_list=not given.keys() & {PAGE, PRODUCT, COMPARE},
            has_figures=kind is Counted.PLAN and bool(given.keys() & _PLAN_FIGURES),
        )

    def _count(self, now: _Opened, before: _Opened) -> None:
        is_new = now.path != before.path
        if now.kind and is_new:
            self._add(now.kind)
        if now.search not in (0, before.search) and now.is_list:
            self._add(Counted.SEARCH)
        if now.has_figures and (is_new or not before.has_figures):
            self._add(Counted.PLAN_ANSWERED)
