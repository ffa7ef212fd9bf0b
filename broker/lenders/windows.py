"""When each lender lets its own borrowers book their next deal: `data/lenders/windows.json`.

The sources are old and disagree in places, so an entry has the earliest and the latest value. Staff who have asked a
lender correct its values (`window_admin`), with the source and the day.
"""

import json
import logging
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from broker.lenders.lender import has_same_name
from broker.lending.days import EARLIEST_YEAR, day_number, day_text
from broker.lending.transfer_window import USUAL_WINDOW, TransferWindow

log = logging.getLogger(__name__)

FILE = Path("lenders", "windows.json")
"""The file below the folder of data."""

_KEYS = {"names": list, "earliest": str, "latest": str, "swap": str, "sources": list, "checked": str}

OPENS, SWAP, SOURCE, CHECKED = "opens", "swap", "source", "checked"
"""The fields of a correction, in the order of its form."""

UNKNOWN = "unknown"
"""What stands for a period that the lender does not give."""

MAX_SWAP_LENGTH, MAX_SOURCE_LENGTH = 399, 80
"""Characters of a correction's fields; a full stop may be added to the first."""

_PERIOD = re.compile(r"([1-9][0-9]{0,2}) (days|weeks|months)")

_DAYS = {"days": 1, "weeks": 7}


class WindowsError(ValueError):
    """Base of the errors of the file."""


class WindowsFileError(WindowsError):
    """The file cannot be read, or is not an object of `collected` and `windows`."""


class WindowEntryError(WindowsError):
    """An entry is wrong; `entry` is its place from 1."""

    def __init__(self, entry: int, fault: str) -> None:
        super().__init__(f"entry {entry} of the lenders' windows: {fault}")
        self.entry = entry


@dataclass(frozen=True, slots=True, kw_only=True)
class LenderWindow:
    """The window of some lenders: `earliest` and `latest` as their sources write them, empty if unknown.

    `swap` says whether a booked deal may be changed before it starts, `sources` are each a name and its date, and
    `checked` is the day on which the lender was asked, None if it was not.
    """

    names: tuple[str, ...]
    earliest: str
    latest: str
    swap: str
    sources: tuple[tuple[str, str], ...]
    collected: date
    checked: date | None

    def window(self, name: str) -> TransferWindow:
        """Return the window, with its words for a lender of this name."""
        words = f"{self._opening(name)} {self.swap} {self._origin}"
        if not self.earliest:
            return TransferWindow(words=words)
        (months, days), (later_months, later_days) = map(_period, (self.earliest, self.latest))
        return TransferWindow(months=months, days=days, later_months=later_months, later_days=later_days, words=words)

    def _opening(self, name: str) -> str:
        if not self.earliest:
            return f"We don’t know how early {name} lets you book. Four months before your deal ends is usual: ask."
        if self.earliest == self.latest:
            return f"{name} lets you book from {self.earliest} before your deal ends."
        either = f"{self.earliest} or {self.latest} before your deal ends"
        return f"Sources disagree on how early {name} lets you book: {either}."

    @property
    def _origin(self) -> str:
        sources = "; ".join(f"{name} ({date})" if date else name for name, date in self.sources)
        if self.checked:
            return f"From {sources}, checked on {day_text(day_number(self.checked))}."
        return f"From {sources}, read on {day_text(day_number(self.collected))}. Check with your lender."


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """A correction by a member of staff, `number` of its lender; without `checked` it withdraws those before it."""

    lender_id: int
    number: int
    who: str
    opens: str = ""
    swap: str = ""
    source: str = ""
    checked: date | None = None

    def window(self, name: str) -> TransferWindow:
        assert self.checked
        entry = LenderWindow(
            names=(name,),
            earliest=self.opens,
            latest=self.opens,
            swap=self.swap,
            sources=((self.source, ""),),
            collected=self.checked,
            checked=self.checked,
        )
        return entry.window(name)


def parse_correction(
    lender_id: int, given: Mapping[str, str], *, number: int, who: str, today: date
) -> Correction | dict[str, str]:
    """Return the correction of a form's fields, or why fields are wrong, by name."""
    opens, swap, source = (" ".join(given.get(name, "").split()) for name in (OPENS, SWAP, SOURCE))
    checked = _day_until(given.get(CHECKED, ""), today)
    is_period = opens.lower() == UNKNOWN or _PERIOD.fullmatch(opens)
    found = {
        OPENS: "" if is_period else "Write it like 4 months, 13 weeks or 90 days; or unknown",
        SWAP: _length_problem(swap, MAX_SWAP_LENGTH, "Say whether a booked deal may be changed before it starts"),
        SOURCE: _length_problem(source, MAX_SOURCE_LENGTH, "Say where the lender says so, or who there told you"),
        CHECKED: "" if checked else "Enter the day you asked: today or earlier",
    }
    if problems := {name: problem for name, problem in found.items() if problem}:
        return problems
    return Correction(
        lender_id=lender_id,
        number=number,
        who=who,
        opens="" if opens.lower() == UNKNOWN else opens,
        swap=swap if swap[-1] in ".!?" else f"{swap}.",
        source=source,
        checked=checked,
    )


def _day_until(text: str, today: date) -> date | None:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return None
    return day if day.year >= EARLIEST_YEAR and day <= today else None


def _length_problem(text: str, longest: int, empty: str) -> str:
    return empty if not text else f"Use {longest} characters or fewer" if len(text) > longest else ""


def load_windows(folder: Path) -> tuple[LenderWindow, ...]:
    """Read the windows; none where their file has a fault, which is logged: plans then say to ask the lender."""
    try:
        return read_windows(folder)
    except WindowsError as error:
        log.error("no windows of lenders: %s", error)
        return ()


def read_windows(folder: Path) -> tuple[LenderWindow, ...]:
    """Read the windows below a folder of data; raises WindowsFileError and WindowEntryError."""
    try:
        return parse_windows((folder / FILE).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise WindowsFileError(f"{FILE} cannot be read: {error}") from error


def parse_windows(text: str) -> tuple[LenderWindow, ...]:
    """Parse the text of the file; raises WindowsFileError and WindowEntryError."""
    try:
        tree = json.loads(text)
        collected, entries = date.fromisoformat(tree["collected"]), list(tree["windows"])
    except (ValueError, KeyError, TypeError) as error:
        raise WindowsFileError(f"{FILE} is no object of a day `collected` and a list `windows`: {error}") from error
    found = tuple(_entry(place, given, collected) for place, given in enumerate(entries, 1))
    names = [name for each in found for name in each.names]
    for place, each in enumerate(found, 1):
        for name in each.names:
            if sum(has_same_name(name, other) for other in names) > 1:
                raise WindowEntryError(place, f"{name} has another entry")
    return found


def window_of(name: str, windows: Iterable[LenderWindow]) -> TransferWindow:
    """Return the window of a lender by its name; the usual one for an empty name, and for one without an entry."""
    if not name:
        return USUAL_WINDOW
    if found := find_window(name, windows):
        return found.window(name)
    return TransferWindow(
        words=f"We hold no dates for {name}. Ask how early it lets you book, and whether you may change it before it "
        "starts. Four months before your deal ends is usual."
    )


def find_window(name: str, windows: Iterable[LenderWindow]) -> LenderWindow | None:
    return next((each for each in windows if any(has_same_name(name, one) for one in each.names)), None)


def _entry(place: int, given: Any, collected: date) -> LenderWindow:
    if not isinstance(given, Mapping) or set(given) != set(_KEYS):
        raise WindowEntryError(place, f"it needs {', '.join(_KEYS)}, and nothing else")
    for key, kind in _KEYS.items():
        if not isinstance(given[key], kind):
            raise WindowEntryError(place, f"{key} is no {kind.__name__}")
    names, sources = _names(place, given["names"]), _sources(place, given["sources"])
    earliest, latest = given["earliest"], given["latest"]
    if bool(earliest) != bool(latest) or not all(_PERIOD.fullmatch(each) for each in (earliest, latest) if each):
        raise WindowEntryError(place, "earliest and latest are both empty, or each is like “90 days” or “4 months”")
    if earliest and _length(earliest) < _length(latest):
        raise WindowEntryError(place, f"earliest, {earliest}, is after latest, {latest}")
    return LenderWindow(
        names=names,
        earliest=earliest,
        latest=latest,
        swap=given["swap"],
        sources=sources,
        collected=collected,
        checked=_checked(place, given["checked"]),
    )


def _names(place: int, given: list[Any]) -> tuple[str, ...]:
    if not given or not all(isinstance(name, str) and name.strip() for name in given):
        raise WindowEntryError(place, "names are one name at least")
    return tuple(given)


def _sources(place: int, given: list[Any]) -> tuple[tuple[str, str], ...]:
    is_source = (
        isinstance(one, Mapping) and all(isinstance(one.get(key), str) for key in ("name", "date")) for one in given
    )
    if not given or not all(is_source):
        raise WindowEntryError(place, "sources are one at least, each with a name and a date")
    return tuple((one["name"], one["date"]) for one in given)


def _checked(place: int, text: str) -> date | None:
    try:
        return date.fromisoformat(text) if text else None
    except ValueError as error:
        raise WindowEntryError(place, f"checked is a day like 2026-11-26, or empty: {error}") from error


def _period(text: str) -> tuple[int, int]:
    """Return the months and days of a period like `4 months`, `13 weeks`, `90 days`."""
    count, unit = text.split(" ")
    return (int(count), 0) if unit == "months" else (0, int(count) * _DAYS[unit])


def _length(text: str) -> int:
    """Return the days of a period, of months the most that they may have."""
    months, days = _period(text)
    return months * 31 + days
