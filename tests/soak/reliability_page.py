"""`docs/reliability.md`, which the run of the faults writes."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from textwrap import fill

from tests.integration.fault_visitors import ANSWERING, READERS, SEARCHERS, SENDERS, Seen

HEAD = """# Reliability

What visitors notice when a part of the site breaks. A test breaks the running site, part by part, while visitors read
pages, search, answer the questionnaire and send enquiries. Then it compares what they were told is stored with what is
in the database. It wrote this page.
"""

TABLE = """| fault | failed of attempts | longest wait | well again after | acknowledged | lost | doubled |
|---|---|---|---|---|---|---|
"""

COLUMNS = """
- *Failed of attempts*: attempts that did not get what the visitor came for: an error, no answer within ten seconds, or
  a socket that ended. Each visitor tried again until it worked.
- *Longest wait*: the longest time from a visitor's first attempt to the one that succeeded, the outage itself included.
- *Well again after*: the time from the end of the fault to the last failed attempt, or until `/health/ready` said that
  database and Redis answer, if that came later.
- *Acknowledged*: answers and enquiries that visitors were told are stored. *Lost* are those of them that the database
  does not have, *doubled* those that it has twice.
"""

TAIL = """
## Run it again

`make soak ARGS=tests/soak/test_faults.py` runs it and writes this page; `FAULT_KILLS` is the number of kills, 200 by
default, in `FAULT_MINUTES`, nine at most by default. `make test` has a short form, `tests/integration/test_faults.py`.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultRow:
    """Result of a fault: `well_after` in seconds; the writes are those acknowledged during it."""

    name: str
    notice: str
    seen: Seen
    well_after: float
    acknowledged: int
    lost: int
    doubled: int

    @property
    def failed(self) -> int:
        return sum(self.seen.failures.values())

    def line(self) -> str:
        wait = max(self.seen.waits.values(), default=0.0)
        attempts = sum(self.seen.attempts.values())
        cells = (self.name, f"{self.failed:,} of {attempts:,}", f"{wait:.1f} s", f"{self.well_after:.1f} s")
        return f"| {' | '.join((*cells, f'{self.acknowledged:,}', str(self.lost), str(self.doubled)))} |\n"

    def story(self) -> str:
        """Return what visitors saw, and how their attempts failed, by kind."""
        most = self.seen.failures.most_common(6)
        counted = "; ".join(f"{kind}, {reason}: {number:,}" for (kind, reason), number in most)
        text = f"- **{self.name}.** {self.notice} Failed attempts: {counted or 'none'}."
        return fill(text, 120, subsequent_indent="  ", break_on_hyphens=False, break_long_words=False) + "\n"


def page_html(file: Path, rows: Sequence[FaultRow], *, seconds: float, left_out: Sequence[str]) -> None:
    """Write the page of a run that took so many seconds."""
    visitors = f"{READERS} readers, {SEARCHERS} searchers, {ANSWERING} in the questionnaire and {SENDERS} senders"
    conditions = (
        f"Run of {date.today():%-d %B %Y}, {seconds / 60:.0f} minutes: three processes behind nginx on "
        f"{os.cpu_count()} cores, with a PostgreSQL, a Redis and a feed of their own on the same machine. "
        f"There are {visitors}, each with a fraction of a second between two attempts."
    )
    lines, stories = "".join(row.line() for row in rows), "".join(row.story() for row in rows)
    gaps = "\n## Not tried\n\n" + "".join(f"- {each}\n" for each in left_out) if left_out else ""
    text = f"{HEAD}\n## The last run\n\n{fill(conditions, 120)}\n\n{TABLE}{lines}{COLUMNS}"
    text += f"\n## What visitors saw\n\n{stories}{gaps}{TAIL}"
    file.write_text(text, encoding="utf-8")
