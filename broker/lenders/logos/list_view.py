"""Lenders and logos for staff: table rows, versions of a logo, progress of a fetch."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from broker import routes
from broker.clock import UK
from broker.lenders.logos.logo import MAX_VERSIONS, MIN_WIDTH, LogoKind, LogoSource, LogoVersion
from broker.lenders.logos.reports import LenderRow
from broker.lending.money import capitalised
from broker.rates.product_text import initials

_SOURCES = {LogoSource.STAFF: "Staff", LogoSource.FEED: "Feed", LogoSource.MONOGRAM: "Drawn"}
_STATES = {LogoSource.STAFF: "good, ours", LogoSource.FEED: "from the feed", LogoSource.MONOGRAM: "No logo"}
_COLOURS = {LogoSource.STAFF: "green", LogoSource.FEED: "gray", LogoSource.MONOGRAM: "red"}

_BEFORE_STAFF = 0
"""The number that restores what was there before staff changed anything."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LenderLine:
    """A lender's row; `sought` is its name in small letters, and `number` the version that a change is made to.

    `state` and `colour` are its badge, and `is_poor` says that the logo is blurred.
    `picture` is the current logo, or the drawn mark if `has_logo` is false, or empty: then `initials` are shown.
    """

    lender_id: int
    name: str
    href: str
    used: str
    deals: str
    picture: str
    initials: str
    has_logo: bool
    source: str
    state: str
    colour: str
    is_poor: bool
    who: str
    at: str
    file_name: str
    versions: str
    number: int
    sought: str


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionLine:
    """A version of a lender's logo that staff can restore; `picture` may be empty."""

    number: int
    what: str
    picture: str
    who: str
    at: str
    is_current: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchView:
    """Progress of one of the two calls; `state` and `tone` are its tag, `strangers` a sentence or empty."""

    fetching: bool = False
    done: bool = False
    failed: bool = False
    state: str = "Not fetched yet"
    tone: str = "tag plain"
    sentence: str = "Nothing was fetched since the server started."
    failures: tuple[str, ...] = ()
    strangers: str = ""


FETCHING = FetchView(fetching=True, state="Fetching", tone="tag lamp", sentence="Being fetched now.")


def lender_line(row: LenderRow) -> LenderLine:
    is_poor = 0 < row.width < MIN_WIDTH
    return LenderLine(
        lender_id=row.lender_id,
        name=row.name,
        href=routes.lender(row.slug) if row.slug else "",
        used=_used(row),
        deals=_deals(row),
        # the number makes a browser fetch again: the mark's address serves the logo if there is one
        picture=row.logo or (f"{row.mark}?{row.number}" if row.mark else ""),
        initials=initials(row.name),
        has_logo=row.source is not LogoSource.MONOGRAM,
        source="Removed by staff" if row.is_hidden else _SOURCES[row.source],
        state=_state(row, is_poor=is_poor),
        colour="orange" if is_poor else _COLOURS[row.source],
        is_poor=is_poor,
        who=row.who or "Nobody yet",
        at=short_moment(row.at) if row.at else "",
        file_name=row.file_name,
        versions=_versions(row.number),
        number=row.number,
        sought=row.name.lower(),
    )


def ordered(lines: Iterable[LenderLine]) -> tuple[LenderLine, ...]:
    """Return lines in the order of the page: lenders without a logo first."""
    return tuple(sorted(lines, key=lambda line: line.has_logo))


def tally(lines: Sequence[LenderLine]) -> str:
    """Return the sentence that counts lenders, those without a logo, and those whose logo is blurred."""
    bare, poor = sum(not line.has_logo for line in lines), sum(line.is_poor for line in lines)
    lenders = "1 lender" if len(lines) == 1 else f"{len(lines)} lenders"
    return f"{lenders}, {bare} without a logo, {poor} to look at"


def version_lines(versions: Sequence[LogoVersion], address: Callable[[str], str]) -> tuple[VersionLine, ...]:
    """Return the stored versions, newest first, and what was before them; `address` maps a file name to its URL."""
    if not versions:
        return ()
    newest = versions[0].number
    lines = (
        VersionLine(
            number=each.number,
            what=_what(each),
            picture=address(each.picture) if each.picture else "",
            who=each.who,
            at=short_moment(each.at),
            is_current=each.number == newest,
        )
        for each in versions
    )
    before = VersionLine(number=_BEFORE_STAFF, what="Before staff", picture="", who="", at="", is_current=False)
    return (*lines, before)


def fetch_view(
    *,
    fetching: bool,
    done: bool,
    at: datetime | None,
    sentence: str,
    problem: str,
    failures: Sequence[str] = (),
    strangers: Sequence[int] = (),
) -> FetchView:
    if fetching:
        return FETCHING
    if not done:
        return FetchView()
    words = f"{sentence} The first error was: {problem}." if problem and problem not in sentence else sentence
    left_out = f"The feed sent logos of other lenders, which were left out: {', '.join(map(str, strangers))}."
    state, look = ("Failed", "bad") if problem else ("Done, with gaps", "lamp") if failures else ("Done", "good")
    return FetchView(
        done=True,
        failed=bool(problem),
        state=state,
        tone=f"tag {look}",
        sentence=f"{words} That was on {short_moment(at)}." if at else words,
        failures=tuple(failures),
        strangers=left_out if strangers else "",
    )


def short_moment(at: datetime) -> str:
    """Return a time in the UK in few letters: `21 Nov 2026, 15:04`."""
    return f"{at.astimezone(UK):%-d %b %Y, %H:%M}"


def _state(row: LenderRow, *, is_poor: bool) -> str:
    if is_poor:
        return f"{row.width} px wide: blurs"
    return "Removed by staff" if row.is_hidden else _STATES[row.source]


def _used(row: LenderRow) -> str:
    kinds = [words for words, is_so in (("Residential", row.residential), ("buy to let", row.buy_to_let)) if is_so]
    words = " and ".join(kinds)
    return capitalised(words) if words else "No pages of its own" if not row.slug else "Its own pages"


def _deals(row: LenderRow) -> str:
    if row.products is None:
        return "In the feed" if row.in_feed else "Not in the feed"
    return "1 deal" if row.products == 1 else f"{row.products} deals"


def _versions(number: int) -> str:
    if number > MAX_VERSIONS:
        return f"{number}, the last {MAX_VERSIONS} kept"
    return str(number) if number else "None"


def _what(version: LogoVersion) -> str:
    if version.kind is LogoKind.HIDDEN:
        return "No logo: the monogram"
    if version.kind is LogoKind.UNTOUCHED:
        return "As before staff"
    return version.file_name or "A picture put back"
