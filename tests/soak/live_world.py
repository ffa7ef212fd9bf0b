"""What a soak of a live site knows and counts: the editor's states, the faults, the rates, and what visitors saw."""

import re
import statistics
import time
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from broker.clock import UK
from tests.soak.edited_content import FEES, Content
from tests.soak.editor import Ledger, Seen, fault_of
from tests.soak.faults import EMPTY_WAYS, Fault

STALE_AFTER = 150.0
"""Seconds after which new rates are shown or the old ones marked: twice the minute of BROKER_RATES_MINUTES, and a call
that takes as long as it may."""

FAILS_AFTER, EMPTY_AFTER = 20.0, 20.0
"""Seconds after a fault in which a search may still fail, and find nothing."""

AWAY = "We cannot reach the rates service"
MAX_EXAMPLES = 40

READING = 30.0
"""Seconds that reading rates may take."""

_TIMES = re.compile(r"(?:read at|rates are from) (?:<!-- -->)?(\d\d:\d\d on \d{1,2} \w+ \d{4})")
_FEES = re.compile(rf">£{FEES // 1_000},0(\d\d)<")
_PRODUCT = "data-product="
_PRODUCT_LENGTH = 3_000


Moment = tuple[tuple[Content, ...], dict[str, str]]
"""The states that the site may have, and the addresses that were published."""


@dataclass(slots=True, kw_only=True)
class World:
    """Everything that the threads of a soak share; each of them adds only to its own counts.

    `static` are the pages that nobody edits, with their status, `compiled` those that are files of the release; `deals`
    is how many products the block of a page has at least. `seen_after` are the seconds from the content service's
    message to the first answer with an edit, of pages of data and of compiled ones.
    """

    ledger: Ledger
    faults: list[Fault] = field(default_factory=list)
    rates: list[tuple[float, int]] = field(default_factory=lambda: [(0.0, 0)])
    deals: Mapping[str, int] = field(default_factory=dict)
    static: Mapping[str, int] = field(default_factory=dict)
    compiled: Collection[str] = ()
    statuses: Counter[str] = field(default_factory=Counter)
    searches: Counter[str] = field(default_factory=Counter)
    blocks: Counter[str] = field(default_factory=Counter)
    publishes: Counter[str] = field(default_factory=Counter)
    violations: Counter[str] = field(default_factory=Counter)
    examples: list[str] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    publish_times: list[float] = field(default_factory=list)
    seen_after: dict[str, list[float]] = field(default_factory=lambda: {"data": [], "compiled": []})

    def violated(self, kind: str, where: str) -> None:
        self.violations[kind] += 1
        if len(self.examples) < MAX_EXAMPLES:
            now = time.monotonic()
            on = [f"{each.call} {each.way}" for each in self.faults if each.covers(now - 5, now)]
            self.examples.append(f"{time.strftime('%H:%M:%S')} {kind}: {where}; failing: {on}")

    def new_rates(self, version: int) -> None:
        self.rates.append((time.monotonic(), version))

    @property
    def oldest_unmarked(self) -> int:
        """Return the number of the rates that every block without a notice shows at least."""
        until = time.monotonic() - STALE_AFTER
        return max(version for since, version in self.rates if since <= until)

    def is_failing(self, call: str, *, within: float, ways: Sequence[str] = ()) -> bool:
        """Return whether a call failed in the last seconds."""
        now = time.monotonic()
        found = [each for each in self.faults if each.call == call and each.covers(now - within, now)]
        return any(not ways or each.way in ways for each in found)

    def check_page(self, seen: Seen, begun: Moment) -> None:
        """Judge an answer by what was true when it was asked for, or is now; `begun` is `moment` of then."""
        _, published = begun
        if seen.status >= 500 and seen.status != 503:
            self.violated(f"answered {seen.status}", seen.path)
        if seen.path in self.static and seen.path not in {*published, *self.ledger.published}:
            words = "" if seen.status == self.static[seen.path] else f"a page is lost ({seen.status})"
        else:
            words = self._fault(seen, begun)
        if words:
            self.violated(words, f"{seen.path} {seen.status} {seen.location}")
        if seen.status == 200 and self.deals.get(seen.path):
            self._check_block(seen)

    def moment(self) -> Moment:
        return self.ledger.states, self.ledger.published

    def _fault(self, seen: Seen, begun: Moment) -> str:
        states, published = begun
        known = [*states, *self.ledger.states]
        return fault_of(seen, known, published) and fault_of(seen, known, self.ledger.published)

    def _check_block(self, seen: Seen) -> None:
        """Judge the rates of a page: as many deals as there were at first, with the time that is theirs."""
        self.blocks["in HTML"] += 1
        products = seen.text.count(_PRODUCT)
        if products < self.deals[seen.path]:
            self.violated("a rate block is empty", f"{seen.path}: {products} deals")
            return
        if "ates read at" not in seen.text and "were read at" not in seen.text:
            self.violated("rates without their time", seen.path)
        self.check_time(version_of(seen.text), seen.text, seen.path)
        self.blocks["in HTML, marked as old"] += AWAY in seen.text

    def check_time(self, version: int | None, text: str, where: str) -> None:
        """Judge whether rates were to be had at the time at which a text says that they were read."""
        said = [datetime.strptime(each, "%H:%M on %d %B %Y").replace(tzinfo=UK) for each in _TIMES.findall(text)]
        if version is None or not said:
            return
        read_at = min(said).timestamp() - time.time() + time.monotonic()
        since = next((began for began, later in self.rates if later > version), read_at)
        if since < read_at - READING:
            self.violated("rates with a time that is not theirs", f"{where}: {version}, {min(said):%H:%M}")

    def check_fees(self, fees: Sequence[str], dated: str, where: str, *, is_marked: bool) -> None:
        """Judge rates that a server answers now by what the feed answered, and the time that they state."""
        version = min((int(text.removeprefix("£").replace(",", "")) - FEES for text in fees), default=None)
        if version is None:
            return
        if not _TIMES.search(dated):
            self.violated("rates without their time", where)
        self.check_time(version, dated, where)
        if version < self.oldest_unmarked and not is_marked:
            self.violated("old rates without a notice", f"{where}: {version} of {self.oldest_unmarked}; {dated[:60]}")
        if version > self.rates[-1][1]:
            self.violated("rates that the feed never had", f"{where}: {version}")

    def check_search(self, status: str, *, version: int | None, is_stale: bool, where: str) -> None:
        """Judge the answer of a search: nothing found, or a failure, only where the service says so."""
        kind = status if status != "loaded" else "stale" if is_stale else "answered"
        self.searches[kind] += 1
        if status == "empty" and not self.is_failing("get_rates", within=EMPTY_AFTER, ways=EMPTY_WAYS):
            self.violated("a search found nothing", where)
        # the feed stands on the same machine, and may itself be late
        self.searches["failed while no call was made to"] += status == "failed" and not self.is_failing(
            "get_rates", within=FAILS_AFTER
        )
        if status == "loaded" and not is_stale and version is not None and version < self.oldest_unmarked:
            self.violated("old rates without a notice", f"{where}: {version} of {self.oldest_unmarked}")

    def percentile(self, share: float) -> float:
        """Return the milliseconds within which a share of the pages was answered."""
        return statistics.quantiles(self.times, n=100)[round(share * 100) - 1] * 1_000 if len(self.times) > 1 else 0


def version_of(html: str) -> int | None:
    """Return the number of the oldest rates on a page, None for a page without any of the feed's."""
    places = [found.start() for found in re.finditer(_PRODUCT, html)]
    parts = (_FEES.search(html, place, place + _PRODUCT_LENGTH) for place in places)
    return min((int(found[1]) for found in parts if found), default=None)
